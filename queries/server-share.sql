-- Server as a share of offline, interactive as a share of server
--
-- For each accelerator and model, how much of the offline throughput is left under the server arrival pattern, and how much of
-- the server throughput under the interactive one? (planner question P04)
--
-- Parameters:
--   model        model = none        Model record; none means every model.
--   accelerator  accelerator = none  Accelerator record; none means every accelerator.
-- Columns:
--   model_id         -      Model.
--   accelerator_ids  -      Accelerators.
--   share            -      server/offline or interactive/server.
--   unit             -      Unit of both figures.
--   pairs            -      Pairs of runs that differ in the scenario alone.
--   lowest           ratio  Smallest share.
--   median           ratio  Median share.
--   highest          ratio  Largest share.
--   above_1_10       -      Runs of pairs whose share is above 1.10, which asks for a look.
-- Cannot say:
--   The two scenarios report different units, or different systems.
-- Dropped:
--   Runs without a partner of the same source, round, submitter, system, counts, accuracy target and unit.
--   Pairs with an error, and pairs in which one side is not measured.
-- Notes:
--   Token rates are taken where a pair has them, sample rates else; the interactive share divides two shares of one offline run.

-- [pairs]
SELECT record_id, offline_record_id, model_id, accelerator_ids, scenario, metric, unit, value, share_of_offline
FROM server_vs_offline
WHERE is_measured AND lint_level <> 'error' AND share_of_offline IS NOT NULL
    AND ($model IS NULL OR model_id = $model)
    AND ($accelerator IS NULL OR list_contains(accelerator_ids, $accelerator))
QUALIFY row_number() OVER (
    PARTITION BY record_id, offline_record_id ORDER BY metric <> 'tps_aggregate', metric) = 1;

-- [shares]
SELECT model_id, accelerator_ids, 'server/offline' AS share, unit, share_of_offline AS ratio, record_id
FROM pairs WHERE scenario = 'server'
UNION ALL
SELECT i.model_id, i.accelerator_ids, 'interactive/server', i.unit, i.value / nullif(s.value, 0), i.record_id
FROM pairs i
JOIN pairs s ON s.offline_record_id = i.offline_record_id AND s.scenario = 'server' AND s.metric = i.metric
WHERE i.scenario = 'interactive';

-- [used]
SELECT record_id FROM pairs UNION SELECT offline_record_id FROM pairs;

-- [candidates]
SELECT p.record_id, CASE
    WHEN p.unusable IS NOT NULL THEN p.unusable
    WHEN p.output_tok_s IS NULL AND p.samples_per_s IS NULL AND p.requests_per_s IS NULL THEN 'no throughput'
    WHEN u.record_id IS NULL THEN 'no run of the same system, round and unit in the other scenario'
END AS dropped
FROM operating_points p
LEFT JOIN used u ON u.record_id = p.record_id
WHERE p.scenario IN ('offline', 'server', 'interactive') AND ($model IS NULL OR p.model_id = $model)
    AND ($accelerator IS NULL OR list_contains(p.accelerator_ids, $accelerator));

-- [answer]
SELECT model_id, accelerator_ids, share, unit, count(*) AS pairs, min(ratio) AS lowest, median(ratio) AS median,
    max(ratio) AS highest, coalesce(list(record_id ORDER BY record_id) FILTER (ratio > 1.1), []) AS above_1_10
FROM shares
GROUP BY ALL
ORDER BY model_id, accelerator_ids, share DESC, unit;

-- [cannot_say]
SELECT 'no two measured runs of one system and unit differ in the scenario alone' AS because
WHERE NOT EXISTS (FROM answer)
UNION ALL
SELECT 'no interactive run has a server run of the same system beside it'
WHERE EXISTS (FROM answer) AND NOT EXISTS (FROM answer WHERE share = 'interactive/server');
