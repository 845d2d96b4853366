-- Each speedup of the ledger beside what each cost model predicts at the same conditions, with the signed error. A twin is a
-- point that was simulated for this very record, with the conditions that had to be assumed for it. The points of other
-- simulations are taken where batch and gamma are the same, a named model and accelerator are those of the record, and the
-- acceptance length is within 5 %: of each simulation the nearest. A record that does not state its acceptance has twins
-- only. A bound has no error.
CREATE TABLE measured_vs_simulated AS
SELECT
    m.record_id AS record_id, -- Benchmark record.
    m.result_index AS result_index, -- Its result.
    m.source_id AS source_id, -- First source of the record.
    m.evidence AS evidence, -- What kind of knowledge the result is.
    m.model_id AS model_id, -- Model.
    m.accelerator_ids AS accelerator_ids, -- Accelerators.
    m.engine_id AS engine_id, -- Engine.
    m.technique AS technique, -- Decoding technique.
    m.gamma AS gamma, -- Tokens proposed in a step.
    m.load AS load, -- Requests in flight, else the batch; empty where the record gives a range.
    m.acceptance_length AS acceptance_length, -- Tokens emitted for each target pass, as the record states.
    m.speedup AS speedup, -- Speedup of the ledger.
    m.bound AS bound, -- lower or upper where that is a limit and no point.
    s.cost_model AS cost_model, -- Cost model of the prediction.
    s.sweep_id AS sweep_id, -- Simulation.
    s.point AS point, -- Its point.
    s.way AS way, -- twin, or nearest acceptance.
    s.batch_size AS simulated_batch_size, -- Batch that was simulated.
    s.acceptance_length AS simulated_acceptance_length, -- Acceptance length that was simulated.
    s.speedup AS predicted, -- Predicted speedup.
    s.speedup_low AS predicted_low, -- Lower end of its interval.
    s.speedup_high AS predicted_high, -- Upper end of its interval.
    CASE WHEN m.bound IS NULL THEN s.speedup - m.speedup END AS error, -- Predicted minus measured; above 0 the model promises too much.
    CASE WHEN m.bound IS NULL THEN s.speedup / nullif(m.speedup, 0) - 1 END AS relative_error, -- The same as a share of the measured speedup.
    CASE m.bound WHEN 'lower' THEN s.speedup >= m.speedup WHEN 'upper' THEN s.speedup <= m.speedup END AS is_within_bound, -- For a bound: the prediction keeps to it.
    CASE
        WHEN m.bound IS NOT NULL THEN 'a bound, and no point'
        WHEN m.evidence IS DISTINCT FROM 'measured' THEN concat('the evidence is ', coalesce(m.evidence, 'not stated'))
        WHEN s.way <> 'twin' THEN 'a point that was simulated for no record'
        WHEN bool_or(s.way = 'twin' AND m.acceptance_length IS NOT NULL AND m.speedup > 1.05 * s.acceptance_length)
            OVER (PARTITION BY m.source_id, m.model_id, m.load) THEN 'the baseline was slowed by something else'
    END AS set_aside, -- Why this row does not judge the cost model; empty where it does. A speedup above 1.05 times the acceptance length shows a baseline that something else slowed, also for its neighbours of the same source, model and load.
    s.assumed AS assumed, -- Conditions that the simulation had to assume, since the record or the cost model does not have them.
    m.lint_level AS lint_level -- Worst level among the findings of the result that are not acknowledged, or none.
FROM filed_speedups m
JOIN (
    SELECT t.twin_of AS record_id, t.twin_result_index AS result_index, 'twin' AS way, t.sweep_id, t.point, t.cost_model,
        t.batch_size, t.acceptance_length, t.speedup, t.speedup_low, t.speedup_high, coalesce(t.assumed, []) AS assumed
    FROM simulated t
    WHERE t.twin_of IS NOT NULL
    UNION ALL
    SELECT n.record_id, n.result_index, 'nearest acceptance', n.sweep_id, n.point, n.cost_model, n.batch_size,
        n.acceptance_length, n.speedup, n.speedup_low, n.speedup_high, n.assumed
    FROM (
        SELECT k.record_id, k.result_index, p.* EXCLUDE (record_id, assumed),
            CASE WHEN p.model_id IS NULL THEN ['model'] ELSE [] END
                || CASE WHEN p.accelerator_id IS NULL OR k.accelerator_ids IS NULL THEN ['hardware'] ELSE [] END
                || CASE WHEN p.context IS NULL THEN ['context, which the cost model does not have']
                    WHEN k.context IS DISTINCT FROM p.context THEN [concat('context ', p.context::BIGINT)] ELSE [] END
                || CASE WHEN p.technique IS DISTINCT FROM k.technique THEN ['cost of the draft'] ELSE [] END
                || CASE WHEN k.engine_id IS NULL OR p.model_id IS NULL THEN ['engine'] ELSE [] END
                || ['precision'] AS assumed,
            row_number() OVER (
                PARTITION BY k.record_id, k.result_index, p.sweep_id, p.cost_model
                ORDER BY abs(p.acceptance_length - k.acceptance_length), p.point) AS rank
        FROM (
            FROM filed_speedups
            WHERE bound IS NULL AND acceptance_length IS NOT NULL AND superseded_by IS NULL
                AND technique IS NOT NULL AND technique <> 'autoregressive'
        ) k
        JOIN simulated p
            ON p.batch_size = k.load AND p.gamma = k.gamma AND p.twin_of IS NULL
            AND abs(p.acceptance_length / k.acceptance_length - 1) <= 0.05
            AND (p.model_id IS NULL OR p.model_id = k.model_id)
            AND (p.accelerator_id IS NULL OR list_contains(k.accelerator_ids, p.accelerator_id))
    ) n
    WHERE n.rank = 1
) s ON s.record_id = m.record_id AND (s.result_index IS NULL OR s.result_index = m.result_index)
WHERE m.status IS DISTINCT FROM 'retracted'
ORDER BY m.record_id, m.result_index, s.sweep_id, s.point;
