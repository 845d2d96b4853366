-- Measured and claimed speedups of speculative decoding at one load, as points: a filed speedup, else the quotient of two runs
-- that agree in everything but the technique.
CREATE TABLE speedups AS
SELECT
    v.record_id AS record_id, -- Run with speculation.
    v.result_index AS result_index, -- Result that is the speedup, or the rate it was divided from.
    v.baseline_record_id AS baseline_record_id, -- Run without; empty where the source divided and its baseline is no record.
    v.way AS way, -- filed where the source prints the quotient, paired where two runs were divided here.
    v.speedup AS speedup, -- Rate with speculation over rate without.
    v.load AS load, -- Requests in flight, else the batch.
    b.source_id AS source_id, -- Source of the run with speculation.
    b.evidence AS evidence, -- What kind of knowledge the number is.
    b.model_id AS model_id, -- Model.
    b.accelerator_ids AS accelerator_ids, -- Accelerators.
    b.accelerator_count AS accelerator_count, -- Number of accelerators.
    b.engine_id AS engine_id, -- Engine.
    b.engine_version AS engine_version, -- Release or build of the engine.
    b.weights AS weights, -- Number format of the weights.
    b.technique AS technique, -- Decoding technique.
    b.gamma AS gamma, -- Tokens proposed in a step.
    b.tree_nodes AS tree_nodes, -- Nodes verified in a step, for a tree.
    b.draft_label AS draft_label, -- What the source calls the draft.
    b.dataset AS dataset, -- Data set.
    b.temperature AS temperature, -- Sampling temperature.
    b.isl_mean AS isl_mean, -- Input tokens of a request.
    b.osl_mean AS osl_mean, -- Output tokens of a request.
    b.acceptance_simulated AS acceptance_simulated, -- Acceptance was forced instead of following from the texts.
    coalesce(b.acceptance_length, l.acceptance_length) AS acceptance_length, -- Tokens emitted for each target pass.
    v.lint_level AS lint_level -- Worst level among the findings that are not acknowledged, or none.
FROM (
    SELECT record_id, result_index, baseline_record_id, 'filed' AS way, speedup, load, lint_level
    FROM filed_speedups
    WHERE bound IS NULL AND technique IS NOT NULL AND technique <> 'autoregressive'
    UNION ALL
    SELECT r.record_id, r.result_index, o.record_id, 'paired', r.value / o.value,
        coalesce(b.concurrency, b.batch_size), r.lint_level
    FROM results r
    JOIN benchmarks b ON b.record_id = r.record_id
    JOIN (
        SELECT r.metric, r.value, r.statistic, r.source_id, b.* FROM results r JOIN benchmarks b ON b.record_id = r.record_id
        WHERE b.technique = 'autoregressive' AND r.is_point AND r.value > 0
    ) o
        ON o.metric = r.metric AND o.statistic IS NOT DISTINCT FROM r.statistic AND o.source_id = r.source_id
        AND o.model_id = b.model_id AND o.accelerator_ids = b.accelerator_ids
        AND coalesce(o.concurrency, o.batch_size) = coalesce(b.concurrency, b.batch_size)
        AND o.accelerator_count IS NOT DISTINCT FROM b.accelerator_count
        AND o.engine_id IS NOT DISTINCT FROM b.engine_id AND o.engine_version IS NOT DISTINCT FROM b.engine_version
        AND o.engine_image IS NOT DISTINCT FROM b.engine_image
        AND o.weights IS NOT DISTINCT FROM b.weights AND o.kv_cache IS NOT DISTINCT FROM b.kv_cache
        AND o.tensor_parallel IS NOT DISTINCT FROM b.tensor_parallel
        AND o.expert_parallel IS NOT DISTINCT FROM b.expert_parallel
        AND o.is_disaggregated = b.is_disaggregated
        AND o.scenario IS NOT DISTINCT FROM b.scenario AND o.dataset IS NOT DISTINCT FROM b.dataset
        AND o.temperature IS NOT DISTINCT FROM b.temperature
        AND o.isl_mean IS NOT DISTINCT FROM b.isl_mean AND o.osl_mean IS NOT DISTINCT FROM b.osl_mean
    WHERE r.metric IN ('tps_aggregate', 'output_tok_s_per_accelerator', 'decode_tok_s') AND r.is_point
        AND b.technique IS NOT NULL AND b.technique <> 'autoregressive'
) v
JOIN (
    SELECT b.*, c.source_id
    FROM benchmarks b
    LEFT JOIN citations c ON c.record_id = b.record_id AND c.pointer = '/sources/0'
) b ON b.record_id = v.record_id
LEFT JOIN (
    SELECT record_id, min(value) AS acceptance_length
    FROM results
    WHERE metric = 'acceptance_length' AND is_point AND (statistic IS NULL OR statistic IN ('mean', 'unstated'))
    GROUP BY record_id
) l ON l.record_id = v.record_id
WHERE b.status IS DISTINCT FROM 'retracted' AND b.superseded_by IS NULL
ORDER BY v.record_id, v.result_index, v.baseline_record_id;

