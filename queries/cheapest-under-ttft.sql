-- Cheapest measured configuration under a first-token cap
--
-- For each model, workload and vendor, what is the lowest cost of a million output tokens with a median time to first token of at
-- most 0.5, 1, 2, 5 and 10 s and at least a given speed per user? (planner question P02)
--
-- Parameters:
--   model        model = none   Model record; none means every model.
--   prices       prices = none  Price of an hour of one accelerator, for each accelerator that may be taken.
--   price_as_of  day = none     Day on which the prices held.
--   min_speed    number = 0     Least median speed of a user, in output tokens per second; 0 asks for none.
-- Columns:
--   model_id           -        Model.
--   workload           -        Data set, task or MLPerf benchmark, where one is named.
--   scenario           -        Arrival pattern; empty where none is stated.
--   isl_mean           tok      Input tokens of a request.
--   osl_mean           tok      Output tokens of a request.
--   ttft_cap_s         s        Cap of the median time to first token.
--   vendor             -        Vendor of the accelerator.
--   cost_per_m_output  price    Cost of a million output tokens, in the currency of the prices.
--   gap_percent        %        How much dearer than the cheapest vendor at the same workload under the same cap.
--   ttft_p50_ms        ms       Median time to first token.
--   speed              tok/s    Median speed of a user.
--   output_tok_s       tok/s    Output tokens per second of the system.
--   accelerator_id     -        Accelerator.
--   accelerator_count  -        Accelerators of the run.
--   weights            -        Number format of the weights.
--   in_flight          -        Requests at once.
--   price_per_hour     price/h  Price of an hour of one accelerator, as given.
--   price_as_of        -        Day of the price, as given.
--   record_id          -        The run.
-- Cannot say:
--   No price or no day of the prices is given.
--   The time to first token comes from a burst, an offline run or an overloaded open loop.
-- Dropped:
--   Runs that are not measured, superseded, retracted, or have an error.
--   Runs without throughput, count, time to first token, speed or workload; runs in which all requests were sent at once, or less
--     than 95 % of the offered rate was reached; runs on accelerators without a price.
-- Notes:
--   Costs are set against each other within one workload and scenario, and with lengths in one step of 5 %.

-- [candidates: inlined]
SELECT record_id, model_id, vendor, accelerator_id, accelerator_count, weights, in_flight, output_tok_s, ttft_p50_ms,
    workload, scenario, isl_mean, osl_mean, round(ln(isl_mean) / ln(1.05)) AS isl_step,
    round(ln(osl_mean) / ln(1.05)) AS osl_step, speed_p50 AS speed, price_per_hour,
    accelerator_count * price_per_hour / (3600 * output_tok_s) * 1e6 AS cost,
    CASE
        WHEN unusable IS NOT NULL THEN unusable
        WHEN model_id IS NULL THEN 'its model has no record, or is not named'
        WHEN accelerator_id IS NULL THEN 'the exact accelerator is not stated, or there are several kinds'
        WHEN output_tok_s IS NULL OR output_tok_s <= 0 THEN 'no output throughput of the system'
        WHEN accelerator_count IS NULL THEN 'the number of accelerators is not stated'
        WHEN ttft_p50_ms IS NULL THEN 'no median time to first token'
        WHEN is_sent_at_once OR scenario IN ('offline', 'burst') THEN 'all requests were sent at once'
        WHEN (isl_mean IS NULL OR osl_mean IS NULL) AND workload IS NULL
            THEN 'neither lengths nor a data set that fixes them'
        WHEN coalesce(requests_per_s, samples_per_s) < 0.95 * request_rate
            THEN 'less than 95 % of the offered rate was reached'
        WHEN $min_speed > 0 AND speed_p50 IS NULL THEN 'no median speed of a user'
        WHEN speed_p50 < $min_speed THEN 'slower than asked'
        WHEN price_per_hour IS NULL THEN 'no price for the accelerator'
        WHEN $price_as_of IS NULL THEN 'the prices have no day'
    END AS dropped
FROM (SELECT *, ($prices::MAP(VARCHAR, DOUBLE))[accelerator_id] AS price_per_hour FROM operating_points)
WHERE $model IS NULL OR model_id = $model;

-- [answer]
SELECT model_id, workload, scenario, isl_mean, osl_mean, ttft_cap_s, vendor, cost AS cost_per_m_output,
    100 * (cost / min(cost) OVER (PARTITION BY model_id, workload, scenario, isl_step, osl_step, ttft_cap_s) - 1)
        AS gap_percent,
    ttft_p50_ms, speed, output_tok_s, accelerator_id, accelerator_count, weights, in_flight, price_per_hour,
    $price_as_of::DATE AS price_as_of, record_id
FROM (
    FROM candidates, (SELECT unnest([0.5, 1, 2, 5, 10])::DOUBLE AS ttft_cap_s)
    WHERE dropped IS NULL AND ttft_p50_ms <= 1000 * ttft_cap_s
    QUALIFY row_number() OVER (
        PARTITION BY model_id, workload, scenario, isl_step, osl_step, ttft_cap_s, vendor
        ORDER BY cost, ttft_p50_ms, record_id) = 1
)
ORDER BY model_id, workload, scenario, isl_step, osl_step, ttft_cap_s, cost, vendor;

-- [used]
SELECT record_id FROM answer;

-- [cannot_say]
SELECT 'no price of an accelerator hour is given, and the ledger has none (--prices)' AS because
WHERE cardinality($prices::MAP(VARCHAR, DOUBLE)) = 0
UNION ALL
SELECT 'the prices have no day (--price-as-of)'
WHERE cardinality($prices::MAP(VARCHAR, DOUBLE)) > 0 AND $price_as_of IS NULL
UNION ALL
SELECT 'no measured run on a priced accelerator has throughput and a median time to first token under steady load'
WHERE cardinality($prices::MAP(VARCHAR, DOUBLE)) > 0 AND $price_as_of IS NOT NULL AND NOT EXISTS (FROM answer);
