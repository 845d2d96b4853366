-- What changed under my feet
--
-- Which records were corrected, reclassified, completed, superseded or retracted since a day, from which value to which, and
-- why? (planner question P14)
--
-- Parameters:
--   since        day = none          First day that counts; none means from the beginning.
--   model        model = none        Model record; none means every model, and records of other kinds.
--   accelerator  accelerator = none  Accelerator record; none means every accelerator.
-- Columns:
--   day            -      Day of the change.
--   record_id      -      The record.
--   kind           -      Kind of the record.
--   action         -      What the step did.
--   reason         -      Why.
--   path           -      JSON Pointer of the field.
--   before         -      Value before, as JSON; empty where the field was added.
--   after          -      Value after, as JSON; empty where the field was removed.
--   factor         ratio  After over before, for numbers.
--   superseded_by  -      Record that took the place of this one.
--   by_whom        -      Who did it.
--   source_id      -      First source that the step rests on.
-- Cannot say:
--   The log of a record starts when it was filed here: what its source changed before that is not in it.
-- Dropped:
--   Nothing: every step of the audit logs that changed a value counts.
-- Notes:
--   The audit log alone is asked, so withdrawn records are there too.

-- [answer]
SELECT day, record_id, kind, action, reason, path, before_json AS before, after_json AS after, factor, superseded_by,
    by_whom, source_id
FROM corrections
WHERE ($since IS NULL OR day >= $since) AND ($model IS NULL OR model_id = $model)
    AND ($accelerator IS NULL OR list_contains(accelerator_ids, $accelerator))
ORDER BY day, record_id, entry, path;

-- [candidates]
SELECT DISTINCT record_id, NULL::VARCHAR AS dropped FROM answer;

-- [cannot_say]
SELECT 'no step of the audit logs changed a value of these records in that time' AS because
WHERE NOT EXISTS (FROM answer);
