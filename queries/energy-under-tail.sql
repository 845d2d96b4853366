-- Least energy per token under a tail limit
--
-- Which configuration spends the least energy for an output token while the 99th percentile of the time to first token
-- stays below a limit? Ranked for each power basis, never across. (planner question P05)
--
-- Parameters:
--   model         model = none    Model record; none means every model.
--   ttft_p99_ms   number = 2000   Limit of the 99th percentile of the time to first token, in ms.
--   min_requests  integer = 100   Least number of completed requests that a 99th percentile rests on; 0 takes runs that do not
--     state it, too.
-- Columns:
--   model_id           -      Model.
--   power_basis        -      Where the power comes from.
--   workload           -      Data set, task or MLPerf benchmark, where one is named.
--   scenario           -      Arrival pattern; empty where none is stated.
--   rank               -      Place for this model, basis, workload and scenario; 1 is the answer.
--   joules_per_token   J/tok  Energy of an output token: as filed, else power over throughput.
--   recomputed         J/tok  Power over throughput of the same run, where it has both.
--   differs_percent    %      By how much the filed energy differs from that.
--   is_consistent      -      The two agree within 3 %; empty where only one is known.
--   ttft_p99_ms        ms     99th percentile of the time to first token.
--   completed          -      Completed requests; empty where the run does not state them.
--   accelerator_id     -      Accelerator.
--   accelerator_count  -      Accelerators of the run.
--   weights            -      Number format of the weights.
--   in_flight          -      Requests at once.
--   record_id          -      The run.
-- Cannot say:
--   The 99th percentile rests on too few requests, or the number of requests is not stated.
--   The basis of the power is not known, or power and latency come from different runs.
-- Dropped:
--   Runs that are not measured, superseded, retracted, or have an error.
--   Runs without energy, basis, the 99th percentile or the count, and runs above the limit.
-- Notes:
--   Runs are ranked within one workload and scenario. Lengths are told apart in steps of 5 % where both are stated; else the
--     workload fixes them.
--   A run whose filed energy and power over throughput disagree stays, and says so.

-- [candidates: inlined]
SELECT record_id, model_id, accelerator_id, accelerator_count, weights, in_flight, completed, ttft_p99_ms AS tail,
    workload, scenario,
    CASE WHEN osl_mean IS NOT NULL THEN round(ln(isl_mean) / ln(1.05)) END AS isl_step,
    CASE WHEN isl_mean IS NOT NULL THEN round(ln(osl_mean) / ln(1.05)) END AS osl_step,
    joules_per_token, power_w / nullif(output_tok_s, 0) AS recomputed, coalesce(joules_basis, power_basis) AS basis,
    CASE
        WHEN unusable IS NOT NULL THEN unusable
        WHEN model_id IS NULL THEN 'its model has no record, or is not named'
        WHEN joules_per_token IS NULL AND (power_w IS NULL OR output_tok_s IS NULL)
            THEN 'neither energy per output token nor power with throughput'
        WHEN coalesce(joules_basis, power_basis) IS NULL THEN 'the basis of the power is not known'
        WHEN ttft_p99_ms IS NULL THEN 'no 99th percentile of the time to first token in the same run'
        WHEN completed IS NULL AND $min_requests > 0 THEN 'the number of completed requests is not stated'
        WHEN completed < $min_requests THEN 'too few requests for a 99th percentile'
        WHEN ttft_p99_ms >= $ttft_p99_ms THEN 'above the limit'
    END AS dropped
FROM operating_points
WHERE ($model IS NULL OR model_id = $model)
    AND (joules_per_token IS NOT NULL OR power_w IS NOT NULL OR ttft_p99_ms IS NOT NULL);

-- [answer]
SELECT model_id, basis AS power_basis, workload, scenario,
    row_number() OVER (
        PARTITION BY model_id, basis, workload, scenario, isl_step, osl_step
        ORDER BY coalesce(joules_per_token, recomputed), tail, record_id) AS rank,
    coalesce(joules_per_token, recomputed) AS joules_per_token, recomputed,
    100 * (joules_per_token / recomputed - 1) AS differs_percent,
    abs(joules_per_token / recomputed - 1) <= 0.03 AS is_consistent,
    tail AS ttft_p99_ms, completed, accelerator_id, accelerator_count, weights, in_flight,
    record_id
FROM candidates
WHERE dropped IS NULL
ORDER BY model_id, power_basis, workload, scenario, isl_step, osl_step, rank;

-- [cannot_say]
SELECT CASE
    WHEN runs = 0 THEN 'no run has energy per output token, or power with throughput'
    WHEN with_tail = 0 THEN format('none of the {} runs with energy per output token, or power with throughput, has '
        || 'the 99th percentile of the time to first token', runs)
    WHEN counted = 0 THEN format('of {} runs with energy {} have the 99th percentile of the time to first token, and these '
        || 'state no number of completed requests or fewer than {} ({} of them state none: --min-requests 0 takes them)',
        runs, with_tail, $min_requests::BIGINT, uncounted)
    ELSE format('{} runs have energy and the 99th percentile of the time to first token over enough requests, and '
        || 'none of them is usable, names its basis and is below the limit', counted)
END AS because
FROM (
    SELECT count(*) AS runs, count(tail) AS with_tail, count(*) FILTER (tail IS NOT NULL AND completed IS NULL) AS uncounted,
        count(*) FILTER (tail IS NOT NULL AND ($min_requests = 0 OR completed >= $min_requests)) AS counted
    FROM candidates WHERE joules_per_token IS NOT NULL OR recomputed IS NOT NULL
)
WHERE NOT EXISTS (FROM answer)
UNION ALL
SELECT format('what the 99th percentile of {} runs rests on: they do not state how many requests completed', count(*))
FROM answer WHERE completed IS NULL HAVING count(*) > 0;
