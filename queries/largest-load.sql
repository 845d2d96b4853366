-- How many requests at once within the limits
--
-- What is the largest measured concurrency at which both the time to first token and the time per output token stay within
-- their limits? (planner question P08)
--
-- Parameters:
--   model        model = none            Model record; none means every model.
--   accelerator  accelerator = none      Accelerator record; none means every accelerator.
--   ttft_ms      number = 2000           Limit of the time to first token, in ms.
--   tpot_ms      number = 100            Limit of the time per output token, in ms.
--   percentile   p50|p95|p99 = p95       Percentile that both limits are about; a mean does not answer.
-- Columns:
--   model_id           -    Model.
--   accelerator_id     -    Accelerator.
--   accelerator_count  -    Accelerators of the runs.
--   tensor_parallel    -    Accelerators that share each layer.
--   engine_id          -    Engine.
--   engine_version     -    Its version.
--   weights            -    Number format of the weights.
--   technique          -    Decoding technique; empty where none is named.
--   workload           -    Data set, task or MLPerf benchmark, where one is named.
--   isl_mean           tok  Input tokens of a request.
--   osl_mean           tok  Output tokens of a request.
--   passes             -    Largest concurrency that was measured and stays within both limits, below the first that does not.
--   fails              -    Smallest concurrency that was measured and does not; empty where the sweep ends before one.
--   undecided          -    Concurrencies between the two that p50 and p99 do not decide.
--   note               -    What the bracket leaves open.
--   record_ids         -    Runs of the series, by concurrency.
-- Cannot say:
--   Only open-loop or burst runs exist, or neither the percentile nor one that bounds it is stated.
-- Dropped:
--   Runs that are not measured, superseded, retracted, or have an error.
--   Runs that are no closed loop, that state no concurrency, or lack the percentile of either latency.
-- Notes:
--   A run that states a concurrency and no scenario counts as a closed loop. Nothing is interpolated.
--   Where a run states no p95, its p99 and p50 decide as far as they can: what keeps to a limit at p99 does so at p95, and what
--     breaks it at p50 breaks it at p95.
--   Several runs at one concurrency pass only together. Lengths are told apart in steps of 5 %.

-- [candidates: inlined]
SELECT record_id, model_id, accelerator_id, accelerator_count, engine_id, engine_version, weights, technique, isl_mean,
    osl_mean, round(ln(isl_mean) / ln(1.05)) AS isl_step, round(ln(osl_mean) / ln(1.05)) AS osl_step,
    workload, is_disaggregated, tensor_parallel, expert_parallel, in_flight,
    -- The first keeps to the limit only if the percentile does, the second breaks it only if the percentile does.
    CASE $percentile WHEN 'p50' THEN ttft_p50_ms WHEN 'p99' THEN ttft_p99_ms
        ELSE coalesce(ttft_p95_ms, ttft_p99_ms) END AS ttft_most,
    CASE $percentile WHEN 'p50' THEN ttft_p50_ms WHEN 'p99' THEN ttft_p99_ms
        ELSE coalesce(ttft_p95_ms, ttft_p50_ms) END AS ttft_least,
    CASE $percentile WHEN 'p50' THEN tpot_p50_ms WHEN 'p99' THEN tpot_p99_ms
        ELSE coalesce(tpot_p95_ms, tpot_p99_ms) END AS tpot_most,
    CASE $percentile WHEN 'p50' THEN tpot_p50_ms WHEN 'p99' THEN tpot_p99_ms
        ELSE coalesce(tpot_p95_ms, tpot_p50_ms) END AS tpot_least,
    coalesce(scenario, 'closed_loop') = 'closed_loop' AND NOT is_sent_at_once AND in_flight_is = 'concurrency' AS is_closed,
    CASE
        WHEN unusable IS NOT NULL THEN unusable
        WHEN model_id IS NULL THEN 'its model has no record, or is not named'
        WHEN accelerator_id IS NULL THEN 'the exact accelerator is not stated, or there are several kinds'
        WHEN coalesce(scenario, 'closed_loop') <> 'closed_loop' OR is_sent_at_once THEN 'no closed loop'
        WHEN in_flight IS NULL OR in_flight_is <> 'concurrency' THEN 'no concurrency'
        WHEN coalesce(ttft_most, ttft_least) IS NULL THEN 'the percentile of the time to first token is not stated'
        WHEN coalesce(tpot_most, tpot_least) IS NULL THEN 'the percentile of the time per output token is not stated'
    END AS dropped
