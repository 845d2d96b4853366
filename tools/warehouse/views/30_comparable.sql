-- The conditions of one benchmark as text, field by field, with what a difference in each means for a comparison:
-- SELECT * FROM conditions_of('some-record'). The class is must (the two sides have to agree), declared (may differ if
-- the comparison says so) or irrelevant. Lengths are compared with a tolerance, everything else exactly.
CREATE MACRO conditions_of(id) AS TABLE
SELECT
    f.field AS field, -- Name of the condition.
    f.class AS class, -- must, declared or irrelevant.
    f.value AS value -- What the record states, as text; empty where it does not.
FROM (
    SELECT unnest([
        {'field': 'model_id', 'class': 'must', 'value': b.model_id},
        {'field': 'model_revision', 'class': 'declared', 'value': b.model_revision},
        {'field': 'weights', 'class': 'must', 'value': b.weights},
        {'field': 'kv_cache', 'class': 'must', 'value': b.kv_cache},
        {'field': 'quantization', 'class': 'declared', 'value': b.quantization},
        {'field': 'scenario', 'class': 'must', 'value': b.scenario},
        {'field': 'concurrency', 'class': 'must', 'value': b.concurrency::VARCHAR},
        {'field': 'batch_size', 'class': 'must', 'value': CASE
            WHEN b.batch_size_min IS NOT NULL OR b.batch_size_max IS NOT NULL
            THEN concat(b.batch_size_min, ' to ', b.batch_size_max)
            ELSE b.batch_size::VARCHAR END},
        {'field': 'request_rate', 'class': 'must', 'value': CASE
            WHEN b.is_sent_at_once THEN 'all at once'
            WHEN b.request_rate_min IS NOT NULL OR b.request_rate_max IS NOT NULL
            THEN concat(b.request_rate_min, ' to ', b.request_rate_max)
            ELSE b.request_rate::VARCHAR END},
        {'field': 'isl_mean', 'class': 'must', 'value': b.isl_mean::VARCHAR},
        {'field': 'osl_mean', 'class': 'must', 'value': b.osl_mean::VARCHAR},
        {'field': 'sequence_length', 'class': 'must', 'value': b.sequence_length::VARCHAR},
        {'field': 'context_depth', 'class': 'must', 'value': b.context_depth::VARCHAR},
        {'field': 'dataset', 'class': 'must', 'value': b.dataset},
        {'field': 'dataset_kind', 'class': 'must', 'value': b.dataset_kind},
        {'field': 'task', 'class': 'must', 'value': b.task},
        {'field': 'ignore_eos', 'class': 'must', 'value': b.ignore_eos::VARCHAR},
        {'field': 'prefix_cache', 'class': 'must', 'value': b.prefix_cache},
        {'field': 'cache_hit_rate', 'class': 'must', 'value': b.cache_hit_rate::VARCHAR},
        {'field': 'reasoning', 'class': 'must', 'value': b.reasoning::VARCHAR},
        {'field': 'accuracy_target', 'class': 'must', 'value': b.accuracy_target::VARCHAR},
        {'field': 'temperature', 'class': 'declared', 'value': b.temperature::VARCHAR},
        {'field': 'warmup', 'class': 'must', 'value': b.warmup},
        {'field': 'window', 'class': 'must', 'value': b.window_kind},
        {'field': 'evidence', 'class': 'declared', 'value': b.evidence},
        {'field': 'accelerators', 'class': 'declared', 'value': array_to_string(list_sort(b.accelerator_ids), ', ')},
        {'field': 'accelerator_count', 'class': 'declared', 'value': b.accelerator_count::VARCHAR},
        {'field': 'nodes', 'class': 'declared', 'value': b.nodes::VARCHAR},
        {'field': 'power_limit_w', 'class': 'declared', 'value': b.power_limit_w::VARCHAR},
        {'field': 'engine', 'class': 'declared', 'value': b.engine_id},
        {'field': 'engine_version', 'class': 'declared', 'value': b.engine_version},
        {'field': 'engine_flags', 'class': 'declared', 'value': b.engine_flags},
        {'field': 'tensor_parallel', 'class': 'declared', 'value': b.tensor_parallel::VARCHAR},
        {'field': 'pipeline_parallel', 'class': 'declared', 'value': b.pipeline_parallel::VARCHAR},
        {'field': 'expert_parallel', 'class': 'declared', 'value': b.expert_parallel::VARCHAR},
        {'field': 'data_parallel', 'class': 'declared', 'value': b.data_parallel::VARCHAR},
        {'field': 'disaggregated', 'class': 'declared', 'value': b.is_disaggregated::VARCHAR},
        {'field': 'prefill_accelerators', 'class': 'declared', 'value': b.prefill_accelerators::VARCHAR},
        {'field': 'decode_accelerators', 'class': 'declared', 'value': b.decode_accelerators::VARCHAR},
        {'field': 'technique', 'class': 'declared', 'value': b.technique},
        {'field': 'gamma', 'class': 'declared', 'value': b.gamma::VARCHAR},
        {'field': 'tree_nodes', 'class': 'declared', 'value': b.tree_nodes::VARCHAR},
        {'field': 'draft_model', 'class': 'declared', 'value': b.draft_model_id},
        {'field': 'client', 'class': 'declared', 'value': b.client_name},
        {'field': 'client_version', 'class': 'declared', 'value': b.client_version},
        {'field': 'tokenizer', 'class': 'declared', 'value': b.client_tokenizer},
        {'field': 'count_side', 'class': 'declared', 'value': b.count_side},
        {'field': 'measured_on', 'class': 'irrelevant', 'value': b.measured_on::VARCHAR},
        {'field': 'measured_by', 'class': 'irrelevant', 'value': b.measured_by},
        {'field': 'host_processor', 'class': 'irrelevant', 'value': b.host_processor},
        {'field': 'driver', 'class': 'irrelevant', 'value': b.driver}
    ]) AS f
    FROM benchmarks b
    WHERE b.record_id = id
);

