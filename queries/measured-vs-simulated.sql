-- Measured speedups beside what cost models predict
--
-- How far is each cost model from the speedups of speculative decoding that were measured under the same conditions, and
-- what does it predict for a record?
--
-- Parameters:
--   model        model = none              Model record; none means every model.
--   accelerator  accelerator = none        Accelerator record; none means any, and runs that name none.
--   cost_model   text = none               Cost model; none means every one.
--   record       benchmark = none          Benchmark record; with one its predictions have rows of their own.
--   detail       summary|records = summary  Whether every prediction has a row below those that sum up.
-- Columns:
--   level              -         all: every prediction that judges a cost model; source: those of one source; set aside: of one
--     kind that does not judge; record: one prediction.
--   cost_model         -         Cost model.
--   about              -         The source of the measurements, why they are set aside, or the record.
--   predictions        -         Predictions that the row is about.
--   error_percent      %         Median size of the error, as a share of the measured speedup.
--   error_90_percent   %         Nine of ten errors are smaller.
--   bias_percent       %         Median of the signed error; above 0 the model promises too much.
--   too_high_percent   %         Share of predictions above what was measured.
--   inside_percent     %         Share of measured speedups inside the interval of their prediction.
--   assumptions        -         Conditions that were assumed for a prediction, the median.
--   result_index       -         Result of the record.
--   evidence           -         What kind of knowledge the result is.
--   model_id           -         Model.
--   technique          -         Decoding technique.
--   gamma              tok       Tokens proposed in a step.
--   load               -         Requests in flight, else the batch.
--   acceptance_length  tok/step  Acceptance length that was simulated.
--   speedup            ratio     Speedup of the ledger.
--   bound              -         lower or upper where that is a limit and no point.
--   predicted          ratio     Predicted speedup.
--   predicted_low      ratio     Lower end of its interval.
--   predicted_high     ratio     Upper end of its interval.
--   is_within_bound    -         For a bound: the prediction keeps to it.
--   sweep_id           -         Simulation.
--   way                -         twin: computed for this very record; or nearest acceptance.
--   assumed            -         Conditions that the simulation had to assume.
-- Cannot say:
--   The record states no load, gamma or acceptance, or no simulation was run there.
--   How good a cost model is by itself: where conditions were assumed, the error is that of model and assumption together.
-- Dropped:
--   Speedups without a simulated point at the same batch and gamma with an acceptance length within 5 %, and without a twin.
--   Retracted records.
-- Notes:
--   Twins of measured speedups judge a model. Set aside are bounds, results that were not measured, baselines over which some
--     speedup exceeds its acceptance length by more than 5 % (something else slowed them), and points that were simulated for
--     no record. These are the measurements of the accuracy table in docs/sweep.md, which counts a source's predictions apart
--     where their acceptance length is inferred.

-- [predictions: inlined]
SELECT *, abs(relative_error) AS size, speedup BETWEEN predicted_low AND predicted_high AS is_inside
FROM measured_vs_simulated
WHERE ($model IS NULL OR model_id = $model) AND ($cost_model IS NULL OR cost_model = $cost_model)
    AND ($accelerator IS NULL OR list_contains(accelerator_ids, $accelerator))
    AND ($record IS NULL OR record_id = $record);

-- [summed]
SELECT CASE WHEN set_aside IS NOT NULL THEN 'set aside' WHEN grouping(source_id) = 1 THEN 'all' ELSE 'source' END AS level,
    cost_model, coalesce(set_aside, CASE WHEN grouping(source_id) = 0 THEN source_id END, 'all sources') AS about,
    count(*) AS predictions,
    100 * median(size) AS error_percent, 100 * quantile_cont(size, 0.9) AS error_90_percent,
    100 * median(relative_error) AS bias_percent,
    100 * count(*) FILTER (relative_error > 0) / nullif(count(relative_error), 0) AS too_high_percent,
    100 * count(*) FILTER (is_inside) / nullif(count(is_inside) FILTER (bound IS NULL), 0) AS inside_percent,
    median(len(assumed)) AS assumptions
FROM predictions
GROUP BY GROUPING SETS ((cost_model, set_aside), (cost_model, set_aside, source_id))
HAVING grouping(source_id) = 1 OR set_aside IS NULL;

-- [answer]
SELECT level, cost_model, about, predictions, error_percent, error_90_percent, bias_percent, too_high_percent,
    inside_percent, assumptions, result_index, evidence, model_id, technique, gamma, load, acceptance_length,
    speedup, bound, predicted, predicted_low, predicted_high, is_within_bound, sweep_id, way, assumed
FROM (
    FROM summed
    UNION ALL BY NAME
    SELECT 'record' AS level, cost_model, record_id AS about, 1 AS predictions, 100 * size AS error_percent,
        100 * relative_error AS bias_percent,
        CASE WHEN bound IS NULL THEN 100 * is_inside::INTEGER END AS inside_percent,
        len(assumed) AS assumptions, result_index, evidence, model_id, technique, gamma, load,
        simulated_acceptance_length AS acceptance_length, speedup, bound, predicted, predicted_low, predicted_high,
        is_within_bound, sweep_id, way, assumed
    FROM predictions
    WHERE $detail = 'records' OR $record IS NOT NULL
)
ORDER BY list_position(['all', 'source', 'set aside', 'record'], level), CASE WHEN level <> 'all' THEN about END,
    result_index, cost_model, sweep_id, way;

-- [candidates]
SELECT f.record_id, CASE
    WHEN f.status = 'retracted' THEN 'retracted'
    WHEN p.record_id IS NOT NULL THEN NULL
    WHEN f.load IS NULL THEN 'the load is a range, or not stated'
    WHEN f.gamma IS NULL THEN 'the number of proposed tokens is not stated'
    WHEN f.acceptance_length IS NULL THEN 'the acceptance is not stated'
    ELSE 'no simulated point lies near its conditions'
END AS dropped
FROM filed_speedups f
LEFT JOIN (SELECT DISTINCT record_id FROM predictions) p ON p.record_id = f.record_id
WHERE ($model IS NULL OR f.model_id = $model) AND ($record IS NULL OR f.record_id = $record)
    AND ($accelerator IS NULL OR list_contains(f.accelerator_ids, $accelerator));

-- [cannot_say]
SELECT CASE
    WHEN NOT EXISTS (FROM candidates) THEN 'no record has a speedup of this model and accelerator'
    WHEN NOT EXISTS (FROM simulated) THEN 'the warehouse holds no simulation'
    ELSE (SELECT format('no simulated point lies near the conditions of one of the {} records with a '
        || 'speedup', count(DISTINCT record_id))
        FROM candidates)
END AS because
WHERE NOT EXISTS (FROM predictions)
UNION ALL
SELECT format('how good a cost model is by itself: {} of {} predictions had to assume conditions that the records do '
    || 'not state, {} of them at the median',
    count(*) FILTER (len(assumed) > 0), count(*), median(len(assumed))::INTEGER)
FROM predictions HAVING count(*) FILTER (len(assumed) > 0) > 0;
