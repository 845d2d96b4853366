-- Fewest accelerators for a request rate
--
-- How many accelerators does a given rate of requests take at least, within limits of latency? (planner question P09)
--
-- Parameters:
--   rate           number = 10        Requests per second that have to be served.
--   model          model = none       Model record; none means every model.
--   accelerator    accelerator = none Accelerator record; none means every accelerator.
--   ttft_ms        number = 2000      Limit of the time to first token, in ms.
--   tpot_ms        number = 100       Limit of the time per output token, in ms.
--   percentile     p50|p95|p99 = p99  Percentile that both limits are about.
--   input_tokens   number = none      Input length of the requests; runs within 5 % count. None means any.
--   output_tokens  number = none      Output length of the requests; runs within 5 % count. None means any.
-- Columns:
--   model_id                  -      Model.
--   accelerator_id            -      Accelerator.
--   workload                  -      Data set, task or MLPerf benchmark, where one is named.
--   scenario                  -      Arrival pattern; empty where none is stated.
--   isl_mean                  tok    Input tokens of a request; empty where the workload fixes them.
--   osl_mean                  tok    Output tokens of a request; empty where the workload fixes them.
--   accelerators              -      Accelerators without headroom.
--   accelerators_30_headroom  -      Accelerators with 30 % headroom.
--   replicas                  -      Copies of the measured deployment without headroom.
--   replica_rate              req/s  Requests per second that the measured deployment sustained.
--   replica_accelerators      -      Its accelerators.
--   ttft_ms                   ms     Its time to first token at that percentile, or one above.
--   tpot_ms                   ms     Its time per output token at that percentile, or one above.
--   is_extrapolated           -      More than the measured deployment is needed: the count rests on replication, which was not measured.
--   weights                   -      Number format of the weights.
--   prefix_cache              -      Prefix caching, where stated: with it, routing decides whether replicas scale.
--   record_id                 -      The run it rests on.
-- Cannot say:
--   Less than 95 % of the offered rate was reached; replication was never measured and routing matters.
-- Dropped:
--   Runs that are not measured, superseded, retracted, or have an error.
--   Runs without request rate, count, percentiles, or lengths or a workload that fixes them; above the limits; with other
--     lengths; or sent at once.
-- Notes:
--   For each model, accelerator, workload, scenario and step of lengths the run that needs the fewest accelerators. A step is
--     5 % wide; neighbouring steps have rows of their own.
--   Where a run states no p95, its p99 stands for it: what keeps to a limit at p99 does so at p95.
--   A sample of MLPerf's server and interactive scenarios is a request.

-- [candidates: inlined]
SELECT record_id, model_id, accelerator_id, accelerator_count, weights, prefix_cache, workload, scenario, isl_mean,
    osl_mean, round(ln(isl_mean) / ln(1.05)) AS isl_step, round(ln(osl_mean) / ln(1.05)) AS osl_step,
    coalesce(requests_per_s, samples_per_s) AS rate,
    CASE $percentile WHEN 'p50' THEN ttft_p50_ms WHEN 'p99' THEN ttft_p99_ms
        ELSE coalesce(ttft_p95_ms, ttft_p99_ms) END AS ttft,
    CASE $percentile WHEN 'p50' THEN tpot_p50_ms WHEN 'p99' THEN tpot_p99_ms
        ELSE coalesce(tpot_p95_ms, tpot_p99_ms) END AS tpot,
    CASE
        WHEN unusable IS NOT NULL THEN unusable
        WHEN is_sent_at_once OR scenario IN ('offline', 'burst') THEN 'all requests were sent at once'
        WHEN model_id IS NULL THEN 'its model has no record, or is not named'
        WHEN accelerator_id IS NULL THEN 'the exact accelerator is not stated, or there are several kinds'
        WHEN rate IS NULL OR rate <= 0 THEN 'no rate of completed requests'
        WHEN accelerator_count IS NULL THEN 'the number of accelerators is not stated'
        WHEN (isl_mean IS NULL OR osl_mean IS NULL) AND workload IS NULL
            THEN 'neither lengths nor a data set that fixes them'
        WHEN $input_tokens IS NOT NULL AND isl_mean IS NULL OR $output_tokens IS NOT NULL AND osl_mean IS NULL
            THEN 'the lengths asked for cannot be checked'
        WHEN abs(isl_mean - $input_tokens) > 0.05 * $input_tokens
            OR abs(osl_mean - $output_tokens) > 0.05 * $output_tokens THEN 'other lengths'
        WHEN ttft IS NULL OR tpot IS NULL THEN 'the percentile of a latency is not stated'
        WHEN rate < 0.95 * request_rate THEN 'less than 95 % of the offered rate was reached'
        WHEN ttft > $ttft_ms OR tpot > $tpot_ms THEN 'above the limits'
    END AS dropped
FROM operating_points
WHERE ($model IS NULL OR model_id = $model) AND ($accelerator IS NULL OR accelerator_id = $accelerator);

-- [answer]
SELECT model_id, accelerator_id, workload, scenario, isl_mean, osl_mean, replicas * accelerator_count AS accelerators,
    ceil(1.3 * $rate / rate)::BIGINT * accelerator_count AS accelerators_30_headroom, replicas,
    rate AS replica_rate, accelerator_count AS replica_accelerators, ttft AS ttft_ms, tpot AS tpot_ms,
    replicas > 1 AS is_extrapolated, weights, prefix_cache, record_id
FROM (SELECT *, ceil($rate / rate)::BIGINT AS replicas FROM candidates WHERE dropped IS NULL)
QUALIFY row_number() OVER (
    PARTITION BY model_id, accelerator_id, workload, scenario, isl_step, osl_step
    ORDER BY replicas * accelerator_count, rate DESC, record_id) = 1
ORDER BY model_id, workload, scenario, isl_mean, osl_mean, accelerators, accelerator_id;

-- [used]
SELECT record_id FROM answer;

-- [cannot_say]
SELECT CASE
    WHEN looked_at = 0 THEN 'no benchmark is of this model and accelerator'
    WHEN told = 0 THEN format('no run has a request rate and the {} of both latencies', $percentile::VARCHAR)
    ELSE format('of {} runs with a request rate and the {} of both latencies {} name model, part and number of parts, '
        || 'and none of these is usable and keeps to the limits and lengths at a rate it sustained',
        told, $percentile::VARCHAR, named)
END AS because
FROM (
    SELECT count(*) AS looked_at, count(*) FILTER (rate IS NOT NULL AND ttft IS NOT NULL AND tpot IS NOT NULL) AS told,
        count(*) FILTER (rate IS NOT NULL AND ttft IS NOT NULL AND tpot IS NOT NULL AND model_id IS NOT NULL
            AND accelerator_id IS NOT NULL AND accelerator_count IS NOT NULL) AS named
    FROM candidates
)
WHERE NOT EXISTS (FROM answer)
UNION ALL
SELECT format('how replicas scale: {} rows rest on replication that was not measured', count(*))
FROM answer WHERE is_extrapolated HAVING count(*) > 0;
