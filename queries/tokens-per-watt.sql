-- Tokens per watt, by kind of watt
--
-- Which accelerator gives the most output tokens per second and watt for a model, by measured accelerator power, by wall
-- power of the node and by thermal design power, and how far apart are the three for one run? (planner question P15)
--
-- Parameters:
--   model  model = none  Model record; none means every model.
-- Columns:
--   model_id           -        Model.
--   power_basis        -        Kind of watt: the basis of a measured power, or tdp (design power times number of accelerators).
--   workload           -        Data set, task or MLPerf benchmark, where one is named.
--   scenario           -        Arrival pattern; empty where none is stated.
--   weights            -        Number format of the weights.
--   isl_mean           tok      Input tokens of a request.
--   osl_mean           tok      Output tokens of a request.
--   rank               -        Place of the accelerator among those with the same model, basis, workload, scenario, format and
--     lengths.
--   ranked             -        Accelerators in that ranking.
--   accelerator_id     -        Accelerator.
--   tok_s_per_w        tok/s/W  Output tokens per second and watt, of its best run.
--   output_tok_s       tok/s    Output tokens per second of the system.
--   power_w            W        Power of the system on this basis.
--   over_tdp           ratio    Measured power over design power of the same run; empty for the tdp rows.
--   accelerator_count  -        Accelerators of the run.
--   in_flight          -        Requests at once.
--   runs               -        Runs of the accelerator in that ranking, of which this is the best.
--   record_id          -        The run.
-- Cannot say:
--   The basis is not known, or idle power is left out on one side: the record does not say.
-- Dropped:
--   Runs that are not measured, superseded, retracted, or have an error.
--   Runs without output rate of the system, and runs with neither power nor a design power and count.
-- Notes:
--   Rankings of different bases, workloads, scenarios and formats are never mixed. Lengths are told apart in steps of 5 % where
--     both are stated; else the workload fixes them. What differs between ranks is the part, its number, load and software.

-- [candidates: inlined]
SELECT record_id, output_tok_s, power_w, power_basis, tdp_w * accelerator_count AS design_w,
    hash(accelerator_id) AS part,
    hash(model_id, workload, scenario, weights, CASE WHEN osl_mean IS NOT NULL THEN round(ln(isl_mean) / ln(1.05)) END,
        CASE WHEN isl_mean IS NOT NULL THEN round(ln(osl_mean) / ln(1.05)) END) AS alike,
    CASE
        WHEN unusable IS NOT NULL THEN unusable
        WHEN model_id IS NULL THEN 'its model has no record, or is not named'
        WHEN accelerator_id IS NULL THEN 'the exact accelerator is not stated, or there are several kinds'
        WHEN output_tok_s IS NULL THEN 'no output throughput of the system'
        WHEN power_w IS NOT NULL AND power_basis IS NULL THEN 'the basis of the power is not known'
        WHEN power_w IS NULL AND design_w IS NULL THEN 'neither power nor a design power with a number of accelerators'
    END AS dropped
FROM operating_points
WHERE $model IS NULL OR model_id = $model;

-- [rates: inlined]
SELECT record_id, alike, part, power_basis AS basis, power_w, power_w / design_w AS over_tdp,
    output_tok_s / power_w AS rate
FROM candidates WHERE dropped IS NULL AND power_w > 0
UNION ALL
SELECT record_id, alike, part, 'tdp', design_w, NULL, output_tok_s / design_w
FROM candidates WHERE dropped IS NULL AND design_w > 0;

-- [best]
SELECT *, count(*) OVER (PARTITION BY alike, part, basis) AS runs
FROM rates
QUALIFY row_number() OVER (PARTITION BY alike, part, basis ORDER BY rate DESC, record_id) = 1;

-- [answer]
SELECT p.model_id, b.basis AS power_basis, p.workload, p.scenario, p.weights, p.isl_mean, p.osl_mean,
    rank() OVER (ranking ORDER BY b.rate DESC) AS rank,
    count(*) OVER ranking AS ranked, p.accelerator_id, b.rate AS tok_s_per_w, p.output_tok_s,
    b.power_w, b.over_tdp, p.accelerator_count, p.in_flight, b.runs, p.record_id
FROM best b
JOIN operating_points p ON p.record_id = b.record_id
WINDOW ranking AS (PARTITION BY b.alike, b.basis)
ORDER BY p.model_id, b.basis, p.workload, p.scenario, p.weights, min(p.isl_mean) OVER ranking,
    min(p.osl_mean) OVER ranking, rank, p.accelerator_id;

-- [used]
SELECT record_id FROM answer;

-- [cannot_say]
SELECT CASE
    WHEN NOT EXISTS (FROM candidates WHERE power_w IS NOT NULL OR design_w IS NOT NULL)
        THEN 'no run of this model states a power, or a part with a design power and its number'
    ELSE 'no measured run has output throughput, and power of a known basis or a design power'
END AS because
WHERE NOT EXISTS (FROM answer)
UNION ALL
SELECT format('which part is best in {} of {} rankings: they hold one part each',
    count(*) FILTER (ranked = 1), count(*) FILTER (rank = 1))
FROM answer HAVING count(*) FILTER (ranked = 1) > 0
UNION ALL
SELECT 'how far measured and design power lie apart: no run has both'
WHERE EXISTS (FROM answer) AND NOT EXISTS (FROM answer WHERE over_tdp IS NOT NULL);
