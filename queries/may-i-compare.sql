-- May I compare these two records?
--
-- Are two benchmarks comparable, comparable after a conversion, or not, and which conditions differ or are missing?
-- (planner question P12)
--
-- Parameters:
--   a  benchmark  The record put over the other.
--   b  benchmark  The record it is put over.
-- Columns:
--   verdict   -  comparable, comparable after conversion, not comparable, or cannot say.
--   field     -  Condition that differs or is missing.
--   class     -  must: both sides have to agree; declared: may differ if the comparison says so; irrelevant.
--   a_value   -  What a says.
--   b_value   -  What b says.
--   relation  -  differs, absent in a, absent in b, or absent in both.
-- Cannot say:
--   A condition that both sides have to agree in is not stated.
-- Dropped:
--   A record that is retracted, superseded or has an error: it is named, and compared all the same.
-- Notes:
--   `tools compare` prints the figures in common and their ratio as well.

-- [candidates]
SELECT record_id, NULL::VARCHAR AS dropped FROM benchmarks WHERE record_id IN ($a, $b);

-- [answer]
SELECT c.verdict, d.field, d.class, d.a_value, d.b_value, d.relation
FROM comparable($a, $b) c
LEFT JOIN differences($a, $b) d ON d.relation <> 'same'
ORDER BY d.class = 'irrelevant', d.class = 'declared', d.relation <> 'differs', d.field;

-- [cannot_say]
SELECT 'these conditions have to agree and are not stated: ' || array_to_string(absent, ', ') AS because
FROM comparable($a, $b)
WHERE verdict = 'cannot say'
UNION ALL
SELECT format('{} is {}', record_id, unusable) FROM operating_points
WHERE record_id IN ($a, $b) AND unusable IS NOT NULL AND unusable <> 'not measured';
