-- Software progress
--
-- Same model, accelerator, count, lengths and load: how did throughput change from engine version to engine version?
-- (planner question P11)
--
-- Parameters:
--   model        model = none        Model record; none means every model.
--   accelerator  accelerator = none  Accelerator record; none means every accelerator.
--   engine       text = none         Engine record; none means every engine.
-- Columns:
--   model_id                -      Model.
--   accelerator_id          -      Accelerator.
--   accelerator_count       -      Accelerators of the runs.
--   engine_id               -      Engine.
--   weights                 -      Number format of the weights.
--   isl_mean                tok    Input tokens of a request.
--   osl_mean                tok    Output tokens of a request.
--   in_flight               -      Requests at once; empty where all were sent at once.
--   engine_version          -      Version of the engine.
--   released                -      Release day of the version, where known.
--   measured_on             -      Day of the run, where known.
--   output_per_accelerator  tok/s  Output rate per accelerator, the best of the version.
--   runs                    -      Runs of the version under these conditions.
--   factor                  ratio  Over the version before.
--   factor_since_first      ratio  Over the first version of the series.
--   factor_per_year         ratio  The latter as a factor for each year between the release days.
--   client_changed          -      The load generator or its version is not that of the version before.
--   record_id               -      The run.
-- Cannot say:
--   Client or definition changed between two points: client_changed marks where, and the factor is empty.
-- Dropped:
--   Runs that are not measured, superseded, retracted, or have an error.
--   Runs without rate, version or load, and series with a single version.
-- Notes:
--   Versions are ordered by release day where the engine's record has it, else by their numbers.

-- [series]
SELECT p.record_id, p.model_id, p.accelerator_id, p.accelerator_count, p.engine_id, p.engine_version, p.weights,
    p.isl_mean, p.osl_mean, p.in_flight, p.output_per_accelerator, p.measured_on, p.client_name, p.client_version,
    coalesce(p.engine_released, r.released) AS released,
    CASE
        WHEN p.unusable IS NOT NULL THEN p.unusable
        WHEN p.model_id IS NULL OR p.accelerator_id IS NULL THEN 'model or accelerator is not known'
        WHEN p.engine_id IS NULL OR p.engine_version IS NULL THEN 'the version of the engine is not stated'
        WHEN p.output_per_accelerator IS NULL THEN 'no output throughput per accelerator'
        WHEN p.in_flight IS NULL AND NOT p.is_sent_at_once THEN 'the load is not stated'
        WHEN p.isl_mean IS NULL OR p.osl_mean IS NULL THEN 'lengths are not stated'
    END AS excluded,
    hash(p.model_id, p.accelerator_id, p.accelerator_count, p.engine_id, p.weights, p.kv_cache, p.isl_mean, p.osl_mean,
        p.in_flight, p.scenario, p.technique, p.dataset, p.tensor_parallel, p.pipeline_parallel, p.expert_parallel,
        p.is_disaggregated) AS series
FROM operating_points p
LEFT JOIN (SELECT engine_id, version, min(released) AS released FROM engine_releases GROUP BY ALL) r
    ON r.engine_id = p.engine_id AND r.version = p.engine_version
WHERE ($model IS NULL OR p.model_id = $model) AND ($accelerator IS NULL OR p.accelerator_id = $accelerator)
    AND ($engine IS NULL OR p.engine_id = $engine);

-- [candidates]
SELECT * EXCLUDE (excluded),
    CASE WHEN count(DISTINCT engine_version) OVER (PARTITION BY series) < 2
        THEN 'the only version under its conditions' END AS dropped
FROM series WHERE excluded IS NULL
UNION ALL BY NAME
SELECT record_id, excluded AS dropped FROM series WHERE excluded IS NOT NULL;

-- [best]
SELECT *, count(*) OVER (PARTITION BY series, engine_version) AS runs,
    list_transform(regexp_extract_all(engine_version, '[0-9]+'), lambda x: try_cast(x AS BIGINT)) AS numbers,
    coalesce(client_name, '') || ' ' || coalesce(client_version, '') AS client
FROM candidates
WHERE dropped IS NULL
QUALIFY row_number() OVER (PARTITION BY series, engine_version ORDER BY output_per_accelerator DESC, record_id) = 1;

-- [answer]
SELECT model_id, accelerator_id, accelerator_count, engine_id, weights, isl_mean, osl_mean, in_flight, engine_version,
    released, measured_on, output_per_accelerator, runs,
    CASE WHEN client = before_client THEN output_per_accelerator / before_rate END AS factor,
    CASE WHEN client = first_client AND before_rate IS NOT NULL THEN output_per_accelerator / first_rate END AS factor_since_first,
    CASE WHEN client = first_client AND released > first_released
        THEN pow(output_per_accelerator / first_rate, 365.25 / (released - first_released)) END AS factor_per_year,
    client <> before_client AS client_changed, record_id
FROM (
    SELECT *, lag(output_per_accelerator) OVER by_version AS before_rate, lag(client) OVER by_version AS before_client,
        first_value(output_per_accelerator) OVER by_version AS first_rate,
        first_value(client) OVER by_version AS first_client, first_value(released) OVER by_version AS first_released
    FROM best
    WINDOW by_version AS (PARTITION BY series ORDER BY released NULLS LAST, numbers, engine_version)
)
ORDER BY model_id, accelerator_id, accelerator_count, engine_id, weights, isl_mean, osl_mean, in_flight, series,
    released NULLS LAST, numbers;

-- [used]
SELECT record_id FROM answer;

-- [cannot_say]
SELECT CASE
    WHEN NOT EXISTS (FROM candidates) THEN 'no benchmark is of this model, accelerator and engine'
    ELSE 'no series has two engine versions under otherwise equal, stated conditions'
END AS because
WHERE NOT EXISTS (FROM answer)
UNION ALL
SELECT 'what factor a year brings: the release days of the versions are not in the ledger'
WHERE EXISTS (FROM answer) AND NOT EXISTS (FROM answer WHERE factor_per_year IS NOT NULL);
