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
--   Lengths agree within 5 %. The total of a split run is the sum of its pools where both are stated.

-- [candidates: inlined]
SELECT record_id, model_id, accelerator_id, weights, scenario, isl_mean, osl_mean, is_disaggregated, speed_p50,
    coalesce(prefill_accelerators + decode_accelerators, accelerator_count) AS total,
    round(ln(isl_mean) / ln(1.05)) AS isl_step, round(ln(osl_mean) / ln(1.05)) AS osl_step,
    coalesce(output_tok_s / total, output_per_accelerator) AS rate,
    CASE
        WHEN unusable IS NOT NULL THEN unusable
        WHEN model_id IS NULL OR accelerator_id IS NULL THEN 'model or accelerator is not known'
        WHEN coalesce(output_tok_s, output_per_accelerator) IS NULL THEN 'no output throughput of the system'
        WHEN total IS NULL AND is_disaggregated THEN 'the sizes of the pools are not stated'
        WHEN total IS NULL THEN 'the number of accelerators is not stated'
        WHEN isl_mean IS NULL OR osl_mean IS NULL THEN 'lengths are not stated'
        WHEN speed_p50 IS NULL THEN 'no median speed of a user in the same run'
        WHEN speed_p50 < $min_speed THEN 'slower than asked'
    END AS dropped
FROM operating_points
WHERE ($model IS NULL OR model_id = $model) AND ($accelerator IS NULL OR accelerator_id = $accelerator);

-- [sides]
SELECT model_id, accelerator_id, total, weights, scenario, isl_step, osl_step, is_disaggregated, count(*) AS runs,
    max(rate) AS rate, arg_max(record_id, rate) AS record_id, arg_max(isl_mean, rate) AS isl_mean,
    arg_max(osl_mean, rate) AS osl_mean
FROM candidates
WHERE dropped IS NULL
GROUP BY ALL;

-- [answer]
SELECT s.model_id, s.accelerator_id, s.total AS accelerator_count, s.weights, s.isl_mean, s.osl_mean,
    s.rate AS split_rate, u.rate AS unsplit_rate, s.rate / u.rate AS ratio, s.runs AS split_runs,
    u.runs AS unsplit_runs, s.record_id AS split_record_id, u.record_id AS unsplit_record_id
FROM sides s
JOIN sides u ON u.model_id = s.model_id AND u.accelerator_id = s.accelerator_id AND u.total = s.total
    AND u.weights IS NOT DISTINCT FROM s.weights AND u.scenario IS NOT DISTINCT FROM s.scenario
    AND u.isl_step = s.isl_step AND u.osl_step = s.osl_step
WHERE s.is_disaggregated AND NOT u.is_disaggregated
ORDER BY s.model_id, s.accelerator_id, s.total, s.weights, s.isl_mean, s.osl_mean;

-- [used]
SELECT split_record_id AS record_id FROM answer UNION SELECT unsplit_record_id FROM answer;

-- [cannot_say]
SELECT CASE
    WHEN NOT EXISTS (FROM candidates WHERE is_disaggregated) THEN 'no record says that it served from split pools'
    WHEN NOT EXISTS (FROM candidates WHERE is_disaggregated AND dropped IS NULL)
        THEN 'no split run has throughput, pool sizes, lengths and the speed asked for'
    ELSE 'no unsplit run has the same model, accelerator, total, weights and lengths as a split one'
END AS because
WHERE NOT EXISTS (FROM answer);
