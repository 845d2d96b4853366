-- Software progress
--
-- Same model, accelerator, count, lengths and load: how did throughput change from engine version to engine version?
-- (planner question P11)
--
-- Parameters:
--   model        model = none            Model record; none means every model.
--   accelerator  accelerator = none      Accelerator record; none means every accelerator.
--   engine       engine = none           Engine record; none means every engine.
--   conditions   compatible|equal = compatible  Whether a condition that only some runs state may stand beside runs that do
--     not state it; one that is stated and differs never may.
-- Columns:
--   model_id                -      Model.
--   accelerator_id          -      Accelerator.
--   accelerator_count       -      Accelerators of the runs.
--   engine_id               -      Engine.
--   weights                 -      Number format of the weights.
--   workload                -      Data set, task or MLPerf benchmark, where one is named.
--   scenario                -      Arrival pattern; empty where none is stated.
--   isl_mean                tok    Input tokens of a request; empty where the workload fixes them.
--   osl_mean                tok    Output tokens of a request; empty where the workload fixes them.
--   in_flight               -      Requests at once; empty where all were sent at once or the scenario sets the load.
--   engine_version          -      Version of the engine.
--   released                -      Release day of the version, where known.
--   measured_on             -      Day of the run, where known.
--   output_per_accelerator  tok/s  Output rate per accelerator, the best of the version.
--   runs                    -      Runs of the version under these conditions.
--   factor                  ratio  Over the version before.
--   factor_since_first      ratio  Over the first version of the series.
--   factor_per_year         ratio  The latter as a factor for each year between the release days.
--   not_stated              -      Conditions that this run or the one of the version before does not state while the other does, and
--     weights where neither does: they cannot be checked, and may be a part of the factor.
--   client_changed          -      The load generator or its version is not that of the version before.
--   record_id               -      The run.
-- Cannot say:
--   Client or definition changed between two points: client_changed marks where, and the factor is empty.
--   Which part of a factor is the software's, where not_stated names a condition.
-- Dropped:
--   Runs that are not measured, superseded, retracted, or have an error.
--   Runs without rate, version, load, or lengths or a workload that fixes them, and series with a single version.
-- Notes:
--   Versions are ordered by release day where the engine's record has it, else by their numbers.
--   Formats, parallelism, prefix cache and client are checked; where neither side states one, nothing is said of it.
--   Under MLPerf's server and interactive scenarios the rate is the largest that kept to the limits, so the scenario is the load.

-- [points: inlined]
SELECT p.record_id, p.model_id, p.accelerator_id, p.accelerator_count, p.engine_id, p.engine_version, p.weights,
    p.workload, p.scenario, p.in_flight, p.output_per_accelerator, p.measured_on, p.client_name,
    p.client_version, p.kv_cache, p.tensor_parallel, p.pipeline_parallel, p.expert_parallel, p.prefix_cache,
    CASE WHEN p.osl_mean IS NOT NULL THEN p.isl_mean END AS isl_mean,
    CASE WHEN p.isl_mean IS NOT NULL THEN p.osl_mean END AS osl_mean,
    coalesce(p.engine_released, r.released) AS released,
    CASE
        WHEN p.unusable IS NOT NULL THEN p.unusable
        WHEN p.model_id IS NULL THEN 'its model has no record, or is not named'
        WHEN p.accelerator_id IS NULL THEN 'the exact accelerator is not stated, or there are several kinds'
        WHEN p.engine_id IS NULL OR p.engine_version IS NULL THEN 'the version of the engine is not stated'
        WHEN p.output_per_accelerator IS NULL THEN 'no output throughput per accelerator'
        WHEN p.in_flight IS NULL AND NOT p.is_sent_at_once
            AND (p.scenario IS NULL OR p.scenario NOT IN ('offline', 'server', 'interactive')) THEN 'the load is not stated'
        WHEN (p.isl_mean IS NULL OR p.osl_mean IS NULL) AND p.workload IS NULL
            THEN 'neither lengths nor a data set that fixes them'
    END AS excluded,
    hash(p.model_id, p.accelerator_id, p.accelerator_count, p.engine_id, p.weights, isl_mean, osl_mean, p.in_flight,
        p.scenario, p.technique, p.workload, p.is_disaggregated,
        CASE WHEN $conditions = 'equal' THEN hash(p.kv_cache, p.tensor_parallel, p.pipeline_parallel,
            p.expert_parallel, p.prefix_cache) END) AS alike
FROM operating_points p
LEFT JOIN (SELECT engine_id, version, min(released) AS released FROM engine_releases GROUP BY ALL) r
    ON r.engine_id = p.engine_id AND r.version = p.engine_version
WHERE ($model IS NULL OR p.model_id = $model) AND ($accelerator IS NULL OR p.accelerator_id = $accelerator)
    AND ($engine IS NULL OR p.engine_id = $engine);

-- [fit]
SELECT *, CASE WHEN min(engine_version) OVER (PARTITION BY series) = max(engine_version) OVER (PARTITION BY series)
    THEN 'the only version under its conditions' END AS dropped
