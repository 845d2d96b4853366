-- Every speedup of speculative decoding that a record files, bounds and withdrawn ones too, with what it was taken under.
CREATE TABLE filed_speedups AS
SELECT
    r.record_id AS record_id, -- Benchmark record.
    r.result_index AS result_index, -- Its result.
    r.baseline_record_id AS baseline_record_id, -- Run without speculation, where it is a record.
    r.value AS speedup, -- Rate with speculation over rate without.
    r.bound AS bound, -- lower or upper where that is a limit and no point.
    r.lint_level AS lint_level, -- Worst level among the findings of the result that are not acknowledged, or none.
    b.status AS status, -- Status of the record.
    b.superseded_by AS superseded_by, -- Record that took this one's place.
    c.source_id AS source_id, -- First source of the record.
    b.evidence AS evidence, -- What kind of knowledge the number is.
    b.model_id AS model_id, -- Model.
    b.accelerator_ids AS accelerator_ids, -- Accelerators.
    b.engine_id AS engine_id, -- Engine.
    b.technique AS technique, -- Decoding technique.
    b.gamma AS gamma, -- Tokens proposed in a step.
    coalesce(b.concurrency, b.batch_size) AS load, -- Requests in flight, else the batch; empty where the record gives a range.
    b.sequence_length AS context, -- Tokens that each request looks back on.
    coalesce(b.acceptance_length, l.acceptance_length) AS acceptance_length -- Tokens emitted for each target pass, as the record states.
FROM results r
JOIN benchmarks b ON b.record_id = r.record_id
LEFT JOIN citations c ON c.record_id = r.record_id AND c.pointer = '/sources/0'
LEFT JOIN (
    SELECT record_id, min(value) AS acceptance_length
    FROM results
    WHERE metric = 'acceptance_length' AND is_point AND (statistic IS NULL OR statistic IN ('mean', 'unstated'))
    GROUP BY record_id
) l ON l.record_id = r.record_id
WHERE r.metric = 'speedup_ratio'
ORDER BY r.record_id, r.result_index;
