-- The price of context
--
-- How do output throughput per accelerator and the time to first token change with the input length at a fixed load, and at
-- which length has the throughput halved? (planner question P13)
--
-- Parameters:
--   model        model = none            Model record; none means every model.
--   accelerator  accelerator = none      Accelerator record; none means every accelerator.
--   lengths      measured|any = measured Whether lengths that were only asked for may stand in for measured ones.
-- Columns:
--   model_id                -      Model.
--   accelerator_id          -      Accelerator.
--   accelerator_count       -      Accelerators of the runs.
--   engine_id               -      Engine.
--   engine_version          -      Its version.
--   weights                 -      Number format of the weights.
--   in_flight               -      Requests at once; empty where all were sent at once.
--   osl_mean                tok    Output tokens of a request.
--   isl_mean                tok    Input tokens of a request.
--   output_per_accelerator  tok/s  Output rate per accelerator, the best at this length.
--   ttft_p50_ms             ms     Median time to first token.
--   share_of_1k             ratio  Rate over that of the run nearest to 1,000 input tokens (667 to 1,500); empty without one.
--   is_half                 -      The first length of the series with at most half of that rate; empty where that rate is not known.
--   is_monotone             -      The rate never rises with the length along this series.
--   lengths_are             -      measured, or asked for where one of the two lengths was only asked for.
--   record_id               -      The run.
-- Cannot say:
--   Prefix caching differs along the series, or nominal lengths stand in for measured ones.
-- Dropped:
--   Runs that are not measured, superseded, retracted, or have an error.
--   Runs without rate, version, load or lengths, with lengths that were only asked for, and series of one length.
-- Notes:
--   Along a series the output lengths lie in one step of 5 %; input lengths in one step are one length, of which the best run
--     is taken.

-- [points: inlined]
SELECT record_id, model_id, accelerator_id, accelerator_count, engine_id, engine_version, weights, in_flight, isl_mean,
    osl_mean, output_per_accelerator, ttft_p50_ms,
    CASE WHEN isl_is_measured AND osl_is_measured THEN 'measured' ELSE 'asked for' END AS lengths_are,
    CASE
        WHEN unusable IS NOT NULL THEN unusable
        WHEN model_id IS NULL THEN 'its model has no record, or is not named'
        WHEN accelerator_id IS NULL THEN 'the exact accelerator is not stated, or there are several kinds'
        WHEN output_per_accelerator IS NULL THEN 'no output throughput per accelerator'
        WHEN engine_version IS NULL THEN 'the version of the engine is not stated'
        WHEN in_flight IS NULL AND NOT is_sent_at_once THEN 'the load is not stated'
        WHEN isl_mean IS NULL OR osl_mean IS NULL THEN 'lengths are not stated'
        WHEN $lengths = 'measured' AND NOT (isl_is_measured AND osl_is_measured)
            THEN 'the lengths were asked for, not measured'
    END AS excluded,
    hash(model_id, accelerator_id, accelerator_count, engine_id, engine_version, weights, kv_cache, in_flight, scenario,
        technique, tensor_parallel, pipeline_parallel, expert_parallel, is_disaggregated, prefix_cache,
        round(ln(osl_mean) / ln(1.05))) AS series,
    round(ln(isl_mean) / ln(1.05)) AS isl_step
FROM operating_points
WHERE ($model IS NULL OR model_id = $model) AND ($accelerator IS NULL OR accelerator_id = $accelerator);

-- [fit]
SELECT *, CASE WHEN min(isl_step) OVER (PARTITION BY series) = max(isl_step) OVER (PARTITION BY series)
    THEN 'the only length under its conditions' END AS dropped
FROM points WHERE excluded IS NULL;

-- [candidates: inlined]
SELECT record_id, dropped FROM fit
UNION ALL
SELECT record_id, excluded FROM points WHERE excluded IS NOT NULL;

-- [best]
SELECT *, lag(output_per_accelerator) OVER (PARTITION BY series ORDER BY isl_mean) AS before
FROM (
    FROM fit WHERE dropped IS NULL
    QUALIFY row_number() OVER (PARTITION BY series, isl_step ORDER BY output_per_accelerator DESC, record_id) = 1
);

-- [shares]
SELECT b.*, b.output_per_accelerator / k.rate AS share, b.isl_mean >= k.isl_mean AS is_longer,
    bool_and(coalesce(b.output_per_accelerator <= b.before, true)) OVER (PARTITION BY b.series) AS is_monotone
FROM best b
LEFT JOIN (
    SELECT series, arg_min(output_per_accelerator, abs(ln(isl_mean / 1000))) AS rate,
        arg_min(isl_mean, abs(ln(isl_mean / 1000))) AS isl_mean
    FROM best WHERE isl_mean BETWEEN 667 AND 1500 GROUP BY series
) k ON k.series = b.series;

-- [answer]
SELECT model_id, accelerator_id, accelerator_count, engine_id, engine_version, weights, in_flight, osl_mean, isl_mean,
    output_per_accelerator, ttft_p50_ms, share AS share_of_1k,
    CASE WHEN share IS NOT NULL THEN coalesce(
        isl_mean = min(isl_mean) FILTER (share <= 0.5 AND is_longer) OVER (PARTITION BY series), false) END AS is_half,
    is_monotone, lengths_are, record_id
FROM shares
ORDER BY model_id, accelerator_id, accelerator_count, engine_id, engine_version, weights, in_flight, osl_mean, series,
    isl_mean;

-- [used]
SELECT record_id FROM answer;

-- [cannot_say]
SELECT CASE
    WHEN looked_at = 0 THEN 'no benchmark is of this model and accelerator'
    WHEN nominal > 0 THEN format('no series has two measured input lengths; {} runs that are fit otherwise state the '
        || 'lengths that were asked for alone (--lengths any takes them)', nominal)
    ELSE 'no series has two input lengths under otherwise equal, stated conditions'
END AS because
FROM (
    SELECT count(*) AS looked_at,
        count(*) FILTER (excluded = 'the lengths were asked for, not measured') AS nominal
    FROM points
)
WHERE NOT EXISTS (FROM answer)
UNION ALL
SELECT format('what the measured lengths were in {} of {} rows: nominal ones stand in for '
    || 'them', count(*) FILTER (lengths_are <> 'measured'), count(*))
FROM answer HAVING count(*) FILTER (lengths_are <> 'measured') > 0
UNION ALL
SELECT 'where the throughput halves: no series reaches half of its rate at 1,000 input tokens'
WHERE EXISTS (FROM answer) AND NOT EXISTS (FROM answer WHERE is_half);
