-- Fills operating_points. One row for each benchmark is a join and twenty sums over results; made at every question it
-- would take longer than most answers (0.28 s at 100,000 records, against 0.005 s from the table).
INSERT INTO operating_points BY NAME
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
    b.record_id AS record_id,
    CASE
        WHEN b.status = 'retracted' THEN 'retracted'
        WHEN b.superseded_by IS NOT NULL THEN 'superseded'
        WHEN b.lint_level = 'error' THEN 'the rules found an error in it'
        WHEN b.evidence <> 'measured' OR b.evidence IS NULL THEN 'not measured'
    END AS unusable,
    b.model_id AS model_id,
    CASE WHEN len(b.accelerator_ids) = 1 THEN b.accelerator_ids[1] END AS accelerator_id,
    a.vendor AS vendor,
    a.tdp_w AS tdp_w,
    b.accelerator_count AS accelerator_count,
    b.nodes AS nodes,
    b.system_name AS system_name,
    b.engine_id AS engine_id,
    b.engine_version AS engine_version,
    b.weights AS weights,
    b.kv_cache AS kv_cache,
    b.quality_ref AS quality_ref,
    b.technique AS technique,
    b.acceptance_length AS acceptance_length,
    b.acceptance_simulated AS acceptance_simulated,
    b.scenario AS scenario,
    coalesce(b.concurrency, b.batch_size) AS in_flight,
    CASE WHEN b.concurrency IS NOT NULL THEN 'concurrency' WHEN b.batch_size IS NOT NULL THEN 'batch_size' END AS in_flight_is,
    b.request_rate AS request_rate,
    coalesce(b.is_sent_at_once, false) AS is_sent_at_once,
    b.isl_mean AS isl_mean,
    b.isl_is_measured AS isl_is_measured,
    b.osl_mean AS osl_mean,
    b.osl_is_measured AS osl_is_measured,
    b.dataset AS dataset,
    b.task AS task,
    coalesce(
        b.dataset, b.task, CASE WHEN b.methodology LIKE 'MLPerf Inference %' THEN 'MLPerf ' || b.model_label END
    ) AS workload,
    b.prefix_cache AS prefix_cache,
    b.window_kind AS window_kind,
    b.tensor_parallel AS tensor_parallel,
    b.pipeline_parallel AS pipeline_parallel,
    b.expert_parallel AS expert_parallel,
    b.is_disaggregated AS is_disaggregated,
    b.prefill_accelerators AS prefill_accelerators,
    b.decode_accelerators AS decode_accelerators,
    b.client_name AS client_name,
    b.client_version AS client_version,
    b.engine_released AS engine_released,
    b.measured_on AS measured_on,
    b.completed AS completed,
    coalesce(f.tps_aggregate, f.output_per_accelerator * b.accelerator_count) AS output_tok_s,
    coalesce(f.output_per_accelerator, f.tps_aggregate / b.accelerator_count) AS output_per_accelerator,
    coalesce(f.input_tok_s, f.input_per_accelerator * b.accelerator_count) AS input_tok_s,
    coalesce(f.total_tok_s, f.total_per_accelerator * b.accelerator_count) AS total_tok_s,
    f.requests_per_s AS requests_per_s,
    f.samples_per_s AS samples_per_s,
    coalesce(f.speed_p50, 1000 / f.tpot_p50_ms) AS speed_p50,
    f.tpot_p50_ms AS tpot_p50_ms,
    f.tpot_p95_ms AS tpot_p95_ms,
    f.tpot_p99_ms AS tpot_p99_ms,
    f.itl_p50_ms AS itl_p50_ms,
    f.ttft_p50_ms AS ttft_p50_ms,
    f.ttft_p95_ms AS ttft_p95_ms,
    f.ttft_p99_ms AS ttft_p99_ms,
    f.power_w AS power_w,
    f.power_basis AS power_basis,
    f.joules_per_token AS joules_per_token,
    f.joules_basis AS joules_basis
FROM benchmarks b
LEFT JOIN figures f ON f.record_id = b.record_id
LEFT JOIN accelerators a ON len(b.accelerator_ids) = 1 AND a.accelerator_id = b.accelerator_ids[1];
