-- What the ledger does not know
--
-- Which of the eight conditions do the records leave open, for which reason, and what would recover them?
--
-- Parameters:
--   model        model = none        Model record; none means every model.
--   accelerator  accelerator = none  Accelerator record; none means every accelerator.
-- Columns:
--   condition        -  Condition.
--   present          -  Benchmarks that state it.
--   absent           -  Benchmarks that declare it absent.
--   undeclared       -  Benchmarks that say neither, which is an error.
--   percent_present  %  Share that states it.
--   unrecoverable    -  Of the absent ones, those that no document gives any more.
--   would_need       -  What would recover it, as most of the absent ones say.
-- Cannot say:
--   There is no benchmark of this model and accelerator.
-- Dropped:
--   Retracted and superseded records.

-- [candidates]
SELECT record_id, CASE
    WHEN status = 'retracted' THEN 'retracted'
    WHEN superseded_by IS NOT NULL THEN 'superseded'
END AS dropped
FROM benchmarks
WHERE ($model IS NULL OR model_id = $model)
    AND ($accelerator IS NULL OR list_contains(accelerator_ids, $accelerator));

-- [answer]
SELECT c.condition, count(*) FILTER (c.state = 'present') AS present, count(*) FILTER (c.state = 'absent') AS absent,
    count(*) FILTER (c.state = 'undeclared') AS undeclared,
    100 * count(*) FILTER (c.state = 'present') / count(*) AS percent_present,
    count(*) FILTER (c.state = 'absent' AND c.reason = 'unrecoverable') AS unrecoverable,
    mode(c.would_need ORDER BY c.would_need) FILTER (c.state = 'absent') AS would_need
FROM conditions c
JOIN candidates k ON k.record_id = c.record_id AND k.dropped IS NULL
GROUP BY c.condition
ORDER BY percent_present, c.condition;

-- [cannot_say]
SELECT 'no benchmark is of this model and accelerator' AS because WHERE NOT EXISTS (FROM answer);