FROM (
    -- A condition that has one value among the runs that state it does not tell series apart.
    SELECT *, hash(alike,
        CASE WHEN min(kv_cache) OVER same <> max(kv_cache) OVER same THEN coalesce(kv_cache, '') END,
        CASE WHEN min(prefix_cache) OVER same <> max(prefix_cache) OVER same THEN coalesce(prefix_cache, '') END,
        CASE WHEN min(tensor_parallel) OVER same <> max(tensor_parallel) OVER same THEN coalesce(tensor_parallel, 0) END,
        CASE WHEN min(pipeline_parallel) OVER same <> max(pipeline_parallel) OVER same THEN coalesce(pipeline_parallel, 0) END,
        CASE WHEN min(expert_parallel) OVER same <> max(expert_parallel) OVER same THEN coalesce(expert_parallel, 0) END
    ) AS series
    FROM points WHERE excluded IS NULL
    WINDOW same AS (PARTITION BY alike)
);

-- [candidates: inlined]
SELECT record_id, dropped FROM fit
UNION ALL
SELECT record_id, excluded FROM points WHERE excluded IS NOT NULL;

-- [best]
SELECT *, count(*) OVER (PARTITION BY series, engine_version) AS runs,
    list_transform(regexp_extract_all(engine_version, '[0-9]+'), lambda x: try_cast(x AS BIGINT)) AS numbers,
    list_filter([
        CASE WHEN kv_cache IS NULL THEN 'kv_cache' END,
        CASE WHEN prefix_cache IS NULL THEN 'prefix_cache' END,
        CASE WHEN tensor_parallel IS NULL THEN 'tensor_parallel' END,
        CASE WHEN pipeline_parallel IS NULL THEN 'pipeline_parallel' END,
        CASE WHEN expert_parallel IS NULL THEN 'expert_parallel' END,
        CASE WHEN client_name IS NULL THEN 'client' END,
        CASE WHEN client_version IS NULL THEN 'client_version' END
    ], lambda x: x IS NOT NULL) AS unstated
FROM fit
WHERE dropped IS NULL
QUALIFY row_number() OVER (PARTITION BY series, engine_version ORDER BY output_per_accelerator DESC, record_id) = 1;

-- [answer]
SELECT model_id, accelerator_id, accelerator_count, engine_id, weights, workload, scenario, isl_mean, osl_mean, in_flight,
    engine_version, released, measured_on, output_per_accelerator, runs,
    CASE WHEN NOT client_changed THEN output_per_accelerator / before_rate END AS factor,
    CASE WHEN changes = 0 AND before_rate IS NOT NULL THEN output_per_accelerator / first_rate END AS factor_since_first,
    CASE WHEN changes = 0 AND released > first_released
        THEN pow(output_per_accelerator / first_rate, 365.25 / (released - first_released)) END AS factor_per_year,
    CASE WHEN before_rate IS NOT NULL THEN list_filter(list_distinct(unstated || before_unstated),
        lambda x: list_contains(unstated, x) <> list_contains(before_unstated, x))
        || CASE WHEN weights IS NULL THEN ['weights'] ELSE [] END END AS not_stated,
    client_changed, record_id
FROM (
    SELECT *, count(*) FILTER (client_changed) OVER (
        PARTITION BY series ORDER BY released NULLS LAST, numbers, engine_version) AS changes
    FROM (
        SELECT *, lag(output_per_accelerator) OVER by_version AS before_rate, lag(unstated) OVER by_version AS before_unstated,
            first_value(output_per_accelerator) OVER by_version AS first_rate,
            first_value(released) OVER by_version AS first_released,
            CASE WHEN row_number() OVER by_version > 1 THEN
                coalesce(client_name <> lag(client_name) OVER by_version, false)
                OR coalesce(client_version <> lag(client_version) OVER by_version, false) END AS client_changed
        FROM best
        WINDOW by_version AS (PARTITION BY series ORDER BY released NULLS LAST, numbers, engine_version)
    )
)
ORDER BY model_id, accelerator_id, accelerator_count, engine_id, weights, workload, scenario, isl_mean, osl_mean, in_flight,
    series, released NULLS LAST, numbers, engine_version;

-- [used]
SELECT record_id FROM answer;

-- [cannot_say]
SELECT CASE
    WHEN NOT EXISTS (FROM candidates) THEN 'no benchmark is of this model, accelerator and engine'
    ELSE (SELECT format('none of the {} runs that state version, load and lengths has a second version under the same '
        || 'conditions', count(*))
        FROM fit)
END AS because
WHERE NOT EXISTS (FROM answer)
UNION ALL
SELECT format('which part of the factor is the software''s in {} of {} steps: a condition is not stated on both sides '
    || '(not_stated names it)',
    count(*) FILTER (len(not_stated) > 0), count(*))
FROM answer WHERE factor IS NOT NULL HAVING count(*) FILTER (len(not_stated) > 0) > 0
UNION ALL
SELECT 'what factor a year brings: the release days of the versions are not in the ledger'
WHERE EXISTS (FROM answer) AND NOT EXISTS (FROM answer WHERE factor_per_year IS NOT NULL);
