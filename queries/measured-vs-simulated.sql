-- Measured speedups beside what cost models predict
--
-- How far is each cost model from the speedups of speculative decoding that were measured under the same conditions?
--
-- Parameters:
--   model        model = none        Model record; none means every model.
--   accelerator  accelerator = none  Accelerator record; none means any, and runs that name none.
--   cost_model   text = none         Cost model; none means every one.
-- Columns:
--   record_id                    -         Benchmark.
--   result_index                 -         Its result.
--   evidence                     -         What kind of knowledge the result is.
--   model_id                     -         Model.
--   technique                    -         Decoding technique.
--   gamma                        tok       Tokens proposed in a step.
--   load                         -         Requests in flight, else the batch.
--   acceptance_length            tok/step  Acceptance length, as the record states.
--   speedup                      ratio     Speedup of the ledger.
--   bound                        -         lower or upper where that is a limit and no point.
--   cost_model                   -         Cost model.
--   sweep_id                     -         Simulation.
--   way                          -         twin: computed for this very record; or nearest acceptance.
--   simulated_batch_size         -         Batch that was simulated.
--   simulated_acceptance_length  tok/step  Acceptance length that was simulated.
--   predicted                    ratio     Predicted speedup.
--   error                        ratio     Predicted minus measured; above 0 the model promises too much. Empty for a bound.
--   relative_percent             %         The error as a share of the measured speedup.
--   is_within_bound              -         For a bound: the prediction keeps to it.
--   assumed                      -         Conditions that the simulation had to assume.
-- Cannot say:
--   The record states no load, gamma or acceptance, or no simulation was run there.
-- Dropped:
--   Speedups without a simulated point at the same batch and gamma with an acceptance length within 5 %, and without a twin.
--   Retracted records.
-- Notes:
--   A prediction that had to assume conditions is no test of the cost model alone.

-- [answer]
SELECT record_id, result_index, evidence, model_id, technique, gamma, load, acceptance_length, speedup, bound, cost_model,
    sweep_id, way, simulated_batch_size, simulated_acceptance_length, predicted, error,
    100 * relative_error AS relative_percent, is_within_bound, assumed
FROM measured_vs_simulated
WHERE ($model IS NULL OR model_id = $model) AND ($cost_model IS NULL OR cost_model = $cost_model)
    AND ($accelerator IS NULL OR list_contains(accelerator_ids, $accelerator))
ORDER BY record_id, result_index, cost_model, sweep_id, way, point;

-- [candidates]
SELECT r.record_id, CASE
    WHEN b.status = 'retracted' THEN 'retracted'
    WHEN a.record_id IS NOT NULL THEN NULL
    WHEN coalesce(b.concurrency, b.batch_size) IS NULL THEN 'the load is a range, or not stated'
    WHEN b.gamma IS NULL THEN 'the number of proposed tokens is not stated'
    WHEN b.acceptance_length IS NULL AND NOT EXISTS (
        FROM results l WHERE l.record_id = r.record_id AND l.metric = 'acceptance_length') THEN 'the acceptance is not stated'
    ELSE 'no simulated point lies near its conditions'
END AS dropped
FROM results r
JOIN benchmarks b ON b.record_id = r.record_id
LEFT JOIN (SELECT DISTINCT record_id FROM answer) a ON a.record_id = r.record_id
WHERE r.metric = 'speedup_ratio' AND ($model IS NULL OR b.model_id = $model)
    AND ($accelerator IS NULL OR list_contains(b.accelerator_ids, $accelerator));

-- [cannot_say]
SELECT CASE
    WHEN NOT EXISTS (FROM candidates) THEN 'no record has a speedup of this model and accelerator'
    WHEN NOT EXISTS (FROM simulated) THEN 'the warehouse holds no simulation'
    ELSE 'no simulated point lies near the conditions of a measured speedup'
END AS because
WHERE NOT EXISTS (FROM answer)
UNION ALL
SELECT 'how good the cost models are: every prediction had to assume conditions that the records do not state'
WHERE EXISTS (FROM answer) AND NOT EXISTS (FROM answer WHERE len(assumed) = 0);
