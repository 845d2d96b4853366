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

-- [candidates: inlined]
SELECT record_id, CASE
    WHEN status = 'retracted' THEN 'retracted'
    WHEN superseded_by IS NOT NULL THEN 'superseded'
END AS dropped
FROM benchmarks
WHERE ($model IS NULL OR model_id = $model)
    AND ($accelerator IS NULL OR list_contains(accelerator_ids, $accelerator));

-- [counted]
SELECT c.condition, c.state, c.reason, c.would_need, count(*) AS records
FROM conditions c
-- Whoever does not count is usually few: telling them from all is quicker than finding all again.
ANTI JOIN (
    SELECT record_id FROM benchmarks
    WHERE status = 'retracted' OR superseded_by IS NOT NULL OR ($model IS NOT NULL AND model_id IS DISTINCT FROM $model)
        OR ($accelerator IS NOT NULL AND NOT coalesce(list_contains(accelerator_ids, $accelerator), false))
) k ON k.record_id = c.record_id
GROUP BY ALL;

-- [answer]
SELECT condition, coalesce(sum(records) FILTER (state = 'present'), 0)::BIGINT AS present,
    coalesce(sum(records) FILTER (state = 'absent'), 0)::BIGINT AS absent,
    coalesce(sum(records) FILTER (state = 'undeclared'), 0)::BIGINT AS undeclared,
    100 * present / sum(records) AS percent_present,
    coalesce(sum(records) FILTER (state = 'absent' AND reason = 'unrecoverable'), 0)::BIGINT AS unrecoverable,
    (list(would_need ORDER BY needed DESC, would_need) FILTER (would_need IS NOT NULL AND state = 'absent'))[1] AS would_need
FROM (
    SELECT *, sum(records) FILTER (state = 'absent') OVER (PARTITION BY condition, would_need) AS needed FROM counted
)
GROUP BY condition
ORDER BY percent_present, condition;

-- [cannot_say]
SELECT 'no benchmark is of this model and accelerator' AS because WHERE NOT EXISTS (FROM answer);
