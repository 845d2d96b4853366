-- The flat planner view: one row for each result that is a point, joined with its record, model, accelerator and engine.
-- Bounds are left out, since they are no measurements, and so are retracted records; superseded ones stay and name their
-- successor. Empty means that the record does not say.
CREATE VIEW runs AS
SELECT
    r.record_id AS record_id, -- Benchmark record that holds the number.
    r.record_id AS run_id, -- The same id: one record is one run at one operating point, and its results are joined by it.
    b.model_id AS model_id, -- Model.
    m.active_b AS model_active_b, -- Parameters of the model read for one token, in 10^9.
    b.weights AS weights_dtype, -- Number format of the weights.
    b.kv_cache AS kv_dtype, -- Number format of the key-value cache.
    CASE
        WHEN b.client_tokenizer IS NOT NULL THEN b.client_tokenizer
        WHEN b.count_side IN ('server_usage', 'engine') THEN m.tokenizer
    END AS tokenizer_id, -- Tokenizer that tokens were counted with: the client's where stated, the model's own where the server counted.
    CASE WHEN len(b.accelerator_ids) = 1 THEN b.accelerator_ids[1] END AS accelerator_id, -- Accelerator; empty where several kinds took part.
    a.vendor AS accelerator_vendor, -- Maker of the accelerator.
    b.accelerator_count AS accelerator_count, -- All accelerators of the deployment.
    b.nodes AS nodes, -- Machines.
    b.engine_id AS engine, -- Engine.
    b.engine_version AS engine_version, -- Release or build of the engine.
    coalesce(b.engine_released, e.released) AS engine_released, -- Day of that release: as the record says, else as the engine's record does.
    b.scenario AS scenario, -- In which way requests arrived.
    CASE
        WHEN b.scenario IN ('closed_loop', 'open_loop', 'burst') THEN b.scenario
        WHEN b.scenario = 'server' THEN 'open_loop'
        WHEN b.scenario IN ('fixed_batch', 'static_batch', 'continuous_refill') THEN 'fixed_batch'
        WHEN b.scenario IS NOT NULL THEN NULL
        WHEN b.concurrency IS NOT NULL THEN 'closed_loop'
        WHEN b.request_rate IS NOT NULL THEN 'open_loop'
        WHEN b.is_sent_at_once THEN 'burst'
        WHEN b.batch_size IS NOT NULL THEN 'fixed_batch'
    END AS load_kind, -- closed_loop, open_loop, burst or fixed_batch: from the scenario, else from which load is stated.
    coalesce(b.concurrency, b.batch_size) AS concurrency, -- Requests in flight: the concurrency, else the sequences of the batch.
    b.request_rate AS offered_rate, -- Offered requests per second.
    b.isl_mean AS isl_mean, -- Input tokens of a request: measured, else asked for.
    b.osl_mean AS osl_mean, -- Output tokens of a request: measured, else asked for.
    CASE
        WHEN b.isl_is_measured AND b.osl_is_measured THEN 'measured'
        WHEN b.isl_is_measured IS NOT NULL OR b.osl_is_measured IS NOT NULL THEN 'nominal'
    END AS length_kind, -- measured where both lengths are, nominal where at least one is only asked for.
    b.dataset AS dataset, -- Name of the data set or generator.
    b.ignore_eos AS ignore_eos, -- Generation went on past the end token.
    b.prefix_cache AS prefix_cache, -- State of prefix caching.
    b.cache_hit_rate AS cache_hit_rate, -- Share of prompt tokens served from the cache.
    b.technique AS spec_method, -- Decoding technique; autoregressive is plain decoding.
    coalesce(b.acceptance_length, s.acceptance_length) AS spec_accept_len, -- Tokens emitted for each target pass, the target's own included.
    b.is_disaggregated AS disagg, -- The record names separate pools for prefill and decode.
    b.prefill_accelerators AS prefill_count, -- Accelerators of the prefill pool.
    b.decode_accelerators AS decode_count, -- Accelerators of the decode pool.
    r.metric AS metric, -- What was measured.
    r.statistic AS statistic, -- Which figure of a distribution; empty for figures of the whole run.
    r.value AS value, -- The number, in unit.
    r.unit AS unit, -- Unit, always the metric's own.
    r.scope AS scope, -- What the number is counted per.
    r.token_kind AS token_kind, -- Which tokens are counted.
    r.window_kind AS window, -- Part of the run that the figure covers.
    r.power_basis AS power_basis, -- Where the power in the number comes from.
    b.quality_ref AS quality_ref, -- Where the quality of these answers is shown.
    b.evidence AS provenance_kind, -- What kind of knowledge the number is: measured, simulated, claimed, ...
    r.tolerance AS tolerance, -- Half-width of the value's uncertainty, in unit.
    b.measured_on AS measured_on, -- Day of the run.
    r.source_id AS source_id, -- Source of the number.
    r.locator AS locator, -- The place in that source.
    r.lint_level AS lint_level, -- Worst level among the findings that are not acknowledged, or none.
    b.superseded_by AS superseded_by, -- Record that took this one's place.
    r.correction_reason AS correction_reason, -- Reason of the last correction that touched this result.
    NULL::DOUBLE AS price_per_acc_hour, -- Always empty: the ledger has no prices, and a question takes one as a parameter.
    NULL::DATE AS price_as_of -- Always empty, as the price is.
FROM results r
JOIN benchmarks b ON b.record_id = r.record_id
LEFT JOIN models m ON m.model_id = b.model_id
LEFT JOIN accelerators a ON len(b.accelerator_ids) = 1 AND a.accelerator_id = b.accelerator_ids[1]
LEFT JOIN (
    SELECT engine_id, version, min(released) AS released FROM engine_releases GROUP BY engine_id, version
) e ON e.engine_id = b.engine_id AND e.version = b.engine_version
LEFT JOIN (
    SELECT record_id, min(value) AS acceptance_length
    FROM results
    WHERE metric = 'acceptance_length' AND is_point AND (statistic IS NULL OR statistic IN ('mean', 'unstated'))
    GROUP BY record_id
) s ON s.record_id = r.record_id
WHERE r.is_point AND b.status IS DISTINCT FROM 'retracted';
