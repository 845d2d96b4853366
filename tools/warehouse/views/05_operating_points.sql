-- Every benchmark on one row with the figures that planning questions are asked of, each in its metric's unit. Bounds, and
-- numbers in which the rules found an error, are left out.
CREATE TABLE operating_points AS
WITH figures AS (
    SELECT record_id,
        min(value) FILTER (metric = 'tps_aggregate') AS tps_aggregate,
        min(value) FILTER (metric = 'output_tok_s_per_accelerator') AS output_per_accelerator,
        min(value) FILTER (metric = 'input_tok_s') AS input_tok_s,
        min(value) FILTER (metric = 'input_tok_s_per_accelerator') AS input_per_accelerator,
        min(value) FILTER (metric = 'total_tok_s') AS total_tok_s,
        min(value) FILTER (metric = 'total_tok_s_per_accelerator') AS total_per_accelerator,
        min(value) FILTER (metric = 'requests_per_s') AS requests_per_s,
        min(value) FILTER (metric = 'samples_per_s') AS samples_per_s,
        min(value) FILTER (metric = 'tok_s_per_user' AND statistic = 'p50') AS speed_p50,
        min(value) FILTER (metric = 'tpot_ms' AND statistic = 'p50') AS tpot_p50_ms,
        min(value) FILTER (metric = 'tpot_ms' AND statistic = 'p95') AS tpot_p95_ms,
        min(value) FILTER (metric = 'tpot_ms' AND statistic = 'p99') AS tpot_p99_ms,
        min(value) FILTER (metric = 'itl_ms' AND statistic = 'p50') AS itl_p50_ms,
        min(value) FILTER (metric = 'ttft_ms' AND statistic = 'p50') AS ttft_p50_ms,
        min(value) FILTER (metric = 'ttft_ms' AND statistic = 'p95') AS ttft_p95_ms,
        min(value) FILTER (metric = 'ttft_ms' AND statistic = 'p99') AS ttft_p99_ms,
        min(value) FILTER (metric = 'power_w') AS power_w,
        min(power_basis) FILTER (metric = 'power_w') AS power_basis,
        min(value) FILTER (metric = 'joules_per_token' AND token_kind = 'output') AS joules_per_token,
        min(power_basis) FILTER (metric = 'joules_per_token' AND token_kind = 'output') AS joules_basis
    FROM results
    WHERE is_point AND lint_level <> 'error'
    GROUP BY record_id
)
SELECT
    b.record_id AS record_id, -- Benchmark record.
    CASE
        WHEN b.status = 'retracted' THEN 'retracted'
        WHEN b.superseded_by IS NOT NULL THEN 'superseded'
        WHEN b.lint_level = 'error' THEN 'the rules found an error in it'
        WHEN b.evidence <> 'measured' OR b.evidence IS NULL THEN 'not measured'
    END AS unusable, -- Why no measured answer may rest on it; empty where one may.
    b.model_id AS model_id, -- Model record.
    CASE WHEN len(b.accelerator_ids) = 1 THEN b.accelerator_ids[1] END AS accelerator_id, -- Accelerator record, where there is one kind of them.
    b.accelerator_ids AS accelerator_ids, -- Every kind of accelerator that took part.
    a.vendor AS vendor, -- Vendor of the accelerator.
    a.tdp_w AS tdp_w, -- Thermal design power of one accelerator, in watts.
    b.accelerator_count AS accelerator_count, -- Number of accelerators.
    b.nodes AS nodes, -- Number of machines.
    b.methodology AS methodology, -- How it was taken; for MLPerf it names round, division, availability and submitter.
    b.model_label AS model_label, -- What the source calls the model.
    b.system_name AS system_name, -- System as its source calls it.
    b.engine_id AS engine_id, -- Engine record.
    b.engine_version AS engine_version, -- Version of the engine.
    b.weights AS weights, -- Number format of the weights.
    b.kv_cache AS kv_cache, -- Number format of the key-value cache.
    b.power_limit_w AS power_limit_w, -- Limit that was set for each accelerator, in watts.
    b.accuracy_target AS accuracy_target, -- Share of the reference accuracy that had to be reached.
    b.quality_ref AS quality_ref, -- Where the quality of this precision is recorded.
    b.technique AS technique, -- Decoding technique; empty where the record names none.
    b.acceptance_length AS acceptance_length, -- Mean accepted length as the conditions state it, in tokens for each step.
    b.acceptance_simulated AS acceptance_simulated, -- The acceptance was set, not measured.
    b.scenario AS scenario, -- Arrival pattern.
    coalesce(b.concurrency, b.batch_size) AS in_flight, -- Requests at once: the concurrency, else the batch size.
    CASE WHEN b.concurrency IS NOT NULL THEN 'concurrency' WHEN b.batch_size IS NOT NULL THEN 'batch_size' END AS in_flight_is, -- Which of the two in_flight is.
    b.request_rate AS request_rate, -- Offered rate, in requests per second.
    coalesce(b.is_sent_at_once, false) AS is_sent_at_once, -- Every request was sent at the start.
    b.isl_mean AS isl_mean, -- Input tokens of a request.
    b.isl_is_measured AS isl_is_measured, -- isl_mean was measured.
    b.osl_mean AS osl_mean, -- Output tokens of a request.
    b.osl_is_measured AS osl_is_measured, -- osl_mean was measured.
    b.dataset AS dataset, -- Data set of the requests.
    b.task AS task, -- Task of the requests.
    coalesce(
        b.dataset, b.task, CASE WHEN b.methodology LIKE 'MLPerf Inference %' THEN 'MLPerf ' || b.model_label END
    ) AS workload, -- Data set, else task, else the MLPerf Inference benchmark that fixes the data set; empty where none is named.
    b.prefix_cache AS prefix_cache, -- Handling of shared prefixes.
    b.window_kind AS window_kind, -- Part of the run that the figures cover.
    b.tensor_parallel AS tensor_parallel, -- Tensor-parallel degree.
    b.pipeline_parallel AS pipeline_parallel, -- Pipeline-parallel degree.
    b.expert_parallel AS expert_parallel, -- Expert-parallel degree.
    b.is_disaggregated AS is_disaggregated, -- Prefill and decode run in pools of their own.
    b.prefill_accelerators AS prefill_accelerators, -- Accelerators of the prefill pool.
    b.decode_accelerators AS decode_accelerators, -- Accelerators of the decode pool.
    b.client_name AS client_name, -- Load generator.
    b.client_version AS client_version, -- Its version.
    b.engine_released AS engine_released, -- Release day of the engine version.
    b.measured_on AS measured_on, -- Day of the run.
    b.completed AS completed, -- Requests that were completed.
    coalesce(f.tps_aggregate, f.output_per_accelerator * b.accelerator_count) AS output_tok_s, -- Output tokens per second of the system: as filed, else the rate per accelerator times their number.
    coalesce(f.output_per_accelerator, f.tps_aggregate / b.accelerator_count) AS output_per_accelerator, -- Output tokens per second and accelerator: as filed, else the system's rate over their number.
    coalesce(f.input_tok_s, f.input_per_accelerator * b.accelerator_count) AS input_tok_s, -- Input tokens per second of the system.
    coalesce(f.total_tok_s, f.total_per_accelerator * b.accelerator_count) AS total_tok_s, -- Input and output tokens per second of the system.
    f.requests_per_s AS requests_per_s, -- Completed requests per second.
    f.samples_per_s AS samples_per_s, -- Samples per second.
    coalesce(f.speed_p50, 1000 / f.tpot_p50_ms) AS speed_p50, -- Median output tokens per second of one user: as filed, else the reciprocal of the median time per output token.
    f.tpot_p50_ms AS tpot_p50_ms, -- Median time per output token, in ms.
    f.tpot_p95_ms AS tpot_p95_ms, -- 95th percentile of it, in ms.
    f.tpot_p99_ms AS tpot_p99_ms, -- 99th percentile of it, in ms.
    f.itl_p50_ms AS itl_p50_ms, -- Median inter-token latency, in ms.
    f.ttft_p50_ms AS ttft_p50_ms, -- Median time to first token, in ms.
    f.ttft_p95_ms AS ttft_p95_ms, -- 95th percentile of it, in ms.
    f.ttft_p99_ms AS ttft_p99_ms, -- 99th percentile of it, in ms.
    f.power_w AS power_w, -- Power of the system, in watts.
    f.power_basis AS power_basis, -- Where power_w comes from.
    f.joules_per_token AS joules_per_token, -- Energy for each output token as filed, in joules.
    f.joules_basis AS joules_basis -- Where that energy comes from.
FROM benchmarks b
LEFT JOIN figures f ON f.record_id = b.record_id
LEFT JOIN accelerators a ON len(b.accelerator_ids) = 1 AND a.accelerator_id = b.accelerator_ids[1];
