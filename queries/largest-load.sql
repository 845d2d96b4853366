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
--   engine_id          -    Engine.
--   engine_version     -    Its version.
--   weights            -    Number format of the weights.
--   isl_mean           tok  Input tokens of a request.
--   osl_mean           tok  Output tokens of a request.
--   passes             -    Largest concurrency that was measured and stays within both limits, below the first failure.
--   fails              -    Smallest concurrency that was measured and does not; empty where the sweep ends while passing.
--   note               -    What the bracket leaves open.
--   record_ids         -    Runs of the series, by concurrency.
-- Cannot say:
--   Only open-loop or burst runs exist, or the percentile is missing.
-- Dropped:
--   Runs that are not measured, superseded, retracted, or have an error.
--   Runs that are no closed loop, that state no concurrency, or lack the percentile of either latency.
-- Notes:
--   A run that states a concurrency and no scenario counts as a closed loop. Nothing is interpolated.

-- [candidates: inlined]
SELECT record_id, model_id, accelerator_id, accelerator_count, engine_id, engine_version, weights, technique, isl_mean,
    osl_mean, round(ln(isl_mean) / ln(1.05)) AS isl_step, round(ln(osl_mean) / ln(1.05)) AS osl_step,
    workload, is_disaggregated, tensor_parallel, expert_parallel, in_flight,
    CASE $percentile WHEN 'p50' THEN ttft_p50_ms WHEN 'p99' THEN ttft_p99_ms ELSE ttft_p95_ms END AS ttft,
    CASE $percentile WHEN 'p50' THEN tpot_p50_ms WHEN 'p99' THEN tpot_p99_ms ELSE tpot_p95_ms END AS tpot,
    CASE
        WHEN unusable IS NOT NULL THEN unusable
        WHEN model_id IS NULL OR accelerator_id IS NULL THEN 'model or accelerator is not known'
        WHEN coalesce(scenario, 'closed_loop') <> 'closed_loop' OR is_sent_at_once THEN 'no closed loop'
        WHEN in_flight IS NULL OR in_flight_is <> 'concurrency' THEN 'no concurrency'
        WHEN ttft IS NULL THEN 'the percentile of the time to first token is not stated'
        WHEN tpot IS NULL THEN 'the percentile of the time per output token is not stated'
    END AS dropped
FROM operating_points
WHERE ($model IS NULL OR model_id = $model) AND ($accelerator IS NULL OR accelerator_id = $accelerator);

-- [answer]
SELECT model_id, accelerator_id, accelerator_count, engine_id, engine_version, weights, isl_mean, osl_mean, passes,
    fails,
    CASE
        WHEN fails IS NULL THEN 'the sweep ends while passing'
        WHEN passes IS NULL THEN 'the smallest load that was measured fails'
        ELSE ''
    END AS note, record_ids
FROM (
    SELECT model_id, accelerator_id, accelerator_count, engine_id, engine_version, weights,
        min(isl_mean) AS isl_mean, min(osl_mean) AS osl_mean,
        max(in_flight) FILTER (in_flight < coalesce(first_failure, 'infinity')) AS passes,
        any_value(first_failure) AS fails, list(record_id ORDER BY in_flight, record_id) AS record_ids
    FROM (
        SELECT *, min(in_flight) FILTER (ttft > $ttft_ms OR tpot > $tpot_ms) OVER (
            PARTITION BY model_id, accelerator_id, accelerator_count, engine_id, engine_version, weights, technique,
                isl_step, osl_step, workload, is_disaggregated, tensor_parallel, expert_parallel) AS first_failure
        FROM candidates WHERE dropped IS NULL
    )
    GROUP BY model_id, accelerator_id, accelerator_count, engine_id, engine_version, weights, technique, isl_step,
        osl_step, workload, is_disaggregated, tensor_parallel, expert_parallel
)
ORDER BY ALL;

-- [cannot_say]
SELECT CASE
    WHEN NOT EXISTS (FROM candidates) THEN 'no benchmark is of this model and accelerator'
    WHEN NOT EXISTS (FROM candidates WHERE ttft IS NOT NULL AND tpot IS NOT NULL)
        THEN format('no run states the {} of both latencies; a mean does not answer', $percentile::VARCHAR)
    ELSE 'only open-loop, burst or offline runs state both latencies'
END AS because
WHERE NOT EXISTS (FROM answer);
