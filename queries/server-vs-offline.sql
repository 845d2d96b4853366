-- Is Offline slower than Server? A claim, checked on all rounds
--
-- The collection that the founding record comes from says that "on identical hardware the Offline-minus-Server difference is
-- negative in 5 of 9 systems measured". In how many pairs of runs on one system is it negative, by model and by round?
--
-- Parameters:
--   model  model = none  Model record; none means every model.
-- Columns:
--   level             -  all, model, or model and round: what the row counts.
--   model_id          -  Model; empty for the row of all.
--   round             -  Round of the benchmark; empty for rows of all rounds.
--   pairs             -  Pairs of an Offline and a Server run of one submission.
--   negative          -  Pairs in which Offline is slower than Server.
--   negative_percent  %  Their share.
--   lowest_percent    %  Smallest difference Offline minus Server, as a share of Offline.
--   median_percent    %  Median of that difference.
--   highest_percent   %  Largest.
--   units             -  Units of the pairs: both sides of a pair have the same.
--   is_five_of_nine   -  The row has the claim's own count, 5 negative pairs of 9.
--   finding           -  What the row says of the claim.
-- Cannot say:
--   One side has tokens per second and the other samples or queries per second: without the output lengths of the run
--     the two do not convert.
--   Which nine systems the claim counted, since it does not name them.
-- Dropped:
--   Runs without a partner of the same source, round, submitter, system, counts, model name, accuracy target and unit.
--   Pairs with an error, and pairs in which one side is not measured.
-- Notes:
--   A system that was submitted at two accuracy targets gives two pairs. Token rates are taken where a pair has them on
--     both sides, sample rates else. Queries and samples are the same count here: a query of the Server scenario has one sample.

-- [pairs]
SELECT record_id, offline_record_id, model_id, unit, offline_minus_server,
    regexp_extract(methodology, 'v[0-9]+[.][0-9]+') AS round, 100 * offline_minus_server / offline_value AS percent
FROM server_vs_offline
WHERE scenario = 'server' AND is_measured AND lint_level <> 'error' AND offline_value > 0
    AND ($model IS NULL OR model_id = $model)
QUALIFY row_number() OVER (
    PARTITION BY record_id, offline_record_id ORDER BY metric <> 'tps_aggregate', metric) = 1;

-- [used]
SELECT record_id FROM pairs UNION SELECT offline_record_id FROM pairs;

-- [scenarios]
SELECT DISTINCT methodology, system_name, model_label, scenario
FROM operating_points
WHERE scenario IN ('offline', 'server') AND methodology LIKE 'MLPerf%';

-- [candidates]
SELECT p.record_id, CASE
    WHEN p.unusable IS NOT NULL THEN p.unusable
    WHEN u.record_id IS NOT NULL THEN NULL
    WHEN p.model_id IS NULL OR p.accelerator_id IS NULL THEN 'the name of model or accelerator was not resolved'
    WHEN p.output_tok_s IS NULL AND p.samples_per_s IS NULL AND p.requests_per_s IS NULL THEN 'no throughput'
    WHEN o.scenario IS NOT NULL THEN 'the run in the other scenario has another unit, or other conditions'
    ELSE 'no run in the other scenario'
END AS dropped
FROM operating_points p
LEFT JOIN used u ON u.record_id = p.record_id
LEFT JOIN scenarios o
    ON o.methodology = p.methodology AND o.system_name = p.system_name AND o.model_label = p.model_label
    AND o.scenario = CASE p.scenario WHEN 'server' THEN 'offline' ELSE 'server' END
WHERE p.scenario IN ('offline', 'server') AND p.methodology LIKE 'MLPerf%' AND ($model IS NULL OR p.model_id = $model);

-- [counted]
SELECT CASE WHEN grouping(round) = 0 THEN 'model and round' WHEN grouping(model_id) = 0 THEN 'model' ELSE 'all' END AS level,
    model_id, round, count(*) AS pairs, count(*) FILTER (offline_minus_server < 0) AS negative,
    min(percent) AS lowest, median(percent) AS median, max(percent) AS highest,
    list(DISTINCT unit ORDER BY unit) AS units
FROM pairs
GROUP BY GROUPING SETS ((), (model_id), (model_id, round))
HAVING count(*) > 0;

-- [answer]
SELECT level, model_id, round, pairs, negative, 100 * negative / pairs AS negative_percent, lowest AS lowest_percent,
    median AS median_percent, highest AS highest_percent, units, negative = 5 AND pairs = 9 AS is_five_of_nine,
    CASE
        WHEN negative = 0 THEN 'Offline is never slower'
        WHEN 2 * negative = pairs THEN 'Offline is slower in half of the pairs'
        WHEN 2 * negative > pairs THEN 'Offline is slower in most pairs'
        ELSE 'Offline is slower in a minority of pairs'
    END || CASE WHEN level = 'all' THEN
        CASE WHEN 2 * negative > pairs THEN ': as the claim says, in most'
            ELSE ': the claim''s "5 of 9" (56 %) does not hold over all rounds' END
        || CASE WHEN EXISTS (FROM counted WHERE negative = 5 AND pairs = 9)
            THEN '; one row below has its very count' ELSE '; no model or round has its very count' END
        ELSE '' END AS finding
FROM counted
ORDER BY level <> 'all', model_id, round NULLS FIRST;

-- [cannot_say]
SELECT 'no submission has both scenarios in one unit' AS because WHERE NOT EXISTS (FROM answer)
UNION ALL
SELECT 'which nine systems the claim counted: it names neither round nor systems' WHERE EXISTS (FROM answer)
UNION ALL
SELECT format('what {} runs would show: their other scenario has another unit, or other conditions', count(*))
FROM candidates WHERE dropped LIKE 'the run in the other%' HAVING count(*) > 0;
