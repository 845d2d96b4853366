-- Throughput per accelerator against interactivity, one row for each run that has both, and whether any other run of the
-- same question beats it in both. Runs compete when model, accelerators, weights, lengths and evidence are the same.
CREATE TABLE frontier AS
SELECT
    p.record_id AS record_id, -- Benchmark record.
    p.model_id AS model_id, -- Model.
    p.accelerator_id AS accelerator_id, -- Accelerator.
    p.accelerator_count AS accelerator_count, -- All accelerators of the deployment.
    p.weights_dtype AS weights_dtype, -- Number format of the weights.
    p.isl_mean AS isl_mean, -- Input tokens of a request.
    p.osl_mean AS osl_mean, -- Output tokens of a request.
    p.engine AS engine, -- Engine.
    p.engine_version AS engine_version, -- Release or build of the engine.
    p.spec_method AS spec_method, -- Decoding technique.
    p.disagg AS disagg, -- Separate pools for prefill and decode.
    p.concurrency AS concurrency, -- Requests in flight.
    p.provenance_kind AS provenance_kind, -- What kind of knowledge the numbers are.
    p.throughput AS output_tok_s_per_accelerator, -- Output tok/s per accelerator: as filed, else the system's divided by all accelerators.
    p.interactivity AS tok_s_per_user, -- Output tok/s that the median request sees after its first token: as filed, else 1000 / median TPOT in ms.
    p.throughput > coalesce(max(p.throughput) OVER faster, -1)
        AND p.throughput >= coalesce(max(p.throughput) OVER as_fast, -1) AS is_frontier, -- No other run of the same question is better in both.
    p.lint_level AS lint_level, -- Worst level among the findings of the run that are not acknowledged, or none.
    p.superseded_by AS superseded_by -- Record that took this one's place.
FROM (
    SELECT
        record_id, any_value(model_id) AS model_id, any_value(accelerator_id) AS accelerator_id,
        any_value(accelerator_count) AS accelerator_count, any_value(weights_dtype) AS weights_dtype,
        any_value(isl_mean) AS isl_mean, any_value(osl_mean) AS osl_mean, any_value(engine) AS engine,
        any_value(engine_version) AS engine_version, any_value(spec_method) AS spec_method,
        any_value(disagg) AS disagg, any_value(concurrency) AS concurrency,
        any_value(provenance_kind) AS provenance_kind, any_value(superseded_by) AS superseded_by,
        CASE max(CASE lint_level WHEN 'error' THEN 3 WHEN 'warning' THEN 2 WHEN 'info' THEN 1 ELSE 0 END)
            WHEN 3 THEN 'error' WHEN 2 THEN 'warning' WHEN 1 THEN 'info' ELSE 'none' END AS lint_level,
        coalesce(
            max(value) FILTER (metric = 'output_tok_s_per_accelerator' AND (statistic IS NULL OR statistic IN ('mean', 'unstated'))),
            max(value) FILTER (metric = 'tps_aggregate' AND (statistic IS NULL OR statistic IN ('mean', 'unstated')))
                / any_value(accelerator_count)
        ) AS throughput,
        coalesce(
            max(value) FILTER (metric = 'tok_s_per_user' AND statistic = 'p50'),
            1000 / nullif(max(value) FILTER (metric = 'tpot_ms' AND statistic = 'p50'), 0)
        ) AS interactivity
    FROM runs
    WHERE metric IN ('output_tok_s_per_accelerator', 'tps_aggregate', 'tok_s_per_user', 'tpot_ms')
    GROUP BY record_id
) p
WHERE p.throughput IS NOT NULL AND p.interactivity IS NOT NULL
    AND p.model_id IS NOT NULL AND p.accelerator_id IS NOT NULL
WINDOW
    faster AS (
        PARTITION BY p.model_id, p.accelerator_id, p.weights_dtype, p.isl_mean, p.osl_mean, p.provenance_kind
        ORDER BY p.interactivity DESC RANGE BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW EXCLUDE GROUP),
    as_fast AS (
        PARTITION BY p.model_id, p.accelerator_id, p.weights_dtype, p.isl_mean, p.osl_mean, p.provenance_kind
        ORDER BY p.interactivity DESC RANGE BETWEEN CURRENT ROW AND CURRENT ROW)
ORDER BY p.record_id;