-- Field by field what two benchmarks say, and how the sides relate: same, differs, absent in a, absent in b. Fields that
-- neither states are left out, except those of the eight conditions, which are absent in both. Lengths within 5 % are the same,
-- as planning questions have it; the rules object to a comparison that a record declares only above 15 %.
CREATE MACRO differences(a, b) AS TABLE
SELECT
    x.field AS field, -- Name of the condition.
    x.class AS class, -- must, declared or irrelevant.
    x.value AS a_value, -- What a states.
    y.value AS b_value, -- What b states.
    CASE
        WHEN x.value IS NULL AND y.value IS NULL THEN 'absent in both'
        WHEN x.value IS NULL THEN 'absent in a'
        WHEN y.value IS NULL THEN 'absent in b'
        WHEN x.value = y.value THEN 'same'
        WHEN x.field IN ('isl_mean', 'osl_mean')
            AND abs(x.value::DOUBLE - y.value::DOUBLE) <= 0.05 * greatest(x.value::DOUBLE, y.value::DOUBLE) THEN 'same'
        ELSE 'differs'
    END AS relation -- same, differs, absent in a, absent in b, or absent in both.
FROM conditions_of(a) x
JOIN conditions_of(b) y ON y.field = x.field
WHERE x.value IS NOT NULL OR y.value IS NOT NULL
    OR x.field IN ('model_id', 'accelerators', 'isl_mean', 'osl_mean', 'engine_version', 'warmup', 'scenario');

-- The figures that two benchmarks have in common, and whether their quotient means something: the same metric, statistic,
-- power basis, window and definition, else a system's rate beside the same rate per accelerator, which converts where
-- the count of accelerators is known. a_value and b_value are after that conversion; ratio is a over b.
CREATE MACRO common_results(a, b) AS TABLE
SELECT
    metric_a, -- Metric in a.
    metric_b, -- Metric in b.
    statistic, -- Statistic of both.
    unit, -- Unit of both.
    a_value, -- Figure of a, after conversion.
    b_value, -- Figure of b, after conversion.
    conversion, -- none, or what was done.
    a_value / nullif(b_value, 0) AS ratio -- a divided by b.
