-- Most throughput at a minimum speed per user
--
-- For a model on an accelerator, which configuration gives the most output tokens per second and accelerator while the
-- median user gets at least a given speed? (planner question P01)
--
-- Parameters:
--   model        model = none        Model record; none means every model.
--   accelerator  accelerator = none  Accelerator record; none means every accelerator.
--   min_speed    number = 20         Least median speed of a user, in output tokens per second.
--   speed_from   tpot|itl = tpot     What the speed is taken from: the median time per output token (or a filed speed per
--     user), or the median inter-token latency, which is the same only where every event carries one token.
-- Columns:
--   model_id                -      Model.
--   accelerator_id          -      Accelerator.
--   workload                -      Data set, task or MLPerf benchmark, where one is named.
--   scenario                -      Arrival pattern; empty where none is stated.
--   isl_mean                tok    Input tokens of a request.
--   osl_mean                tok    Output tokens of a request.
--   rank                    -      1 is the answer for its row of model, accelerator and workload; the others are the rest of the frontier.
--   output_per_accelerator  tok/s  Output tokens per second and accelerator.
--   speed                   tok/s  Median speed of a user.
--   in_flight               -      Requests at once.
--   accelerator_count       -      Accelerators of the run.
--   engine_id               -      Engine.
--   engine_version          -      Its version.
--   weights                 -      Number format of the weights.
--   technique               -      Decoding technique; empty where none is named.
--   is_disaggregated        -      Prefill and decode run in pools of their own.
--   record_id               -      The run.
-- Cannot say:
--   No single run has both throughput and speed; only rates per pool exist for split serving.
--   Runs are set against each other only where scenario, window and workload agree and lengths lie in one step of 5 %: what
--     lies further apart is never compared, and what lies near a step's end may have a row of its own.
-- Dropped:
--   Runs that are not measured, superseded, retracted, or have an error.
--   Runs without output throughput per accelerator, without the speed, slower than asked, or without a known workload.
-- Notes:
--   Total tokens never stand in for output tokens; a frontier has no point that another one beats in both figures.

-- [candidates: inlined]
SELECT record_id, model_id, accelerator_id, workload, scenario, window_kind, isl_mean,
    osl_mean, round(ln(isl_mean) / ln(1.05)) AS isl_step, round(ln(osl_mean) / ln(1.05)) AS osl_step,
    output_per_accelerator, in_flight, accelerator_count, engine_id, engine_version, weights, technique,
    is_disaggregated,
    CASE $speed_from WHEN 'itl' THEN 1000 / nullif(itl_p50_ms, 0) ELSE speed_p50 END AS speed,
    CASE
        WHEN unusable IS NOT NULL THEN unusable
        WHEN model_id IS NULL THEN 'its model has no record, or is not named'
        WHEN accelerator_id IS NULL THEN 'the exact accelerator is not stated, or there are several kinds'
        WHEN output_per_accelerator IS NULL THEN 'no output throughput per accelerator'
        WHEN speed IS NULL THEN 'no median speed of a user in the same run'
        WHEN isl_mean IS NULL AND workload IS NULL THEN 'neither input length nor a data set that fixes it'
        WHEN osl_mean IS NULL AND workload IS NULL THEN 'neither output length nor a data set that fixes it'
        WHEN speed < $min_speed THEN 'slower than asked'
    END AS dropped
FROM operating_points
WHERE ($model IS NULL OR model_id = $model) AND ($accelerator IS NULL OR accelerator_id = $accelerator);

-- [answer]
SELECT model_id, accelerator_id, workload, scenario, isl_mean, osl_mean,
    row_number() OVER (
        PARTITION BY model_id, accelerator_id, workload, scenario, window_kind, isl_step, osl_step
        ORDER BY output_per_accelerator DESC, speed DESC, record_id) AS rank,
    output_per_accelerator, speed, in_flight, accelerator_count, engine_id, engine_version, weights, technique,
    is_disaggregated, record_id
FROM (
    FROM candidates
    WHERE dropped IS NULL
    QUALIFY output_per_accelerator > coalesce(max(output_per_accelerator) OVER (
        PARTITION BY model_id, accelerator_id, workload, scenario, window_kind, isl_step, osl_step
        ORDER BY speed DESC, output_per_accelerator DESC, record_id
        ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), 0)
)
ORDER BY model_id, accelerator_id, workload, scenario, window_kind, isl_step, osl_step, rank;

-- [cannot_say]
SELECT CASE
    WHEN looked_at = 0 THEN 'no benchmark is of this model and accelerator'
    WHEN told = 0 THEN 'no single run has both output throughput and the median speed of a user'
    WHEN slow = 0 THEN format('none of the {} runs with output throughput and the median speed of a user is usable '
        || 'and names model, part and workload', told)
    ELSE format('no measured run with a known workload is as fast as asked; the fastest of {} gives {:.1f} '
        || 'tok/s', slow, fastest)
END AS because
FROM (
    SELECT count(*) AS looked_at, count(*) FILTER (output_per_accelerator IS NOT NULL AND speed IS NOT NULL) AS told,
        count(*) FILTER (dropped = 'slower than asked') AS slow,
        max(speed) FILTER (dropped = 'slower than asked') AS fastest
    FROM candidates
)
WHERE NOT EXISTS (FROM answer);
