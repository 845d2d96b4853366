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
--   isl_mean                  tok    Input tokens of a request.
--   osl_mean                  tok    Output tokens of a request.
--   accelerators              -      Accelerators without headroom.
--   accelerators_30_headroom  -      Accelerators with 30 % headroom.
--   replicas                  -      Copies of the measured deployment without headroom.
--   replica_rate              req/s  Requests per second that the measured deployment sustained.
--   replica_accelerators      -      Its accelerators.
--   is_extrapolated           -      More than the measured deployment is needed: the count rests on replication, which was not measured.
--   weights                   -      Number format of the weights.
--   prefix_cache              -      Prefix caching, where stated: with it, routing decides whether replicas scale.
--   record_id                 -      The run it rests on.
-- Cannot say:
--   Less than 95 % of the offered rate was reached; replication was never measured and routing matters.
-- Dropped:
--   Runs that are not measured, superseded, retracted, or have an error.
--   Runs without request rate, count or the percentiles, above the limits, with other lengths, or sent at once.
-- Notes:
--   For each model, accelerator and pair of lengths the run that needs the fewest accelerators.

-- [candidates: inlined]
SELECT record_id, model_id, accelerator_id, accelerator_count, weights, prefix_cache, isl_mean, osl_mean,
    round(ln(isl_mean) / ln(1.05)) AS isl_step, round(ln(osl_mean) / ln(1.05)) AS osl_step, requests_per_s,
    CASE $percentile WHEN 'p50' THEN ttft_p50_ms WHEN 'p99' THEN ttft_p99_ms ELSE ttft_p95_ms END AS ttft,
    CASE $percentile WHEN 'p50' THEN tpot_p50_ms WHEN 'p99' THEN tpot_p99_ms ELSE tpot_p95_ms END AS tpot,
    CASE
        WHEN unusable IS NOT NULL THEN unusable
        WHEN model_id IS NULL OR accelerator_id IS NULL THEN 'model or accelerator is not known'
        WHEN requests_per_s IS NULL OR requests_per_s <= 0 THEN 'no rate of completed requests'
        WHEN accelerator_count IS NULL THEN 'the number of accelerators is not stated'
        WHEN isl_mean IS NULL OR osl_mean IS NULL THEN 'lengths are not stated'
        WHEN abs(isl_mean - $input_tokens) > 0.05 * $input_tokens
            OR abs(osl_mean - $output_tokens) > 0.05 * $output_tokens THEN 'other lengths'
        WHEN ttft IS NULL OR tpot IS NULL THEN 'the percentile of a latency is not stated'
        WHEN is_sent_at_once OR scenario IN ('offline', 'burst') THEN 'all requests were sent at once'
        WHEN requests_per_s < 0.95 * request_rate THEN 'less than 95 % of the offered rate was reached'
        WHEN ttft > $ttft_ms OR tpot > $tpot_ms THEN 'above the limits'
    END AS dropped
FROM operating_points
WHERE ($model IS NULL OR model_id = $model) AND ($accelerator IS NULL OR accelerator_id = $accelerator);

-- [answer]
SELECT model_id, accelerator_id, isl_mean, osl_mean, replicas * accelerator_count AS accelerators,
    ceil(1.3 * $rate / requests_per_s)::BIGINT * accelerator_count AS accelerators_30_headroom, replicas,
    requests_per_s AS replica_rate, accelerator_count AS replica_accelerators, replicas > 1 AS is_extrapolated,
    weights, prefix_cache, record_id
FROM (SELECT *, ceil($rate / requests_per_s)::BIGINT AS replicas FROM candidates WHERE dropped IS NULL)
QUALIFY row_number() OVER (
    PARTITION BY model_id, accelerator_id, isl_step, osl_step
    ORDER BY replicas * accelerator_count, requests_per_s DESC, record_id) = 1
ORDER BY model_id, isl_mean, osl_mean, accelerators, accelerator_id;

-- [cannot_say]
SELECT CASE
    WHEN NOT EXISTS (FROM candidates) THEN 'no benchmark is of this model and accelerator'
    WHEN NOT EXISTS (FROM candidates WHERE requests_per_s IS NOT NULL AND ttft IS NOT NULL AND tpot IS NOT NULL)
        THEN format('no run has a request rate and the {} of both latencies', $percentile::VARCHAR)
    ELSE 'no measured run with a known size and known lengths stays within the limits at a rate it sustained'
END AS because
WHERE NOT EXISTS (FROM answer)
UNION ALL
SELECT format('how replicas scale: {} rows rest on replication that was not measured', count(*))
FROM answer WHERE is_extrapolated HAVING count(*) > 0;
