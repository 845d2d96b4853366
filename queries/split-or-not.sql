-- Split or unsplit prefill and decode
--
-- At the same total number of accelerators, does serving prefill and decode from pools of their own give more output
-- tokens per second and accelerator at a given speed, and for which lengths? (planner question P06)
--
-- Parameters:
--   model        model = none        Model record; none means every model.
--   accelerator  accelerator = none  Accelerator record; none means every accelerator.
--   min_speed    number = 20         Least median speed of a user, in output tokens per second.
-- Columns:
--   model_id           -      Model.
--   accelerator_id     -      Accelerator.
--   accelerator_count  -      Accelerators on either side, all pools together.
--   weights            -      Number format of the weights.
--   scenario           -      Arrival pattern on either side; empty where none is stated.
--   workload           -      Data set or task on either side; empty where none is named.
--   isl_mean           tok    Input tokens of a request, split side.
--   osl_mean           tok    Output tokens of a request, split side.
--   split_rate         tok/s  Best output rate per accelerator of split serving at that speed.
--   unsplit_rate       tok/s  Best output rate per accelerator of unsplit serving at that speed.
--   ratio              ratio  The first over the second; below 1 splitting loses.
--   split_runs         -      Runs of split serving that were fast enough.
--   unsplit_runs       -      Runs of unsplit serving that were fast enough.
--   split_record_id    -      Run of the best split rate.
--   unsplit_record_id  -      Run of the best unsplit rate.
-- Cannot say:
--   Only rates per pool are stored without the sizes of the pools, or one of the sides is missing.
-- Dropped:
--   Runs that are not measured, superseded, retracted, or have an error.
--   Runs without rate, number of accelerators, lengths or speed, and runs that are slower than asked.
-- Notes:
--   Lengths of the two sides agree within 5 %. The total of a split run is the sum of its pools where both are stated.

-- [candidates: inlined]
SELECT record_id, model_id, accelerator_id, weights, scenario, workload, isl_mean, osl_mean, is_disaggregated, speed_p50,
    coalesce(prefill_accelerators + decode_accelerators, accelerator_count) AS total,
    coalesce(output_tok_s / total, output_per_accelerator) AS rate,
    CASE
        WHEN unusable IS NOT NULL THEN unusable
        WHEN model_id IS NULL THEN 'its model has no record, or is not named'
        WHEN accelerator_id IS NULL THEN 'the exact accelerator is not stated, or there are several kinds'
        WHEN coalesce(output_tok_s, output_per_accelerator) IS NULL THEN 'no output throughput of the system'
        WHEN total IS NULL AND is_disaggregated THEN 'the sizes of the pools are not stated'
        WHEN total IS NULL THEN 'the number of accelerators is not stated'
        WHEN isl_mean IS NULL OR osl_mean IS NULL THEN 'lengths are not stated'
        WHEN speed_p50 IS NULL THEN 'no median speed of a user in the same run'
        WHEN speed_p50 < $min_speed THEN 'slower than asked'
    END AS dropped
FROM operating_points
WHERE ($model IS NULL OR model_id = $model) AND ($accelerator IS NULL OR accelerator_id = $accelerator);

-- [split]
SELECT model_id, accelerator_id, total, weights, scenario, workload, count(*) AS runs, max(rate) AS rate,
    arg_max(record_id, rate) AS record_id, arg_max(isl_mean, rate) AS isl_mean, arg_max(osl_mean, rate) AS osl_mean
FROM candidates
WHERE dropped IS NULL AND is_disaggregated
GROUP BY model_id, accelerator_id, total, weights, scenario, workload, round(ln(isl_mean) / ln(1.05)),
    round(ln(osl_mean) / ln(1.05));

-- [answer]
SELECT * EXCLUDE (split_runs, unsplit_runs, split_record_id, unsplit_record_id), split_rate / unsplit_rate AS ratio,
    split_runs, unsplit_runs, split_record_id, unsplit_record_id
FROM (
    SELECT s.model_id, s.accelerator_id, s.total AS accelerator_count, s.weights, s.scenario, s.workload, s.isl_mean,
        s.osl_mean, s.rate AS split_rate, max(u.rate) AS unsplit_rate, s.runs AS split_runs, count(*) AS unsplit_runs,
        s.record_id AS split_record_id, arg_max(u.record_id, u.rate) AS unsplit_record_id
    FROM split s
    JOIN (FROM candidates WHERE dropped IS NULL AND NOT is_disaggregated) u
        ON u.model_id = s.model_id AND u.accelerator_id = s.accelerator_id AND u.total = s.total
        AND u.weights IS NOT DISTINCT FROM s.weights AND u.scenario IS NOT DISTINCT FROM s.scenario
        AND u.workload IS NOT DISTINCT FROM s.workload
        AND abs(u.isl_mean / s.isl_mean - 1) <= 0.05 AND abs(u.osl_mean / s.osl_mean - 1) <= 0.05
    GROUP BY ALL
)
ORDER BY model_id, accelerator_id, accelerator_count, weights, scenario, workload, isl_mean, osl_mean;

-- [used]
SELECT split_record_id AS record_id FROM answer UNION SELECT unsplit_record_id FROM answer;

-- [cannot_say]
SELECT CASE
    WHEN split = 0 THEN format('none of {} records says that it served from split pools', runs)
    WHEN fit = 0 THEN format('none of the {} split runs has throughput, pool sizes, lengths and the speed asked for', split)
    ELSE format('no unsplit run has the model, accelerator, total, weights, load and lengths of one of the {} split '
        || 'runs that are fit', fit)
END AS because
FROM (
    SELECT count(*) AS runs, count(*) FILTER (is_disaggregated) AS split,
        count(*) FILTER (is_disaggregated AND dropped IS NULL) AS fit
    FROM candidates
)
WHERE NOT EXISTS (FROM answer);
