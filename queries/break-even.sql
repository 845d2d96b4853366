-- Where speculative decoding stops paying
--
-- Between which two loads does the throughput with speculation fall below that without, everything else being equal?
-- (planner question P03)
--
-- Parameters:
--   model        model = none        Model record; none means every model.
--   accelerator  accelerator = none  Accelerator record; none means any, and runs that name none.
--   technique    text = none         Decoding technique; none means every one.
-- Columns:
--   model_id              -         Model.
--   accelerator_ids       -         Accelerators.
--   engine_id             -         Engine.
--   engine_version        -         Its version.
--   technique             -         Decoding technique.
--   gamma                 tok       Tokens proposed in a step.
--   dataset               -         Data set.
--   outcome               -         crosses, pays at every load, pays at no load, or rises through 1.
--   load_low              -         Last load at which it pays, before the first crossing.
--   load_high             -         First load at which it does not.
--   speedup_low_load      ratio     Speedup at load_low.
--   speedup_high_load     ratio     Speedup at load_high.
--   acceptance_low_load   tok/step  Acceptance length at load_low, where stated.
--   acceptance_high_load  tok/step  Acceptance length at load_high, where stated.
--   points                -         Loads of the series.
--   smallest_load         -         Smallest load of the series.
--   largest_load          -         Largest load of the series.
--   acceptance_simulated  -         Some run forced its acceptance instead of letting the texts decide.
--   record_ids            -         Runs of the series, by load.
-- Cannot say:
--   A single load is known: one point has no trend.
--   The two sides differ in engine version, data set, weights or lengths.
-- Dropped:
--   Speedups whose load is a range or not stated, series of one load, superseded or retracted runs, errors.
-- Notes:
--   A load is the number of requests in flight, else the batch. The crossing is told as a bracket; nothing is interpolated.

-- [series]
FROM break_even
WHERE ($model IS NULL OR model_id = $model) AND ($technique IS NULL OR technique = $technique)
    AND ($accelerator IS NULL OR list_contains(accelerator_ids, $accelerator));

-- [used]
SELECT DISTINCT unnest(record_ids) AS record_id FROM series;

-- [candidates]
SELECT f.record_id, CASE
    WHEN f.status = 'retracted' THEN 'retracted'
    WHEN f.superseded_by IS NOT NULL THEN 'superseded'
    WHEN f.lint_level = 'error' THEN 'the rules found an error in it'
    WHEN f.bound IS NOT NULL THEN 'the value is a bound of a range, not a measured point'
    WHEN f.technique IS NULL OR f.technique = 'autoregressive' THEN 'no technique is named'
    WHEN f.load IS NULL THEN 'the load is a range, or not stated'
    WHEN u.record_id IS NULL THEN 'one load alone: nothing to pair it with along the load'
END AS dropped
FROM filed_speedups f
LEFT JOIN used u ON u.record_id = f.record_id
WHERE ($model IS NULL OR f.model_id = $model) AND ($technique IS NULL OR f.technique = $technique)
    AND ($accelerator IS NULL OR list_contains(f.accelerator_ids, $accelerator));

-- [answer]
SELECT model_id, accelerator_ids, engine_id, engine_version, technique, gamma, dataset, outcome, load_low, load_high,
    speedup_low_load, speedup_high_load, acceptance_low_load, acceptance_high_load, points, smallest_load,
    largest_load, acceptance_simulated, record_ids
FROM series
ORDER BY outcome <> 'crosses', model_id, technique, gamma, dataset, record_ids;

-- [cannot_say]
SELECT CASE
    WHEN NOT EXISTS (FROM candidates) THEN 'no record has a speedup of this model, accelerator and technique'
    ELSE 'no series has two loads under otherwise equal conditions'
END AS because
WHERE NOT EXISTS (FROM answer)
UNION ALL
SELECT 'no series crosses 1 within the loads that were measured'
WHERE EXISTS (FROM answer) AND NOT EXISTS (FROM answer WHERE outcome = 'crosses');
