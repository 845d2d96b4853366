-- Every version of every result, oldest first: the one that stands and those that stood before.
CREATE VIEW value_history AS
SELECT
    h.record_id AS record_id, -- Benchmark record.
    h.result_index AS result_index, -- Place among the results of the record at that time.
    h.valid_from AS valid_from, -- First day at whose end this stood; empty where the log begins without a day.
    h.valid_until AS valid_until, -- Day at whose end it stood no more; empty where it still stands.
    h.metric AS metric, -- Metric at that time.
    h.statistic AS statistic, -- Statistic at that time.
    h.value AS value, -- The number, in unit.
    h.unit AS unit, -- The metric's own unit; empty where metric and filed unit did not go together.
    h.filed_value AS filed_value, -- The number as filed.
    h.filed_unit AS filed_unit, -- The unit as filed.
    h.scope AS scope, -- What the number was counted per.
    h.token_kind AS token_kind, -- Which tokens were counted.
    h.bound AS bound, -- Bound at that time.
    h.is_point AS is_point, -- The value stood as a point.
    h.status AS status, -- Status of the record at that time.
    h.model_id AS model_id, -- Model at that time.
    h.engine_id AS engine_id, -- Engine at that time.
    h.engine_version AS engine_version, -- Version of the engine at that time.
    h.accelerator_ids AS accelerator_ids, -- Accelerators at that time.
    h.technique AS technique -- Decoding technique at that time.
FROM (
    SELECT record_id, result_index, valid_from, valid_until, metric, statistic, value, unit, filed_value, filed_unit,
        scope, token_kind, bound, is_point, status, model_id, engine_id, engine_version, accelerator_ids, technique
    FROM past_results
    UNION ALL
    SELECT r.record_id, r.result_index, r.valid_from, NULL, r.metric, r.statistic, r.value, r.unit, r.filed_value,
        r.filed_unit, r.scope, r.token_kind, r.bound, r.is_point, b.status, b.model_id, b.engine_id, b.engine_version,
        b.accelerator_ids, b.technique
    FROM results r
    JOIN benchmarks b ON b.record_id = r.record_id
    WHERE r.is_replayable
) h
ORDER BY h.record_id, h.result_index, h.valid_until NULLS LAST;

-- The results as the ledger stood at the end of a day, by replay of the audit logs: SELECT * FROM as_of(DATE '2026-10-04').
-- Records that were filed later, and those whose log cannot be taken back that far, are not there.
CREATE MACRO as_of(the_day) AS TABLE
SELECT
    record_id, -- Benchmark record.
    result_index, -- Place among the results of the record on that day.
    valid_from, -- Day since which it stood like this; empty where the log begins without a day.
    metric, -- Metric on that day.
    statistic, -- Statistic on that day.
    value, -- The number, in unit.
    unit, -- The metric's own unit; empty where metric and filed unit did not go together.
    filed_value, -- The number as filed.
    filed_unit, -- The unit as filed.
    scope, -- What the number was counted per.
    token_kind, -- Which tokens were counted.
    bound, -- Bound on that day.
    is_point, -- The value stood as a point.
    status, -- Status of the record on that day.
    model_id, -- Model on that day.
    engine_id, -- Engine on that day.
    engine_version, -- Version of the engine on that day.
    accelerator_ids, -- Accelerators on that day.
    technique -- Decoding technique on that day.
FROM value_history
WHERE (valid_from IS NULL OR valid_from <= CAST(the_day AS DATE))
    AND (valid_until IS NULL OR valid_until > CAST(the_day AS DATE));

-- What was corrected, reclassified, filled in, retracted or superseded: one row for each change of each step, by day.
CREATE TABLE corrections AS
SELECT
    a.day AS day, -- Day of the step.
    a.record_id AS record_id, -- The record, of any kind.
    r.kind AS kind, -- Kind of the record.
    a.entry AS entry, -- Place of the step in the log.
    a.action AS action, -- What the step did.
    a."by" AS by_whom, -- Who did it.
    a.reason AS reason, -- Why.
    c.path AS path, -- JSON Pointer of the field that changed.
    c.result_index AS result_index, -- Result that changed, where it is one.
    c.before_json AS before_json, -- The value before, as JSON; empty where the field was added.
    c.after_json AS after_json, -- The value after, as JSON; empty where the field was removed.
    c.before_number AS before_number, -- The value before, where it was a number.
    c.after_number AS after_number, -- The value after, where it is a number.
    CASE WHEN c.before_number <> 0 THEN c.after_number / c.before_number END AS factor, -- After divided by before, for numbers.
    b.model_id AS model_id, -- Model of a benchmark.
    b.accelerator_ids AS accelerator_ids, -- Accelerators of a benchmark.
    b.superseded_by AS superseded_by, -- Record that took a benchmark's place.
    v.source_id AS source_id, -- First source that the step rests on.
    v.locator AS locator -- The place in that source.
FROM audit a
JOIN audit_changes c ON c.record_id = a.record_id AND c.entry = a.entry
JOIN records r ON r.record_id = a.record_id
LEFT JOIN benchmarks b ON b.record_id = a.record_id
LEFT JOIN (
    SELECT record_id, entry, arg_min(source_id, position) AS source_id, arg_min(locator, position) AS locator
    FROM audit_evidence
    WHERE source_id IS NOT NULL
    GROUP BY record_id, entry
) v ON v.record_id = a.record_id AND v.entry = a.entry
WHERE a.action IN ('correction', 'reclassification', 'backfill', 'retraction', 'supersession')
ORDER BY a.day, a.record_id, a.entry, c.change;

-- How much is known of each benchmark: which of the eight conditions it states, and what would recover the others.
CREATE VIEW completeness AS
SELECT
    c.record_id AS record_id, -- Benchmark record.
    count(*) FILTER (c.state = 'present') AS stated, -- How many of the eight conditions it states.
    list(c.condition ORDER BY c.condition) FILTER (c.state = 'present') AS present, -- Those it states.
    list(c.condition ORDER BY c.condition) FILTER (c.state = 'absent' AND c.reason IS DISTINCT FROM 'not_applicable') AS absent, -- Those it declares absent.
    list(c.condition ORDER BY c.condition) FILTER (c.reason = 'not_applicable' AND c.state = 'absent') AS not_applicable, -- Those that do not apply to it.
    list(c.condition ORDER BY c.condition) FILTER (c.reason = 'unrecoverable' AND c.state = 'absent') AS unrecoverable, -- Absent ones that the source cannot give any more.
    list(c.condition ORDER BY c.condition) FILTER (c.state = 'undeclared') AS undeclared, -- Those it neither states nor declares absent, which is an error.
    list(DISTINCT c.would_need) FILTER (c.state = 'absent' AND c.would_need IS NOT NULL) AS would_need -- What would recover the absent ones.
FROM conditions c
GROUP BY c.record_id;
