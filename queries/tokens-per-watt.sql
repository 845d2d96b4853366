-- Tokens per watt, by kind of watt
--
-- Which accelerator gives the most output tokens per second and watt for a model, by measured accelerator power, by wall
-- power of the node and by thermal design power, and how far apart are the three for one run? (planner question P15)
--
-- Parameters:
--   model  model = none  Model record; none means every model.
-- Columns:
--   model_id           -         Model.
--   power_basis        -         Kind of watt: the basis of a measured power, or tdp (design power times number of accelerators).
--   rank               -         Place of the accelerator for this model and basis.
--   accelerator_id     -         Accelerator.
--   tok_s_per_w        tok/s/W   Output tokens per second and watt, of its best run.
--   output_tok_s       tok/s     Output tokens per second of the system.
--   power_w            W         Power of the system on this basis.
--   over_tdp           ratio     Measured power over design power of the same run; empty for the tdp rows.
--   accelerator_count  -         Accelerators of the run.
--   in_flight          -         Requests at once.
--   runs               -         Runs of the accelerator on this basis.
--   record_id          -         The run.
-- Cannot say:
--   The basis is not known, or idle power is left out on one side: the record does not say.
-- Dropped:
--   Runs that are not measured, superseded, retracted, or have an error.
--   Runs without output rate of the system, and runs with neither power nor a design power and count.
-- Notes:
--   Rankings of different bases are never mixed. A workload may differ between ranks; the run says which one it had.

-- [candidates: inlined]
SELECT record_id, model_id, accelerator_id, accelerator_count, in_flight, output_tok_s, power_w, power_basis,
    tdp_w * accelerator_count AS design_w,
    CASE
        WHEN unusable IS NOT NULL THEN unusable
        WHEN model_id IS NULL OR accelerator_id IS NULL THEN 'model or accelerator is not known'
        WHEN output_tok_s IS NULL THEN 'no output throughput of the system'
        WHEN power_w IS NOT NULL AND power_basis IS NULL THEN 'the basis of the power is not known'
        WHEN power_w IS NULL AND design_w IS NULL THEN 'neither power nor a design power with a number of accelerators'
    END AS dropped
FROM operating_points
WHERE $model IS NULL OR model_id = $model;

-- [rates]
SELECT record_id, model_id, accelerator_id, accelerator_count, in_flight, output_tok_s, power_basis AS basis, power_w,
    power_w / design_w AS over_tdp, output_tok_s / power_w AS rate
FROM candidates WHERE dropped IS NULL AND power_w > 0
UNION ALL
SELECT record_id, model_id, accelerator_id, accelerator_count, in_flight, output_tok_s, 'tdp', design_w, NULL,
    output_tok_s / design_w
FROM candidates WHERE dropped IS NULL AND design_w > 0;

-- [answer]
SELECT model_id, basis AS power_basis, rank() OVER (PARTITION BY model_id, basis ORDER BY rate DESC) AS rank,
    accelerator_id, rate AS tok_s_per_w, output_tok_s, power_w, over_tdp, accelerator_count, in_flight, runs, record_id
FROM (
    SELECT *, count(*) OVER (PARTITION BY model_id, basis, accelerator_id) AS runs
    FROM rates
    QUALIFY row_number() OVER (PARTITION BY model_id, basis, accelerator_id ORDER BY rate DESC, record_id) = 1
)
ORDER BY model_id, basis, rank, accelerator_id;

-- [used]
SELECT record_id FROM answer;

-- [cannot_say]
SELECT CASE
    WHEN NOT EXISTS (FROM candidates WHERE power_w IS NOT NULL) THEN 'no run of this model states a power'
    ELSE 'no measured run has output throughput, and power of a known basis or a design power'
END AS because
WHERE NOT EXISTS (FROM answer)
UNION ALL
SELECT 'how far measured and design power lie apart: no run has both'
WHERE EXISTS (FROM answer) AND NOT EXISTS (FROM answer WHERE over_tdp IS NOT NULL);
