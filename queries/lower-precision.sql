-- What lower precision buys
--
-- Going from one number format of the weights to another on the same accelerator and model, how many more output tokens per
-- second and accelerator are there at equal speed per user, and at which quality? (planner question P10)
--
-- Parameters:
--   model        model = none               Model record; none means every model.
--   accelerator  accelerator = none         Accelerator record; none means every accelerator.
--   from         text = fp8                 Number format of the weights before.
--   to           text = fp4                 Number format of the weights after.
--   quality      required|ignored = required  Whether both sides need a reference of their quality.
--   speed_from   tpot|itl = tpot            What the speed is taken from: the median time per output token, or the median
--     inter-token latency.
-- Columns:
--   model_id           -      Model.
--   accelerator_id     -      Accelerator.
--   workload           -      Data set, task or MLPerf benchmark, where one is named.
--   isl_mean           tok    Input tokens of a request.
--   osl_mean           tok    Output tokens of a request.
--   speed              tok/s  Median speed of a user on the new side.
--   rate_to            tok/s  Output rate per accelerator on the new side.
--   rate_from_low      tok/s  Least that the old side gives at this speed: its best run that is at least as fast.
--   rate_from_high     tok/s  Most that it may give: its best run at the next lower speed.
--   gain_low           ratio  rate_to over rate_from_high.
--   gain_high          ratio  rate_to over rate_from_low.
--   kv_cache_differs   -      The key-value cache changed its format too; empty where a side does not state it.
--   engine_differs     -      Engine or version changed too.
--   record_id          -      Run of the new side.
--   from_record_ids    -      Runs of the old side, the faster first.
-- Cannot say:
--   One side has no quality reference, or the format of the key-value cache changed too.
--   The speed lies outside the measured frontier of the other side: nothing is extrapolated.
-- Dropped:
--   Runs that are not measured, superseded, retracted, or have an error.
--   Runs without rate, speed or workload, in another number format, or without a quality reference where one is required.
-- Notes:
--   The gain is a bracket between two measured runs of the old side, not an interpolation.

-- [candidates: inlined]
SELECT record_id, model_id, accelerator_id, workload, scenario, isl_mean, osl_mean,
    round(ln(isl_mean) / ln(1.05)) AS isl_step, round(ln(osl_mean) / ln(1.05)) AS osl_step, weights, kv_cache,
    engine_id, engine_version, output_per_accelerator AS rate,
    CASE $speed_from WHEN 'itl' THEN 1000 / nullif(itl_p50_ms, 0) ELSE speed_p50 END AS speed,
    CASE
        WHEN unusable IS NOT NULL THEN unusable
        WHEN model_id IS NULL OR accelerator_id IS NULL THEN 'model or accelerator is not known'
        WHEN weights IS NULL OR weights NOT IN ($from, $to) THEN 'another number format of the weights, or none stated'
        WHEN output_per_accelerator IS NULL THEN 'no output throughput per accelerator'
        WHEN speed IS NULL THEN 'no median speed of a user in the same run'
        WHEN (isl_mean IS NULL OR osl_mean IS NULL) AND workload IS NULL
            THEN 'neither lengths nor a data set that fixes them'
        WHEN $quality = 'required' AND quality_ref IS NULL THEN 'no reference of its quality'
    END AS dropped
FROM operating_points
WHERE ($model IS NULL OR model_id = $model) AND ($accelerator IS NULL OR accelerator_id = $accelerator);

-- [paired]
SELECT n.record_id, n.model_id, n.accelerator_id, n.workload, n.isl_mean, n.osl_mean, n.speed, n.rate, n.kv_cache,
    n.engine_id, n.engine_version, max(o.rate) FILTER (o.speed >= n.speed) AS low,
    arg_max(o.record_id, o.rate) FILTER (o.speed >= n.speed) AS low_id,
    arg_max(o.kv_cache, o.rate) FILTER (o.speed >= n.speed) AS low_kv,
    arg_max(o.engine_id || ' ' || coalesce(o.engine_version, ''), o.rate) FILTER (o.speed >= n.speed) AS low_engine,
    max(o.rate) FILTER (o.speed < n.speed) AS high_any,
    arg_max(o.rate, o.speed) FILTER (o.speed < n.speed) AS high,
    arg_max(o.record_id, o.speed) FILTER (o.speed < n.speed) AS high_id
FROM (FROM candidates WHERE dropped IS NULL AND weights = $to) n
JOIN (FROM candidates WHERE dropped IS NULL AND weights = $from) o
    ON o.model_id = n.model_id AND o.accelerator_id = n.accelerator_id
    AND o.workload IS NOT DISTINCT FROM n.workload AND o.scenario IS NOT DISTINCT FROM n.scenario
    AND o.isl_step IS NOT DISTINCT FROM n.isl_step AND o.osl_step IS NOT DISTINCT FROM n.osl_step
GROUP BY ALL;

-- [answer]
SELECT model_id, accelerator_id, workload, isl_mean, osl_mean, speed, rate AS rate_to, low AS rate_from_low,
    greatest(low, high) AS rate_from_high, rate / greatest(low, high) AS gain_low, rate / low AS gain_high,
    CASE WHEN kv_cache IS NOT NULL AND low_kv IS NOT NULL THEN kv_cache <> low_kv END AS kv_cache_differs,
    engine_id || ' ' || coalesce(engine_version, '') <> low_engine AS engine_differs,
    record_id, [low_id, high_id] AS from_record_ids
FROM paired
WHERE low IS NOT NULL AND high IS NOT NULL
ORDER BY model_id, accelerator_id, workload, isl_mean, osl_mean, speed, record_id;

-- [used]
SELECT record_id FROM answer UNION SELECT unnest(from_record_ids) FROM answer;

-- [cannot_say]
SELECT CASE
    WHEN NOT EXISTS (FROM candidates WHERE weights = $to) OR NOT EXISTS (FROM candidates WHERE weights = $from)
        THEN 'one of the two number formats has no run'
    WHEN NOT EXISTS (FROM candidates WHERE dropped IS NULL) AND $quality = 'required'
        THEN 'no run has a reference of its quality (--quality ignored compares throughput alone)'
    WHEN NOT EXISTS (FROM paired) THEN 'no two runs differ in the number format of the weights alone'
    ELSE 'no speed of the new side lies between two speeds of the old side: nothing is extrapolated'
END AS because
WHERE NOT EXISTS (FROM answer)
UNION ALL
SELECT 'what the weights alone buy where the key-value cache changed too, or a side does not state its format'
WHERE EXISTS (FROM answer WHERE coalesce(kv_cache_differs, true));