FROM (
    SELECT x.metric AS metric_a, y.metric AS metric_b, x.statistic, x.unit,
        x.value * CASE WHEN x.metric <> y.metric AND x.scope = 'accelerator' THEN p.accelerator_count ELSE 1 END AS a_value,
        y.value * CASE WHEN x.metric <> y.metric AND y.scope = 'accelerator' THEN q.accelerator_count ELSE 1 END AS b_value,
        CASE WHEN x.metric <> y.metric
            THEN 'per accelerator times the number of accelerators' ELSE 'none' END AS conversion
    FROM results x
    JOIN results y
        ON y.record_id = b AND y.statistic IS NOT DISTINCT FROM x.statistic AND y.unit = x.unit
        AND y.power_basis IS NOT DISTINCT FROM x.power_basis
        AND y.window_kind IS NOT DISTINCT FROM x.window_kind
        AND y.definition_variant IS NOT DISTINCT FROM x.definition_variant
        AND y.token_kind IS NOT DISTINCT FROM x.token_kind
        AND y.draft_position IS NOT DISTINCT FROM x.draft_position
        AND (y.metric = x.metric OR (x.metric, y.metric) IN (
            ('tps_aggregate', 'output_tok_s_per_accelerator'), ('output_tok_s_per_accelerator', 'tps_aggregate'),
            ('total_tok_s', 'total_tok_s_per_accelerator'), ('total_tok_s_per_accelerator', 'total_tok_s'),
            ('input_tok_s', 'input_tok_s_per_accelerator'), ('input_tok_s_per_accelerator', 'input_tok_s'),
            ('decode_tok_s', 'decode_tok_s_per_accelerator'), ('decode_tok_s_per_accelerator', 'decode_tok_s'),
            ('power_w', 'power_w_per_accelerator'), ('power_w_per_accelerator', 'power_w')))
    JOIN benchmarks p ON p.record_id = a
    JOIN benchmarks q ON q.record_id = b
    WHERE x.record_id = a AND x.is_point AND y.is_point AND x.value IS NOT NULL AND y.value IS NOT NULL
)
WHERE a_value IS NOT NULL AND b_value IS NOT NULL;

-- May these two benchmarks be compared? One row: SELECT * FROM comparable('one', 'other'). The verdict is
-- not comparable (something that must agree differs, or no figure is in common), cannot say (a field that must agree is
-- absent on one side, or one of the eight conditions on both), comparable after conversion, or comparable. No row means that one of the ids is no benchmark.
CREATE MACRO comparable(a, b) AS TABLE
SELECT
    CASE
        WHEN len(differs) > 0 OR common = 0 THEN 'not comparable'
        WHEN len(absent) > 0 THEN 'cannot say'
        WHEN converted = common THEN 'comparable after conversion'
        ELSE 'comparable'
    END AS verdict, -- comparable, comparable after conversion, cannot say, or not comparable.
    differs, -- Fields that must agree and do not.
    absent, -- Fields that must agree and are not stated.
    varied, -- Differences that a comparison has to declare.
    common AS common_figures -- Number of figures in common.
FROM (
    SELECT
        coalesce(list(d.field ORDER BY d.field) FILTER (d.class = 'must' AND d.relation = 'differs'), []) AS differs,
        coalesce(list(d.field ORDER BY d.field) FILTER (d.class = 'must' AND starts_with(d.relation, 'absent')), []) AS absent,
        coalesce(list(d.field ORDER BY d.field) FILTER (d.class = 'declared' AND d.relation <> 'same'), []) AS varied,
        count(*) AS fields
    FROM differences(a, b) d
) f,
(SELECT count(*) AS common, count(*) FILTER (conversion <> 'none') AS converted FROM common_results(a, b)) c
WHERE f.fields > 0;
