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
--   model_id          -      Model.
--   accelerator_id    -      Accelerator.
--   workload          -      Data set, task or MLPerf benchmark, where one is named.
--   scenario          -      Arrival pattern; empty where none is stated.
--   isl_mean          tok    Input tokens of a request.
--   osl_mean          tok    Output tokens of a request.
--   speed             tok/s  Median speed of a user on the new side.
--   rate_to           tok/s  Output rate per accelerator on the new side.
--   rate_from_low     tok/s  Least that the old side gives at this speed: its best run that is at least as fast; empty where none
--     is.
--   rate_from_high    tok/s  Most that it may give: its best run that is at least as fast as its run at the next lower speed; empty
--     where none is slower.
--   gain_low          ratio  Least gain: rate_to over rate_from_high.
--   gain_high         ratio  Most gain: rate_to over rate_from_low.
--   quality_to        -      Quality of the new side: the reference, else the share of the reference accuracy that the benchmark
--     demands of every run.
--   quality_from      -      The same for the old side.
--   kv_cache_differs  -      The key-value cache changed its format too; empty where a side does not state it.
--   engine_differs    -      Engine or version changed too.
--   record_id         -      Run of the new side.
--   from_record_ids   -      Runs of the old side, the faster first.
-- Cannot say:
--   One side has no quality reference, or the format of the key-value cache changed too.
--   The most or the least gain, where the speed lies above or below all that were measured on the old side.
-- Dropped:
--   Runs that are not measured, superseded, retracted, or have an error.
--   Runs without rate, speed or workload, in another number format, or without a quality reference where one is required.
-- Notes:
--   The gain is a bracket between measured runs of the old side, not an interpolation, and open on one side where that is not
--     measured. It takes the best of either format (a run of the new side that another one beats in rate and speed has no row),
--     so more than the format may differ. Both lengths lie within 5 %, and a limit of the power is the same on both sides.

-- [points: inlined]
SELECT record_id, model_id, accelerator_id, workload, scenario, isl_mean, osl_mean, weights, kv_cache,
    concat_ws(' ', engine_id, engine_version) AS engine, output_per_accelerator AS rate, quality_ref, accuracy_target,
    power_limit_w,
    CASE $speed_from WHEN 'itl' THEN 1000 / nullif(itl_p50_ms, 0) ELSE speed_p50 END AS speed,
    CASE
        WHEN unusable IS NOT NULL THEN unusable
        WHEN model_id IS NULL THEN 'its model has no record, or is not named'
        WHEN accelerator_id IS NULL THEN 'the exact accelerator is not stated, or there are several kinds'
        WHEN weights IS NULL OR weights NOT IN ($from, $to) THEN 'another number format of the weights, or none stated'
        WHEN output_per_accelerator IS NULL THEN 'no output throughput per accelerator'
        WHEN speed IS NULL THEN 'no median speed of a user in the same run'
        WHEN (isl_mean IS NULL OR osl_mean IS NULL) AND workload IS NULL
            THEN 'neither lengths nor a data set that fixes them'
    END AS excluded
FROM operating_points
WHERE ($model IS NULL OR model_id = $model) AND ($accelerator IS NULL OR accelerator_id = $accelerator);

-- [fit]
SELECT *, coalesce(quality_ref, format('{:.6g} % of the reference accuracy', 100 * accuracy_target)) AS quality_known,
    CASE WHEN $quality = 'required' AND quality_known IS NULL THEN 'no reference of its quality' END AS dropped
FROM points
WHERE excluded IS NULL;

-- [candidates: inlined]
SELECT record_id, dropped FROM fit
UNION ALL
SELECT record_id, excluded FROM points WHERE excluded IS NOT NULL;

-- [usable]
SELECT *, rate > coalesce(max(rate) OVER (
    PARTITION BY model_id, accelerator_id, power_limit_w, weights, workload, scenario,
        CASE WHEN osl_mean IS NOT NULL THEN round(ln(isl_mean) / ln(1.05)) END,
        CASE WHEN isl_mean IS NOT NULL THEN round(ln(osl_mean) / ln(1.05)) END
    ORDER BY speed DESC, rate DESC, record_id ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), 0) AS is_on_frontier
FROM fit WHERE dropped IS NULL;

