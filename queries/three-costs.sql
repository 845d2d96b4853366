-- Cost of a million input, output and all tokens
--
-- What do a million tokens cost, counted as input, output and all tokens, with the split stated? (planner question P07)
--
-- Parameters:
--   model        model = none        Model record; none means every model.
--   prices       prices = none       Price of an hour of one accelerator, for each accelerator.
--   price_as_of  day = none          Day on which the prices held.
-- Columns:
--   model_id           -        Model.
--   accelerator_id     -        Accelerator.
--   basis              -        split pools, or one pool.
--   cost_per_m_total   price    Cost of a million tokens, input and output together.
--   cost_per_m_input   price    Cost of a million input tokens on the prefill pool; empty for one pool.
--   cost_per_m_output  price    Cost of a million output tokens on the decode pool; empty for one pool.
--   input_share        ratio    Input tokens over all tokens.
--   accelerator_count  -        Accelerators of the run.
--   prefill            -        Accelerators of the prefill pool.
--   decode             -        Accelerators of the decode pool.
--   price_per_hour     price/h  Price of an hour of one accelerator, as given.
--   price_as_of        -        Day of the price, as given.
--   record_id          -        The run.
-- Cannot say:
--   One pool has one hour to pay: dividing it by input tokens and again by output tokens would count the hour twice, so
--     that input and output have no cost of their own there.
--   No price or no day of the prices is given.
-- Dropped:
--   Runs that are not measured, superseded, retracted, or have an error.
--   Runs without two of input, output and total rate, without count, or without a price.
-- Notes:
--   Of split pools each side pays for its own accelerators.

-- [candidates: inlined]
SELECT record_id, model_id, accelerator_id, accelerator_count, prefill_accelerators, decode_accelerators,
    coalesce(input_tok_s, total_tok_s - output_tok_s) AS input_rate, output_tok_s AS output_rate,
    coalesce(total_tok_s, input_tok_s + output_tok_s) AS total_rate,
    coalesce(prefill_accelerators + decode_accelerators, accelerator_count) AS total,
    is_disaggregated AND prefill_accelerators > 0 AND decode_accelerators > 0 AS is_split, price_per_hour,
    CASE
        WHEN unusable IS NOT NULL THEN unusable
        WHEN model_id IS NULL THEN 'its model has no record, or is not named'
        WHEN accelerator_id IS NULL THEN 'the exact accelerator is not stated, or there are several kinds'
        WHEN total_rate IS NULL OR input_rate IS NULL OR output_rate IS NULL
            THEN 'not two of input, output and total rate'
        WHEN total_rate <= 0 OR input_rate <= 0 OR output_rate <= 0 THEN 'a rate is zero'
        WHEN total IS NULL THEN 'the number of accelerators is not stated'
        WHEN price_per_hour IS NULL THEN 'no price for the accelerator'
        WHEN $price_as_of IS NULL THEN 'the prices have no day'
    END AS dropped
FROM (SELECT *, ($prices::MAP(VARCHAR, DOUBLE))[accelerator_id] AS price_per_hour FROM operating_points)
WHERE $model IS NULL OR model_id = $model;

-- [answer]
SELECT model_id, accelerator_id, CASE WHEN is_split THEN 'split pools' ELSE 'one pool' END AS basis,
    1e6 * total * price_per_hour / (3600 * total_rate) AS cost_per_m_total,
    CASE WHEN is_split THEN 1e6 * prefill_accelerators * price_per_hour / (3600 * input_rate) END AS cost_per_m_input,
    CASE WHEN is_split THEN 1e6 * decode_accelerators * price_per_hour / (3600 * output_rate) END AS cost_per_m_output,
    input_rate / total_rate AS input_share, total AS accelerator_count, prefill_accelerators AS prefill,
    decode_accelerators AS decode, price_per_hour, $price_as_of::DATE AS price_as_of, record_id
FROM candidates
WHERE dropped IS NULL
ORDER BY model_id, accelerator_id, cost_per_m_total, record_id;

-- [cannot_say]
SELECT 'no price of an accelerator hour is given, and the ledger has none (--prices)' AS because
WHERE cardinality($prices::MAP(VARCHAR, DOUBLE)) = 0
UNION ALL
SELECT 'the prices have no day (--price-as-of)'
WHERE cardinality($prices::MAP(VARCHAR, DOUBLE)) > 0 AND $price_as_of IS NULL
UNION ALL
SELECT 'no measured run on a priced accelerator has two of input, output and total rate'
WHERE cardinality($prices::MAP(VARCHAR, DOUBLE)) > 0 AND $price_as_of IS NOT NULL AND NOT EXISTS (FROM answer)
UNION ALL
SELECT format('what input and output cost apart in {} runs of one pool: their hour would be counted twice', count(*))
FROM answer WHERE basis = 'one pool' HAVING count(*) > 0;
