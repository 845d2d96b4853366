-- Server and interactive beside offline: each pair of runs of one system that differ in the scenario alone, with the share
-- that is left. Pairs have the same source, methodology (which names round, division and submitter), system, model,
-- accelerators, counts, accuracy target, metric and unit.
CREATE TABLE server_vs_offline AS
SELECT
    s.record_id AS record_id, -- Run with the arrival pattern.
    o.record_id AS offline_record_id, -- Run without one.
    s.source_id AS source_id, -- Source of both.
    s.methodology AS methodology, -- How both were taken; for MLPerf it names round, division, availability and submitter.
    s.system_name AS system_name, -- What the source calls the system.
    s.model_id AS model_id, -- Model.
    s.model_label AS model_label, -- What the source calls the model.
    s.accelerator_ids AS accelerator_ids, -- Accelerators.
    s.accelerator_count AS accelerator_count, -- Number of accelerators.
    s.accuracy_target AS accuracy_target, -- Share of the reference accuracy that had to be reached.
    s.scenario AS scenario, -- server or interactive.
    s.metric AS metric, -- Metric of both.
    s.unit AS unit, -- Unit of both.
    s.value AS value, -- Figure with the arrival pattern.
    o.value AS offline_value, -- Figure of the offline run.
    s.value / nullif(o.value, 0) AS share_of_offline, -- The first divided by the second.
    o.value - s.value AS offline_minus_server, -- Offline minus the other; negative where offline is slower.
    s.evidence = 'measured' AND o.evidence = 'measured' AS is_measured, -- Both were measured.
    CASE WHEN 'error' IN (s.lint_level, o.lint_level) THEN 'error'
        WHEN 'warning' IN (s.lint_level, o.lint_level) THEN 'warning'
        WHEN 'info' IN (s.lint_level, o.lint_level) THEN 'info' ELSE 'none' END AS lint_level -- Worst lint level of the two.
FROM (
    SELECT r.metric, r.unit, r.value, r.statistic, r.token_kind, r.source_id, r.lint_level, b.* EXCLUDE (lint_level)
    FROM results r JOIN benchmarks b ON b.record_id = r.record_id
    WHERE b.scenario IN ('server', 'interactive') AND r.is_point AND b.status IS DISTINCT FROM 'retracted'
        AND r.metric IN ('tps_aggregate', 'samples_per_s', 'requests_per_s', 'total_tok_s')
) s
JOIN (
    SELECT r.metric, r.unit, r.value, r.statistic, r.token_kind, r.source_id, r.lint_level, b.* EXCLUDE (lint_level)
    FROM results r JOIN benchmarks b ON b.record_id = r.record_id
    WHERE b.scenario = 'offline' AND r.is_point AND b.status IS DISTINCT FROM 'retracted'
) o
    ON o.source_id = s.source_id
    AND o.metric = s.metric
    AND o.unit = s.unit
    AND o.model_id = s.model_id
    AND o.accelerator_ids = s.accelerator_ids
    AND o.accelerator_count IS NOT DISTINCT FROM s.accelerator_count
    AND o.nodes IS NOT DISTINCT FROM s.nodes
    AND o.statistic IS NOT DISTINCT FROM s.statistic
    AND o.methodology IS NOT DISTINCT FROM s.methodology
    AND o.system_name IS NOT DISTINCT FROM s.system_name
    AND o.platform_id IS NOT DISTINCT FROM s.platform_id
    AND o.accuracy_target IS NOT DISTINCT FROM s.accuracy_target
    AND o.model_label IS NOT DISTINCT FROM s.model_label
    AND o.weights IS NOT DISTINCT FROM s.weights
ORDER BY s.record_id, o.record_id, s.metric, s.statistic;