FROM operating_points
WHERE ($model IS NULL OR model_id = $model) AND ($accelerator IS NULL OR accelerator_id = $accelerator);

-- [levels]
SELECT model_id, accelerator_id, accelerator_count, tensor_parallel, expert_parallel, engine_id, engine_version, weights,
    technique, workload, is_disaggregated, isl_step, osl_step, in_flight, min(isl_mean) AS isl_mean,
    min(osl_mean) AS osl_mean, list(record_id ORDER BY record_id) AS record_ids,
    bool_or(ttft_least > $ttft_ms OR tpot_least > $tpot_ms) IS true AS fails,
    bool_and(coalesce(ttft_most <= $ttft_ms AND tpot_most <= $tpot_ms, false)) AS passes
FROM candidates
WHERE dropped IS NULL
GROUP BY ALL;

-- [answer]
SELECT model_id, accelerator_id, accelerator_count, tensor_parallel, engine_id, engine_version, weights, technique,
    workload, isl_mean, osl_mean, passes, fails, undecided,
    concat_ws('; ',
        CASE WHEN fails IS NULL AND len(undecided) = 0 THEN 'the sweep ends while passing' END,
        CASE WHEN passes IS NULL AND len(undecided) = 0 THEN 'the smallest load that was measured fails' END,
        CASE WHEN len(undecided) > 0 THEN 'p99 and p50 do not decide what p95 is' END) AS note,
    record_ids
FROM (
    SELECT model_id, accelerator_id, accelerator_count, tensor_parallel, engine_id, engine_version, weights, technique,
        workload, min(isl_mean) AS isl_mean, min(osl_mean) AS osl_mean,
        max(in_flight) FILTER (passes AND in_flight < coalesce(first_failure, 'infinity')) AS passes,
        any_value(first_failure) AS fails,
        coalesce(list(in_flight ORDER BY in_flight) FILTER (
            NOT passes AND NOT fails AND in_flight < coalesce(first_failure, 'infinity')), []) AS undecided,
        flatten(list(record_ids ORDER BY in_flight)) AS record_ids
    FROM (
        SELECT *, min(in_flight) FILTER (fails) OVER (
            PARTITION BY model_id, accelerator_id, accelerator_count, engine_id, engine_version, weights, technique,
                isl_step, osl_step, workload, is_disaggregated, tensor_parallel, expert_parallel) AS first_failure
        FROM levels
    )
    GROUP BY model_id, accelerator_id, accelerator_count, engine_id, engine_version, weights, technique, isl_step,
        osl_step, workload, is_disaggregated, tensor_parallel, expert_parallel
)
ORDER BY ALL;

-- [cannot_say]
SELECT CASE
    WHEN looked_at = 0 THEN 'no benchmark is of this model and accelerator'
    WHEN told = 0 THEN format('no run states the {} of both latencies, or one that bounds it; a mean does not '
        || 'answer', $percentile::VARCHAR)
    ELSE format('of {} runs that state the {} of both latencies, or one that bounds it, {} are closed loops with a '
        || 'concurrency, and none of these is usable and names model and part',
        told, $percentile::VARCHAR, closed)
END AS because
FROM (
    SELECT count(*) AS looked_at, count(*) FILTER (is_told) AS told, count(*) FILTER (is_told AND is_closed) AS closed
    FROM (
        SELECT coalesce(ttft_most, ttft_least, 0) > 0 AND coalesce(tpot_most, tpot_least, 0) > 0 AS is_told, is_closed
        FROM candidates
    )
)
WHERE NOT EXISTS (FROM answer)
UNION ALL
SELECT format('where the limit is broken in {} of {} series: no load that was measured is sure to break it',
    count(*) FILTER (fails IS NULL), count(*))
FROM answer HAVING count(*) FILTER (fails IS NULL) > 0;