-- [beside: inlined]
SELECT n, o
FROM (FROM usable WHERE weights = $to AND is_on_frontier) n
JOIN (FROM usable WHERE weights = $from) o
    ON o.model_id = n.model_id AND o.accelerator_id = n.accelerator_id
    AND o.workload IS NOT DISTINCT FROM n.workload AND o.scenario IS NOT DISTINCT FROM n.scenario
    AND o.power_limit_w IS NOT DISTINCT FROM n.power_limit_w
    AND coalesce(abs(o.isl_mean / n.isl_mean - 1) <= 0.05, o.isl_mean IS NULL AND n.isl_mean IS NULL)
    AND coalesce(abs(o.osl_mean / n.osl_mean - 1) <= 0.05, o.osl_mean IS NULL AND n.osl_mean IS NULL);

-- [slower]
SELECT n.record_id AS record_id, max(o.speed) AS speed FROM beside WHERE o.speed < n.speed GROUP BY ALL;

-- [paired]
SELECT n.record_id, n.model_id, n.accelerator_id, n.workload, n.scenario, n.isl_mean, n.osl_mean, n.speed, n.rate,
    n.kv_cache, n.engine, n.quality_known,
    max(o.rate) FILTER (o.speed >= n.speed) AS low,
    arg_max(o, o.rate) FILTER (o.speed >= n.speed) AS low_run,
    max(o.rate) FILTER (o.speed >= s.speed) AS high,
    arg_max(o, o.rate) FILTER (o.speed >= s.speed) AS high_run
FROM beside
LEFT JOIN slower s ON s.record_id = n.record_id
GROUP BY ALL;

-- [answer]
SELECT model_id, accelerator_id, workload, scenario, isl_mean, osl_mean, speed, rate AS rate_to, low AS rate_from_low,
    high AS rate_from_high, rate / high AS gain_low, rate / low AS gain_high, quality_known AS quality_to,
    coalesce(low_run.quality_known, high_run.quality_known) AS quality_from,
    list_bool_or([kv_cache <> low_run.kv_cache, kv_cache <> high_run.kv_cache]) AS kv_cache_differs,
    list_bool_or([engine <> low_run.engine, engine <> high_run.engine]) AS engine_differs, record_id,
    list_distinct(list_filter([low_run.record_id, high_run.record_id], lambda x: x IS NOT NULL)) AS from_record_ids
FROM paired
WHERE low IS NOT NULL OR high IS NOT NULL
ORDER BY model_id, accelerator_id, workload, scenario, isl_mean, osl_mean, speed, record_id;

-- [used]
SELECT record_id FROM answer UNION SELECT unnest(from_record_ids) FROM answer;

-- [cannot_say]
SELECT CASE
    WHEN least(before, after) = 0 THEN format('one of the two number formats has no run: {} has {}, {} has '
        || '{}', $from, before, $to, after)
    WHEN fit_before + fit_after = 0 AND unreferenced > 0
        THEN format('none of {} runs that are fit otherwise has a reference of its quality (--quality ignored '
        || 'compares throughput alone)', unreferenced)
    ELSE format('no two runs differ in the number format of the weights alone: {} with {} and {} with {} are fit, on '
        || 'other parts, power limits or workloads, or with other lengths',
        fit_before, $from, fit_after, $to)
END AS because
FROM (SELECT count(*) FILTER (weights = $from) AS before, count(*) FILTER (weights = $to) AS after FROM points),
    (SELECT count(*) FILTER (weights = $from AND dropped IS NULL) AS fit_before,
        count(*) FILTER (weights = $to AND dropped IS NULL) AS fit_after,
        count(*) FILTER (dropped IS NOT NULL) AS unreferenced FROM fit)
WHERE NOT EXISTS (FROM answer)
UNION ALL
SELECT format('what the most or the least gain is in {} of {} rows: their speed lies above or below all that were '
    || 'measured with {}',
    count(*) FILTER (gain_low IS NULL OR gain_high IS NULL), count(*), $from)
FROM answer HAVING count(*) FILTER (gain_low IS NULL OR gain_high IS NULL) > 0
UNION ALL
SELECT 'what the weights alone buy where the key-value cache changed too, or a side does not state its format'
WHERE EXISTS (FROM answer WHERE coalesce(kv_cache_differs, true));