-- Where speculation stops paying: for each series over the load, the first two neighbouring loads between which the speedup
-- falls through 1. A bracket, never a number in between; a series without one says on which side it stays. Series of one
-- load are left out, since they show no trend.
CREATE TABLE break_even AS
SELECT
    s.source_id AS source_id, -- Source of the series.
    s.model_id AS model_id, -- Model.
    s.accelerator_ids AS accelerator_ids, -- Accelerators.
    s.engine_id AS engine_id, -- Engine.
    s.engine_version AS engine_version, -- Release or build of the engine.
    s.technique AS technique, -- Decoding technique.
    s.gamma AS gamma, -- Tokens proposed in a step.
    s.draft_label AS draft_label, -- What the source calls the draft.
    s.dataset AS dataset, -- Data set.
    CASE WHEN bool_or(s.crosses) THEN 'crosses'
        WHEN min(s.speedup) > 1 THEN 'pays at every load'
        WHEN max(s.speedup) <= 1 THEN 'pays at no load'
        ELSE 'rises through 1' END AS outcome, -- crosses, pays at every load, pays at no load, or rises through 1 only.
    min(s.previous_load) FILTER (s.crosses) AS load_low, -- Last load at which it pays, before the first crossing.
    min(s.load) FILTER (s.crosses) AS load_high, -- First load at which it does not.
    arg_min(s.previous_speedup, s.load) FILTER (s.crosses) AS speedup_low_load, -- Speedup at load_low.
    arg_min(s.speedup, s.load) FILTER (s.crosses) AS speedup_high_load, -- Speedup at load_high.
    arg_min(s.previous_acceptance, s.load) FILTER (s.crosses) AS acceptance_low_load, -- Acceptance length at load_low.
    arg_min(s.acceptance_length, s.load) FILTER (s.crosses) AS acceptance_high_load, -- Acceptance length at load_high.
    count(*) AS points, -- Loads of the series.
    min(s.load) AS smallest_load, -- Smallest load of the series.
    max(s.load) AS largest_load, -- Largest load of the series.
    bool_or(s.acceptance_simulated) AS acceptance_simulated, -- Some run forced its acceptance.
    list(s.record_id ORDER BY s.load, s.record_id) AS record_ids -- Runs of the series, by load.
FROM (
    SELECT
        p.*,
        lag(load) OVER series AS previous_load,
        lag(speedup) OVER series AS previous_speedup,
        lag(acceptance_length) OVER series AS previous_acceptance,
        CASE WHEN lag(speedup) OVER series > 1 AND speedup <= 1 THEN TRUE END AS crosses
    FROM speedups p
    WHERE load IS NOT NULL
    WINDOW series AS (
        PARTITION BY way, source_id, evidence, model_id, accelerator_ids, accelerator_count, engine_id, engine_version,
            weights, technique, gamma, tree_nodes, draft_label, dataset, temperature, isl_mean, osl_mean
        ORDER BY load, record_id, result_index)
) s
GROUP BY s.way, s.source_id, s.evidence, s.model_id, s.accelerator_ids, s.accelerator_count, s.engine_id, s.engine_version,
    s.weights, s.technique, s.gamma, s.tree_nodes, s.draft_label, s.dataset, s.temperature, s.isl_mean, s.osl_mean
HAVING count(DISTINCT s.load) > 1
ORDER BY min(s.record_id);
