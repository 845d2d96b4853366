-- The tables of the warehouse that rows are loaded into, in the order in which they are filled; those that follow from
-- them are in views/.
--
-- The comment above a table and the one behind each of its columns are its documentation: `tools build` puts them into
-- the database, and docs/data-dictionary.md is written from there. `@benchmark/engine/version` means that the column
-- holds that field of a record, in the words of its schema; `@record#citation/locator` a field of a definition.

-- What this file was built from: one row.
CREATE TABLE warehouse (
    layout         INTEGER NOT NULL, -- Version of these tables; a program that expects another one refuses the file.
    input_digest   VARCHAR NOT NULL, -- Digest of all that went in: records, sweeps, schemas, rules and the day of the check.
    program_digest VARCHAR NOT NULL, -- Digest of the program, its libraries and the schemas.
    has_errors     BOOLEAN NOT NULL, -- The ledger had errors and was built all the same; see lint_level and findings.
    tools_version  VARCHAR NOT NULL  -- Version of the program that wrote the file.
);

-- Content of each table but this one and warehouse: the same input gives the same hashes, whatever machine built it.
CREATE TABLE table_hashes (
    table_name   VARCHAR PRIMARY KEY, -- Name of the table.
    row_count    BIGINT NOT NULL,     -- Number of its rows.
    content_hash VARCHAR NOT NULL     -- Sum of the MD5 of its rows written as JSON, in hexadecimal; the order of rows does not matter.
);

-- Units of values, and how they convert.
CREATE TABLE units (
    unit        VARCHAR PRIMARY KEY, -- Spelling of the unit.
    title       VARCHAR NOT NULL,    -- Name of the unit.
    description VARCHAR NOT NULL,    -- What one of it is.
    dimension   VARCHAR NOT NULL,    -- Units of one dimension convert into one another.
    factor      DOUBLE NOT NULL      -- Size in the base unit of the dimension.
);

-- Metrics with the kind of their numbers.
CREATE TABLE metrics (
    metric            VARCHAR PRIMARY KEY, -- Name of the metric.
    title             VARCHAR NOT NULL,    -- The metric in a few words.
    definition        VARCHAR NOT NULL,    -- What is measured.
    unit              VARCHAR NOT NULL,    -- Unit of its values here, the first of those it may be filed in.
    scope             VARCHAR NOT NULL,    -- What the number is counted per: system, accelerator, user, batch, ...
    token_kind        VARCHAR NOT NULL,    -- Which tokens are counted: input, output, total, none, or stated in each result.
    direction         VARCHAR NOT NULL,    -- Which way is better: higher, lower or neither.
    needs_statistic   BOOLEAN NOT NULL,    -- It is a figure of a distribution, and each result says which.
    needs_power_basis BOOLEAN NOT NULL,    -- There is power in it, and each result says where that comes from.
    FOREIGN KEY (unit) REFERENCES units (unit)
);

-- Every word of the vocabulary's enumerations, with what it means.
CREATE TABLE words (
    enumeration VARCHAR,          -- Name of the enumeration: statistic, scenario, technique, status, ...
    word        VARCHAR,          -- The word as records spell it.
    title       VARCHAR NOT NULL, -- The word in a few words.
    description VARCHAR NOT NULL, -- What it means.
    position    INTEGER NOT NULL, -- Its place in the enumeration, from 0.
    PRIMARY KEY (enumeration, word)
);

-- Number formats: how many bits a value takes, and on which peak its arithmetic is billed.
CREATE TABLE precisions (
    precision  VARCHAR PRIMARY KEY, -- Name of the format.
    bits       DOUBLE,              -- Bits of one stored value, block scales included where the format fixes them.
    arithmetic VARCHAR NOT NULL     -- Format under which accelerators file the peak that applies.
);

-- The eight conditions that every benchmark states or declares absent.
CREATE TABLE condition_kinds (
    condition  VARCHAR PRIMARY KEY, -- Name of the condition.
    title      VARCHAR NOT NULL,    -- The condition in a few words.
    description VARCHAR NOT NULL,   -- What it is.
    stated_by  VARCHAR[] NOT NULL,  -- JSON Pointers; a record that has any of them states the condition.
    would_need VARCHAR NOT NULL     -- What recovers it where it is absent.
);

-- The rules that records were checked by.
CREATE TABLE rules (
    rule      VARCHAR PRIMARY KEY, -- Name of the rule.
    level     VARCHAR NOT NULL,    -- Level of its findings unless one says otherwise: error, warning or info.
    scope     VARCHAR NOT NULL,    -- What it needs to see: document, record, ledger, base or findings.
    kinds     VARCHAR[] NOT NULL,  -- Kinds of records it is about; none means all.
    summary   VARCHAR NOT NULL,    -- The fault in one line.
    why       VARCHAR NOT NULL,    -- Why it is a fault.
    formula   VARCHAR,             -- What is computed.
    tolerance VARCHAR,             -- Where the tolerance comes from.
    reference VARCHAR              -- Where it can be read up.
);

-- Every record of the ledger, of any kind; what is said of all kinds hangs on it.
CREATE TABLE records (
    record_id    VARCHAR PRIMARY KEY, -- Name of the record; equals the file name, unique over all kinds, never used again.
    kind         VARCHAR NOT NULL,    -- Kind of the record: benchmark, accelerator, model, engine or source.
    title        VARCHAR,             -- What it is about: the title, or the name.
    status       VARCHAR,             -- @benchmark/status
    file         VARCHAR NOT NULL,    -- Its file in the ledger.
    lint_level   VARCHAR NOT NULL,    -- Worst level among its findings that are not acknowledged, or none.
    errors       INTEGER NOT NULL,    -- Number of its errors.
    warnings     INTEGER NOT NULL,    -- Number of its warnings that are not acknowledged.
    infos        INTEGER NOT NULL,    -- Number of its infos that are not acknowledged.
    acknowledged INTEGER NOT NULL,    -- Number of its findings that its audit log acknowledges.
    rows_digest  VARCHAR NOT NULL     -- Digest of its file and of what was found in it, which all of its rows follow from.
);

-- Cited documents.
CREATE TABLE sources (
    source_id       VARCHAR PRIMARY KEY, -- @source/id
    title           VARCHAR,             -- @source/title
    status          VARCHAR,             -- @source/status
    type            VARCHAR,             -- @source/type
    publisher       VARCHAR,             -- @source/publisher
    authors         VARCHAR[],           -- @source/authors
    url             VARCHAR,             -- @source/url
    arxiv           VARCHAR,             -- @source/arxiv
    doi             VARCHAR,             -- @source/doi
    repository      VARCHAR,             -- @source/repository
    path            VARCHAR,             -- @source/path
    commit          VARCHAR,             -- @source/commit
    version         VARCHAR,             -- @source/version
    published       DATE,                -- @source/published
    published_year  INTEGER,             -- @source/published_year
    accessed        DATE,                -- @source/accessed
    licence         VARCHAR,             -- @source/licence
    artifact_sha256 VARCHAR,             -- @source/artifact_sha256
    archive_url     VARCHAR,             -- @source/archive_url
    notes           VARCHAR,             -- @source/notes
    superseded_by   VARCHAR,             -- @source/superseded_by
    FOREIGN KEY (source_id) REFERENCES records (record_id),
    FOREIGN KEY (superseded_by) REFERENCES records (record_id)
);

-- Serving engines.
CREATE TABLE engines (
    engine_id          VARCHAR PRIMARY KEY, -- @engine/id
    name               VARCHAR,             -- @engine/name
    status             VARCHAR,             -- @engine/status
    publisher          VARCHAR,             -- @engine/publisher
    repository         VARCHAR,             -- @engine/repository
    licence            VARCHAR,             -- @engine/licence
    first_release_year INTEGER,             -- @engine/first_release_year
    role               VARCHAR,             -- @engine/role
    based_on           VARCHAR[],           -- @engine/based_on
    notes              VARCHAR,             -- @engine/notes
    superseded_by      VARCHAR,             -- @engine/superseded_by
    FOREIGN KEY (engine_id) REFERENCES records (record_id),
    FOREIGN KEY (superseded_by) REFERENCES records (record_id)
);

-- Dated releases of engines.
CREATE TABLE engine_releases (
    engine_id VARCHAR, -- Engine record.
    position  INTEGER, -- Place in the record's list, from 0.
    version   VARCHAR, -- @engine/releases/version
    released  DATE,    -- @engine/releases/date
    source_id VARCHAR, -- @engine/releases/source_id
    PRIMARY KEY (engine_id, position),
    FOREIGN KEY (engine_id) REFERENCES engines (engine_id),
    FOREIGN KEY (source_id) REFERENCES sources (source_id)
);

-- Models: the architecture numbers that a roofline needs.
CREATE TABLE models (
    model_id              VARCHAR PRIMARY KEY, -- @model/id
    name                  VARCHAR,             -- @model/name
    status                VARCHAR,             -- @model/status
    family                VARCHAR,             -- @model/family
    publisher             VARCHAR,             -- @model/publisher
    hf_id                 VARCHAR,             -- @model/hf_id
    released              DATE,                -- @model/released
    base_model_id         VARCHAR,             -- @model/base_model_id
    tokenizer             VARCHAR,             -- @model/tokenizer
    total_b               DOUBLE,              -- @model/parameters/total_b
    active_b              DOUBLE,              -- @model/parameters/active_b
    parameters_basis      VARCHAR,             -- @model/parameters/basis
    total_computed_b      DOUBLE,              -- @model/parameters/total_computed_b
    active_computed_b     DOUBLE,              -- @model/parameters/active_computed_b
    parameters_note       VARCHAR,             -- @model/parameters/note
    read_per_token        DOUBLE,              -- Parameters that decoding one token reads at least: the active ones without the input embedding.
    prompt_parameters     DOUBLE,              -- Parameters at work for one prompt token at least.
    kv_values_per_token   DOUBLE,              -- Values that the cache keeps for each token of the context, over all layers; empty where that is not constant or not known.
    layers                INTEGER,             -- @model/layers
    hidden_size           INTEGER,             -- @model/hidden_size
    attention             VARCHAR,             -- @model/attention/kind
    heads                 INTEGER,             -- @model/attention/heads
    kv_heads              INTEGER,             -- @model/attention/kv_heads
    head_dim              INTEGER,             -- @model/attention/head_dim
    q_lora_rank           INTEGER,             -- @model/attention/q_lora_rank
    kv_lora_rank          INTEGER,             -- @model/attention/kv_lora_rank
    qk_nope_head_dim      INTEGER,             -- @model/attention/qk_nope_head_dim
    qk_rope_head_dim      INTEGER,             -- @model/attention/qk_rope_head_dim
    v_head_dim            INTEGER,             -- @model/attention/v_head_dim
    full_cache_layers     INTEGER,             -- @model/attention/full_cache_layers
    window_tokens         INTEGER,             -- @model/attention/window
    windowed_layers       INTEGER,             -- @model/attention/windowed_layers
    intermediate_size     INTEGER,             -- @model/feed_forward/intermediate_size
    experts               INTEGER,             -- @model/feed_forward/experts
    experts_per_token     INTEGER,             -- @model/feed_forward/experts_per_token
    shared_experts        INTEGER,             -- @model/feed_forward/shared_experts
    moe_intermediate_size INTEGER,             -- @model/feed_forward/moe_intermediate_size
    leading_dense_layers  INTEGER,             -- @model/feed_forward/leading_dense_layers
    vocab_size            INTEGER,             -- @model/vocab_size
    max_context           INTEGER,             -- @model/max_context
    native_dtype          VARCHAR,             -- @model/native_dtype
    tied_embeddings       BOOLEAN,             -- @model/tied_embeddings
    notes                 VARCHAR,             -- @model/notes
    superseded_by         VARCHAR,             -- @model/superseded_by
    FOREIGN KEY (model_id) REFERENCES records (record_id),
    FOREIGN KEY (base_model_id) REFERENCES records (record_id),
    FOREIGN KEY (superseded_by) REFERENCES records (record_id)
);

-- Accelerators as they are sold: memory, bandwidth, power, links. An empty field was not seen in a document.
CREATE TABLE accelerators (
    accelerator_id       VARCHAR PRIMARY KEY, -- @accelerator/id
    name                 VARCHAR,             -- @accelerator/name
    status               VARCHAR,             -- @accelerator/status
    vendor               VARCHAR,             -- @accelerator/vendor
    architecture         VARCHAR,             -- @accelerator/architecture
    release_year         INTEGER,             -- @accelerator/release_year
    form_factor          VARCHAR,             -- @accelerator/form_factor
    dies_per_package     INTEGER,             -- @accelerator/dies_per_package
    memory_type          VARCHAR,             -- @accelerator/memory/type
    capacity             DOUBLE,              -- @accelerator/memory/capacity/value Of the capacity, in capacity_unit.
    capacity_unit        VARCHAR,             -- @accelerator/memory/capacity/unit
    capacity_basis       VARCHAR,             -- @accelerator/memory/capacity/basis
    capacity_source_id   VARCHAR,             -- @accelerator/memory/capacity/source_id
    reported_mib         INTEGER,             -- @accelerator/memory/reported_mib
    bandwidth_gb_s       DOUBLE,              -- @accelerator/memory/bandwidth/value Of the peak memory bandwidth, in GB/s.
    bandwidth_basis      VARCHAR,             -- @accelerator/memory/bandwidth/basis
    bandwidth_source_id  VARCHAR,             -- @accelerator/memory/bandwidth/source_id
    bus_width_bits       INTEGER,             -- @accelerator/memory/bus_width_bits
    data_rate_gbit_s     DOUBLE,              -- @accelerator/memory/data_rate_gbit_s
    shared_with_host     BOOLEAN,             -- @accelerator/memory/shared_with_host
    tdp_w                DOUBLE,              -- @accelerator/power/tdp/value Of the thermal design power, in watts.
    tdp_basis            VARCHAR,             -- @accelerator/power/tdp/basis
    tdp_source_id        VARCHAR,             -- @accelerator/power/tdp/source_id
    interconnect         VARCHAR,             -- @accelerator/interconnect/name
    link_gb_s            DOUBLE,              -- @accelerator/interconnect/per_direction/value Of one direction, all links of a device added, in GB/s.
    link_basis           VARCHAR,             -- @accelerator/interconnect/per_direction/basis
    link_source_id       VARCHAR,             -- @accelerator/interconnect/per_direction/source_id
    notes                VARCHAR,             -- @accelerator/notes
    superseded_by        VARCHAR,             -- @accelerator/superseded_by
    FOREIGN KEY (accelerator_id) REFERENCES records (record_id),
    FOREIGN KEY (capacity_source_id) REFERENCES sources (source_id),
    FOREIGN KEY (bandwidth_source_id) REFERENCES sources (source_id),
    FOREIGN KEY (tdp_source_id) REFERENCES sources (source_id),
    FOREIGN KEY (link_source_id) REFERENCES sources (source_id),
    FOREIGN KEY (superseded_by) REFERENCES records (record_id)
);

-- Peak arithmetic rates of accelerators by number format.
CREATE TABLE accelerator_peaks (
    accelerator_id   VARCHAR,          -- Accelerator record.
    position         INTEGER,          -- Place in the record's list, from 0.
    precision        VARCHAR,          -- @accelerator/peaks/precision
    unit_kind        VARCHAR,          -- @accelerator/peaks/unit_kind
    sparsity         VARCHAR NOT NULL, -- Structured sparsity counted in, or dense; what a record leaves out is dense.
    accumulate       VARCHAR,          -- @accelerator/peaks/accumulate
    value            DOUBLE,           -- @accelerator/peaks/value
    unit             VARCHAR,          -- @accelerator/peaks/unit
    operations_per_s DOUBLE,           -- The figure in operations per second.
    basis            VARCHAR,          -- @accelerator/peaks/basis
    source_id        VARCHAR,          -- @accelerator/peaks/source_id
    locator          VARCHAR,          -- @accelerator/peaks/locator
    note             VARCHAR,          -- @accelerator/peaks/note
    PRIMARY KEY (accelerator_id, position),
    FOREIGN KEY (accelerator_id) REFERENCES accelerators (accelerator_id),
    FOREIGN KEY (source_id) REFERENCES sources (source_id)
);

-- Values of other public sources that disagree with a figure of an accelerator; nothing is averaged.
CREATE TABLE accelerator_disputes (
    accelerator_id VARCHAR, -- Accelerator record.
    pointer        VARCHAR, -- Place of the other value in the record.
    value          DOUBLE,  -- @accelerator#other_value/value
    unit           VARCHAR, -- Unit of the other value; that of the disputed figure where the record names no other.
    source_id      VARCHAR, -- @accelerator#other_value/source_id
    said_by        VARCHAR, -- @accelerator#other_value/said_by
    locator        VARCHAR, -- @accelerator#other_value/locator
    note           VARCHAR, -- @accelerator#other_value/note
    PRIMARY KEY (accelerator_id, pointer),
    FOREIGN KEY (accelerator_id) REFERENCES accelerators (accelerator_id),
    FOREIGN KEY (source_id) REFERENCES sources (source_id)
);

-- Benchmarks: one row for each run at one operating point, with all its conditions. Empty means not stated.
CREATE TABLE benchmarks (
    record_id               VARCHAR PRIMARY KEY, -- @benchmark/id
    title                   VARCHAR,             -- @benchmark/title
    status                  VARCHAR,             -- @benchmark/status
    evidence                VARCHAR,             -- @benchmark/evidence
    measured_by             VARCHAR,             -- @benchmark/measured_by
    measured_on             DATE,                -- @benchmark/measured_on
    methodology             VARCHAR,             -- @benchmark/methodology
    run_id                  VARCHAR,             -- @benchmark/run_id
    sweep_id                VARCHAR,             -- @benchmark/sweep_id
    model_id                VARCHAR,             -- @benchmark/model_id
    model_revision          VARCHAR,             -- @benchmark/model_revision
    model_label             VARCHAR,             -- @benchmark/model_label
    weights                 VARCHAR,             -- @benchmark/precision/weights
    activations             VARCHAR,             -- @benchmark/precision/activations
    kv_cache                VARCHAR,             -- @benchmark/precision/kv_cache
    quantization            VARCHAR,             -- @benchmark/precision/quantization
    bits_per_weight         DOUBLE,              -- @benchmark/precision/bits_per_weight
    precision_note          VARCHAR,             -- @benchmark/precision/note
    quality_ref             VARCHAR,             -- @benchmark/quality_ref
    engine_id               VARCHAR,             -- @benchmark/engine/id
    engine_version          VARCHAR,             -- @benchmark/engine/version
    engine_commit           VARCHAR,             -- @benchmark/engine/commit
    engine_image            VARCHAR,             -- @benchmark/engine/image
    engine_image_digest     VARCHAR,             -- @benchmark/engine/image_digest
    engine_released         DATE,                -- @benchmark/engine/released
    engine_patched          BOOLEAN,             -- @benchmark/engine/patched
    engine_backend          VARCHAR,             -- @benchmark/engine/backend
    engine_flags            VARCHAR,             -- @benchmark/engine/flags
    driver                  VARCHAR,             -- @benchmark/software/driver
    runtime                 VARCHAR,             -- @benchmark/software/runtime
    framework               VARCHAR,             -- @benchmark/software/framework
    operating_system        VARCHAR,             -- @benchmark/software/operating_system
    accelerator_ids         VARCHAR[],           -- @benchmark/accelerator_ids
    accelerator_count       INTEGER,             -- @benchmark/hardware/accelerator_count
    nodes                   INTEGER,             -- @benchmark/hardware/nodes
    accelerators_per_node   INTEGER,             -- @benchmark/hardware/accelerators_per_node
    system_name             VARCHAR,             -- @benchmark/hardware/system_name
    platform_id             VARCHAR,             -- @benchmark/hardware/platform_id
    reported_memory_gb      DOUBLE,              -- @benchmark/hardware/reported_memory_gb
    total_memory_bytes      BIGINT,              -- @benchmark/hardware/total_memory_bytes
    host_processor          VARCHAR,             -- @benchmark/hardware/host_processor
    power_limit_w           DOUBLE,              -- @benchmark/hardware/power_limit_w
    tensor_parallel         INTEGER,             -- @benchmark/parallelism/tensor
    pipeline_parallel       INTEGER,             -- @benchmark/parallelism/pipeline
    context_parallel        INTEGER,             -- @benchmark/parallelism/context
    data_parallel           INTEGER,             -- @benchmark/parallelism/data
    expert_parallel         INTEGER,             -- @benchmark/parallelism/expert
    attention_data_parallel INTEGER,             -- @benchmark/parallelism/attention_data
    is_disaggregated        BOOLEAN NOT NULL,    -- The record names separate pools for prefill and decode.
    prefill_accelerators    INTEGER,             -- @benchmark/disaggregation/prefill_accelerators
    decode_accelerators     INTEGER,             -- @benchmark/disaggregation/decode_accelerators
    prefill_workers         INTEGER,             -- @benchmark/disaggregation/prefill_workers
    decode_workers          INTEGER,             -- @benchmark/disaggregation/decode_workers
    prefill_engine_version  VARCHAR,             -- @benchmark/disaggregation/prefill_engine_version
    decode_engine_version   VARCHAR,             -- @benchmark/disaggregation/decode_engine_version
    technique               VARCHAR,             -- @benchmark/technique/kind
    gamma                   INTEGER,             -- @benchmark/technique/gamma
    topology                VARCHAR,             -- @benchmark/technique/topology
    tree_nodes              INTEGER,             -- @benchmark/technique/tree_nodes
    top_k                   INTEGER,             -- @benchmark/technique/top_k
    heads                   INTEGER,             -- @benchmark/technique/heads
    draft_model_id          VARCHAR,             -- @benchmark/technique/draft_model_id
    draft_label             VARCHAR,             -- @benchmark/technique/draft_label
    draft_cost_ratio        DOUBLE,              -- @benchmark/technique/draft_cost_ratio
    acceptance_length       DOUBLE,              -- @benchmark/technique/acceptance_length
    acceptance_rate         DOUBLE,              -- @benchmark/technique/acceptance_rate
    acceptance_simulated    BOOLEAN,             -- @benchmark/technique/acceptance_simulated
    synchronisation         VARCHAR,             -- @benchmark/technique/synchronisation
    technique_note          VARCHAR,             -- @benchmark/technique/note
    client_name             VARCHAR,             -- @benchmark/client/name
    client_version          VARCHAR,             -- @benchmark/client/version
    client_protocol         VARCHAR,             -- @benchmark/client/protocol
    client_tokenizer        VARCHAR,             -- @benchmark/client/tokenizer
    count_side              VARCHAR,             -- @benchmark/client/count_side
    scenario                VARCHAR,             -- @benchmark/conditions/scenario
    scenario_note           VARCHAR,             -- @benchmark/conditions/scenario_note
    batch_size              DOUBLE,              -- @benchmark/conditions/batch_size One number; a range stands in the next two columns.
    batch_size_min          DOUBLE,              -- @benchmark/conditions/batch_size/min Of a range of batch sizes.
    batch_size_max          DOUBLE,              -- @benchmark/conditions/batch_size/max Of a range of batch sizes.
    max_batch_size          INTEGER,             -- @benchmark/conditions/max_batch_size
    concurrency             DOUBLE,              -- @benchmark/conditions/concurrency One number; a range stands in the next two columns.
    concurrency_min         DOUBLE,              -- @benchmark/conditions/concurrency/min Of a range of concurrencies.
    concurrency_max         DOUBLE,              -- @benchmark/conditions/concurrency/max Of a range of concurrencies.
    concurrency_cap         INTEGER,             -- @benchmark/conditions/concurrency_cap
    request_rate            DOUBLE,              -- Offered rate in requests per second, where it is one number.
    request_rate_min        DOUBLE,              -- @benchmark/conditions/request_rate/min Of a range of offered rates.
    request_rate_max        DOUBLE,              -- @benchmark/conditions/request_rate/max Of a range of offered rates.
    is_sent_at_once         BOOLEAN,             -- The offered rate is infinite: every request was sent at the start, up to a cap of the client.
    peak_concurrency        INTEGER,             -- @benchmark/conditions/peak_concurrency
    burstiness              DOUBLE,              -- @benchmark/conditions/burstiness
    users                   INTEGER,             -- @benchmark/conditions/users
    think_time_s            DOUBLE,              -- @benchmark/conditions/think_time_s
    input_nominal           INTEGER,             -- @benchmark/conditions/input_length/nominal
    input_mean              DOUBLE,              -- @benchmark/conditions/input_length/mean
    input_p50               DOUBLE,              -- @benchmark/conditions/input_length/p50
    input_min               DOUBLE,              -- @benchmark/conditions/input_length/min
    input_max               DOUBLE,              -- @benchmark/conditions/input_length/max
    input_std               DOUBLE,              -- @benchmark/conditions/input_length/std
    input_kind              VARCHAR,             -- @benchmark/conditions/input_length/kind
    input_distribution      VARCHAR,             -- @benchmark/conditions/input_length/distribution
    output_nominal          INTEGER,             -- @benchmark/conditions/output_length/nominal
    output_mean             DOUBLE,              -- @benchmark/conditions/output_length/mean
    output_p50              DOUBLE,              -- @benchmark/conditions/output_length/p50
    output_min              DOUBLE,              -- @benchmark/conditions/output_length/min
    output_max              DOUBLE,              -- @benchmark/conditions/output_length/max
    output_std              DOUBLE,              -- @benchmark/conditions/output_length/std
    output_kind             VARCHAR,             -- @benchmark/conditions/output_length/kind
    output_distribution     VARCHAR,             -- @benchmark/conditions/output_length/distribution
    isl_mean                DOUBLE,              -- Input tokens of a request: the measured mean (stated, filed as a result, or tokens over completed requests), else the length asked for unless that is a cap or an upper end.
    isl_is_measured         BOOLEAN,             -- isl_mean was measured; false where it is the length asked for.
    osl_mean                DOUBLE,              -- Output tokens of a request, found as isl_mean is.
    osl_is_measured         BOOLEAN,             -- osl_mean was measured; false where it is the length asked for.
    sequence_length         DOUBLE,              -- @benchmark/conditions/sequence_length One number; a range stands in the next two columns.
    sequence_length_min     DOUBLE,              -- @benchmark/conditions/sequence_length/min Of a range of lengths.
    sequence_length_max     DOUBLE,              -- @benchmark/conditions/sequence_length/max Of a range of lengths.
    context_depth           INTEGER,             -- @benchmark/conditions/context_depth
    dataset                 VARCHAR,             -- @benchmark/conditions/dataset
    dataset_kind            VARCHAR,             -- @benchmark/conditions/dataset_kind
    task                    VARCHAR,             -- @benchmark/conditions/task
    ignore_eos              BOOLEAN,             -- @benchmark/conditions/ignore_eos
    temperature             DOUBLE,              -- @benchmark/conditions/temperature
    top_p                   DOUBLE,              -- @benchmark/conditions/top_p
    reasoning               BOOLEAN,             -- @benchmark/conditions/reasoning
    streaming               BOOLEAN,             -- @benchmark/conditions/streaming
    stream_interval         INTEGER,             -- @benchmark/conditions/stream_interval
    tokens_per_event        DOUBLE,              -- @benchmark/conditions/tokens_per_event
    queue_included          BOOLEAN,             -- @benchmark/conditions/queue_included
    prefix_cache            VARCHAR,             -- @benchmark/conditions/prefix_cache
    cache_hit_rate          DOUBLE,              -- @benchmark/conditions/cache_hit_rate
    intended_cache_hit_rate DOUBLE,              -- @benchmark/conditions/intended_cache_hit_rate
    warmup                  VARCHAR,             -- @benchmark/conditions/warmup/handling
    warmup_requests         INTEGER,             -- @benchmark/conditions/warmup/requests
    warmup_iterations       INTEGER,             -- @benchmark/conditions/warmup/iterations
    warmup_seconds          DOUBLE,              -- @benchmark/conditions/warmup/seconds
    warmup_note             VARCHAR,             -- @benchmark/conditions/warmup/note
    window_kind             VARCHAR,             -- @benchmark/conditions/window
    min_duration_s          DOUBLE,              -- @benchmark/conditions/min_duration_s
    slo_ttft_ms             DOUBLE,              -- @benchmark/conditions/slo/ttft_ms
    slo_tpot_ms             DOUBLE,              -- @benchmark/conditions/slo/tpot_ms
    slo_e2e_latency_ms      DOUBLE,              -- @benchmark/conditions/slo/e2e_latency_ms
    slo_statistic           VARCHAR,             -- @benchmark/conditions/slo/statistic
    accuracy_target         DOUBLE,              -- @benchmark/conditions/accuracy_target
    test                    VARCHAR,             -- @benchmark/conditions/test
    seed                    BIGINT,              -- @benchmark/conditions/seed
    goodput_definition      VARCHAR,             -- @benchmark/conditions/goodput_definition
    requests                BIGINT,              -- @benchmark/counts/requests
    completed               BIGINT,              -- @benchmark/counts/completed
    failed                  BIGINT,              -- @benchmark/counts/failed
    input_tokens            BIGINT,              -- @benchmark/counts/input_tokens
    output_tokens           BIGINT,              -- @benchmark/counts/output_tokens
    output_tokens_retokenized BIGINT,            -- @benchmark/counts/output_tokens_retokenized
    completion_tokens       BIGINT,              -- @benchmark/counts/completion_tokens
    reasoning_tokens        BIGINT,              -- @benchmark/counts/reasoning_tokens
    usage_inclusive         BOOLEAN,             -- @benchmark/counts/usage_inclusive
    drafts                  BIGINT,              -- @benchmark/counts/drafts
    draft_tokens            BIGINT,              -- @benchmark/counts/draft_tokens
    accepted_tokens         BIGINT,              -- @benchmark/counts/accepted_tokens
    duration_s              DOUBLE,              -- @benchmark/counts/duration_s
    notes                   VARCHAR,             -- @benchmark/notes
    superseded_by           VARCHAR,             -- @benchmark/superseded_by
    conditions_stated       INTEGER NOT NULL,    -- How many of the eight conditions the record states.
    lint_level              VARCHAR NOT NULL,    -- Worst level among the record's findings that are not acknowledged, or none.
    FOREIGN KEY (record_id) REFERENCES records (record_id),
    FOREIGN KEY (model_id) REFERENCES models (model_id),
    FOREIGN KEY (draft_model_id) REFERENCES models (model_id),
    FOREIGN KEY (engine_id) REFERENCES engines (engine_id),
    FOREIGN KEY (superseded_by) REFERENCES records (record_id)
);

-- Which accelerators took part in a benchmark; the number of parts is accelerator_count of the benchmark.
CREATE TABLE benchmark_accelerators (
    record_id      VARCHAR, -- Benchmark record.
    position       INTEGER, -- Place in the record's list, from 0.
    accelerator_id VARCHAR, -- Accelerator record.
    PRIMARY KEY (record_id, position),
    FOREIGN KEY (record_id) REFERENCES benchmarks (record_id),
    FOREIGN KEY (accelerator_id) REFERENCES accelerators (accelerator_id)
);

-- Results: one row for each number, with its kind and where it comes from.
CREATE TABLE results (
    record_id               VARCHAR,           -- Benchmark record that holds the number.
    result_index            INTEGER,           -- Place among the results of the record, from 0.
    pointer                 VARCHAR NOT NULL,  -- JSON Pointer of the result in the record.
    metric                  VARCHAR,           -- @benchmark/results/metric
    statistic               VARCHAR,           -- @benchmark/results/statistic
    value                   DOUBLE,            -- The number, in the metric's own unit; what it was filed as stands in filed_value.
    unit                    VARCHAR,           -- Unit of value: the metric's first unit, into which other units are converted.
    scope                   VARCHAR,           -- What the number is counted per: system, accelerator, user, batch, ...
    token_kind              VARCHAR,           -- Which tokens are counted: input, output, total or none.
    direction               VARCHAR,           -- Which way is better: higher, lower or neither.
    bound                   VARCHAR,           -- @benchmark/results/bound
    is_point                BOOLEAN NOT NULL,  -- The value is a point; false where it bounds a range and stays out of averages.
    filed_value             DOUBLE,            -- @benchmark/results/value In filed_unit.
    filed_unit              VARCHAR,           -- @benchmark/results/unit
    is_approximate          BOOLEAN,           -- @benchmark/results/approximate
    printed                 VARCHAR,           -- @benchmark/results/printed
    tolerance               DOUBLE,            -- Half-width of the value's uncertainty, in unit: that of the result, else that of reading its source.
    interval_low            DOUBLE,            -- @benchmark/results/interval/low In filed_unit.
    interval_high           DOUBLE,            -- @benchmark/results/interval/high In filed_unit.
    interval_level          DOUBLE,            -- @benchmark/results/interval/level
    power_basis             VARCHAR,           -- @benchmark/results/power_basis
    draft_position          INTEGER,           -- @benchmark/results/position
    definition_variant      VARCHAR,           -- @benchmark/results/definition_variant
    definition              VARCHAR,           -- @benchmark/results/definition
    window_kind             VARCHAR,           -- Part of the run that the figure covers: that of the result, else that of the record.
    repeats                 DOUBLE[],          -- @benchmark/results/repeats
    samples                 BIGINT,            -- @benchmark/results/samples
    baseline_record_id      VARCHAR,           -- @benchmark/results/baseline/record_id
    baseline_technique      VARCHAR,           -- @benchmark/results/baseline/technique
    baseline_accelerator_ids VARCHAR[],        -- @benchmark/results/baseline/accelerator_ids
    baseline_engine_id      VARCHAR,           -- @benchmark/results/baseline/engine_id
    baseline_engine_version VARCHAR,           -- @benchmark/results/baseline/engine_version
    baseline_model_id       VARCHAR,           -- @benchmark/results/baseline/model_id
    baseline_value          DOUBLE,            -- @benchmark/results/baseline/value
    baseline_unit           VARCHAR,           -- @benchmark/results/baseline/unit
    baseline_varied         VARCHAR[],         -- @benchmark/results/baseline/varied
    baseline_description    VARCHAR,           -- @benchmark/results/baseline/description
    derived_from            VARCHAR[],         -- @benchmark/results/derived_from/records
    formula                 VARCHAR,           -- @benchmark/results/derived_from/formula
    original_key            VARCHAR,           -- @benchmark/results/derived_from/original/key
    original_number         DOUBLE,            -- The value as the source has it, where that is a number.
    original_text           VARCHAR,           -- The value as the source has it, where that is text.
    original_unit           VARCHAR,           -- @benchmark/results/derived_from/original/unit
    note                    VARCHAR,           -- @benchmark/results/note
    source_id               VARCHAR,           -- Source of the number: the first citation of the result, else of the record.
    locator                 VARCHAR,           -- The place in that source.
    read_from               VARCHAR,           -- How it was taken from that source.
    correction_reason       VARCHAR,           -- Reason of the last correction or reclassification that touched this result.
    valid_from              DATE,              -- Day since which this row and its record's identity stand as they do; empty where the log begins without a day, or cannot be replayed.
    is_replayable           BOOLEAN NOT NULL,  -- The record has a log that fits it, so that as_of can say how this result stood on an earlier day.
    lint_level              VARCHAR NOT NULL,  -- Worst level among the findings on this result or on the record in general that are not acknowledged, or none.
    PRIMARY KEY (record_id, result_index),
    FOREIGN KEY (record_id) REFERENCES benchmarks (record_id),
    FOREIGN KEY (metric) REFERENCES metrics (metric),
    FOREIGN KEY (unit) REFERENCES units (unit),
    FOREIGN KEY (filed_unit) REFERENCES units (unit),
    FOREIGN KEY (baseline_record_id) REFERENCES benchmarks (record_id),
    FOREIGN KEY (baseline_model_id) REFERENCES models (model_id),
    FOREIGN KEY (baseline_engine_id) REFERENCES engines (engine_id),
    FOREIGN KEY (source_id) REFERENCES sources (source_id)
);

-- Results as they stood before a step of their record's audit log changed them, by replay of the logs.
CREATE TABLE past_results (
    record_id       VARCHAR,          -- Benchmark record.
    result_index    INTEGER,          -- Place among the results of the record as it then stood, from 0.
    version         INTEGER,          -- Number of the version, from 0.
    valid_from      DATE,             -- First day at whose end this stood; empty where the log begins without a day.
    valid_until     DATE NOT NULL,    -- Day at whose end it stood no more.
    metric          VARCHAR,          -- Metric at that time.
    statistic       VARCHAR,          -- Statistic at that time.
    value           DOUBLE,           -- The number, in unit.
    unit            VARCHAR,          -- The metric's own unit; empty where metric and filed unit did not go together.
    filed_value     DOUBLE,           -- The number as filed.
    filed_unit      VARCHAR,          -- The unit as filed; empty where none was.
    scope           VARCHAR,          -- What the number was counted per.
    token_kind      VARCHAR,          -- Which tokens were counted.
    bound           VARCHAR,          -- Bound at that time.
    is_point        BOOLEAN NOT NULL, -- The value stood as a point.
    status          VARCHAR,          -- Status of the record at that time.
    model_id        VARCHAR,          -- Model at that time, as written; it may be an id that no record has any more.
    engine_id       VARCHAR,          -- Engine at that time, as written.
    engine_version  VARCHAR,          -- Version of the engine at that time.
    accelerator_ids VARCHAR[],        -- Accelerators at that time, as written.
    technique       VARCHAR,          -- Decoding technique at that time.
    PRIMARY KEY (record_id, result_index, version),
    FOREIGN KEY (record_id) REFERENCES benchmarks (record_id)
);

-- The eight conditions of every benchmark, one row each: present with their value, or absent with the reason.
CREATE TABLE conditions (
    record_id    VARCHAR,          -- Benchmark record.
    condition    VARCHAR,          -- Name of the condition.
    state        VARCHAR NOT NULL, -- present, absent, or undeclared where a record with errors says neither.
    pointer      VARCHAR,          -- Place in the record that states it, or declares it absent.
    value_text   VARCHAR,          -- The value written out, whatever it is.
    value_number DOUBLE,           -- The value where it is one number; of a length the measured mean, else the length asked for.
    value_min    DOUBLE,           -- Smallest value where it is a range.
    value_max    DOUBLE,           -- Largest value where it is a range.
    reason       VARCHAR,          -- @benchmark/absent/reason
    source_id    VARCHAR,          -- @benchmark/absent/source_id
    would_need   VARCHAR,          -- @benchmark/absent/would_need
    note         VARCHAR,          -- @benchmark/absent/note
    PRIMARY KEY (record_id, condition),
    FOREIGN KEY (record_id) REFERENCES benchmarks (record_id),
    FOREIGN KEY (condition) REFERENCES condition_kinds (condition),
    FOREIGN KEY (source_id) REFERENCES sources (source_id)
);

-- Claims that divide two numbers, as benchmarks quote them.
CREATE TABLE comparisons (
    record_id              VARCHAR,   -- Benchmark record that holds the claim.
    position               INTEGER,   -- Place in the record's list, from 0.
    claim                  VARCHAR,   -- @benchmark/comparisons/claim
    metric                 VARCHAR,   -- @benchmark/comparisons/metric
    a_record_id            VARCHAR,   -- @benchmark/comparisons/a/record_id The side put over the other.
    a_value                DOUBLE,    -- @benchmark/comparisons/a/value The side put over the other.
    a_unit                 VARCHAR,   -- @benchmark/comparisons/a/unit The side put over the other.
    a_label                VARCHAR,   -- @benchmark/comparisons/a/label The side put over the other.
    b_record_id            VARCHAR,   -- @benchmark/comparisons/b/record_id The side it is put over.
    b_value                DOUBLE,    -- @benchmark/comparisons/b/value The side it is put over.
    b_unit                 VARCHAR,   -- @benchmark/comparisons/b/unit The side it is put over.
    b_label                VARCHAR,   -- @benchmark/comparisons/b/label The side it is put over.
    claimed_ratio          DOUBLE,    -- @benchmark/comparisons/claimed_ratio
    claimed_change_percent DOUBLE,    -- @benchmark/comparisons/claimed_change_percent
    varied                 VARCHAR[], -- @benchmark/comparisons/varied
    PRIMARY KEY (record_id, position),
    FOREIGN KEY (record_id) REFERENCES benchmarks (record_id)
);

-- Every citation: which place of which source a record, or one number of it, rests on.
CREATE TABLE citations (
    record_id       VARCHAR, -- Citing record, of any kind.
    pointer         VARCHAR, -- Place of the citation in the record.
    result_index    INTEGER, -- Result it is for, where it is for one alone.
    source_id       VARCHAR, -- @record#citation/source_id
    locator         VARCHAR, -- @record#citation/locator
    read_from       VARCHAR, -- @record#citation/read_from
    tolerance       DOUBLE,  -- @record#citation/tolerance
    caption         VARCHAR, -- @record#citation/caption
    artifact_sha256 VARCHAR, -- @record#citation/artifact_sha256
    accessed        DATE,    -- @record#citation/accessed
    note            VARCHAR, -- @record#citation/note
    PRIMARY KEY (record_id, pointer),
    FOREIGN KEY (record_id) REFERENCES records (record_id),
    FOREIGN KEY (source_id) REFERENCES sources (source_id)
);

-- The audit logs: every step in the life of every record.
CREATE TABLE audit (
    record_id VARCHAR, -- The record, of any kind.
    entry     INTEGER, -- Place in its log, from 0, oldest first.
    day       DATE,    -- @record#audit_entry/date
    "by"      VARCHAR, -- @record#audit_entry/by
    action    VARCHAR, -- @record#audit_entry/action
    rule      VARCHAR, -- @record#audit_entry/rule
    reason    VARCHAR, -- @record#audit_entry/reason
    PRIMARY KEY (record_id, entry),
    FOREIGN KEY (record_id) REFERENCES records (record_id)
);

-- What each step rests on.
CREATE TABLE audit_evidence (
    record_id       VARCHAR, -- The record whose log this is.
    entry           INTEGER, -- The step.
    position        INTEGER, -- Place in its evidence, from 0.
    source_id       VARCHAR, -- @record#evidence_item/source_id
    cited_record_id VARCHAR, -- @record#evidence_item/record_id
    locator         VARCHAR, -- @record#evidence_item/locator
    note            VARCHAR, -- @record#evidence_item/note
    PRIMARY KEY (record_id, entry, position),
    FOREIGN KEY (record_id, entry) REFERENCES audit (record_id, entry),
    FOREIGN KEY (source_id) REFERENCES sources (source_id),
    FOREIGN KEY (cited_record_id) REFERENCES records (record_id)
);

-- What each step changed. A change without a value before added the field, one without a value after removed it.
CREATE TABLE audit_changes (
    record_id     VARCHAR,          -- The record whose log this is.
    entry         INTEGER,          -- The step.
    change        INTEGER,          -- Place among its changes, from 0.
    path          VARCHAR NOT NULL, -- @record#change/path
    result_index  INTEGER,          -- Result it changed, where it is one.
    had_value     BOOLEAN NOT NULL, -- Something stood there before.
    has_value     BOOLEAN NOT NULL, -- Something stands there afterwards.
    before_json   VARCHAR,          -- The value before, of whatever type, as JSON text.
    before_text   VARCHAR,          -- The value before, where it was text.
    before_number DOUBLE,           -- The value before, where it was a number.
    after_json    VARCHAR,          -- The value after, of whatever type, as JSON text.
    after_text    VARCHAR,          -- The value after, where it is text.
    after_number  DOUBLE,           -- The value after, where it is a number.
    PRIMARY KEY (record_id, entry, change),
    FOREIGN KEY (record_id, entry) REFERENCES audit (record_id, entry)
);

-- What the rules found, in the same run of the checks as `tools validate`.
CREATE TABLE findings (
    finding             INTEGER PRIMARY KEY, -- Number of the finding, from 0, by file and place.
    rule                VARCHAR NOT NULL,    -- Rule that is broken.
    level               VARCHAR NOT NULL,    -- error refuses, warning asks for an answer, info tells.
    record_id           VARCHAR,             -- Record it is about; empty for a file that is none.
    file                VARCHAR NOT NULL,    -- File it is about.
    line                INTEGER NOT NULL,    -- Line, from 1.
    "column"            INTEGER NOT NULL,    -- Column, from 1, in characters.
    pointer             VARCHAR NOT NULL,    -- JSON Pointer into the record; empty for the whole record.
    result_index        INTEGER,             -- Result it is about, where it is about one.
    message             VARCHAR NOT NULL,    -- What is wrong.
    hint                VARCHAR NOT NULL,    -- What to do.
    is_acknowledged     BOOLEAN NOT NULL,    -- The record's log accepts it, so that it counts no more.
    acknowledged_reason VARCHAR,             -- Why it is accepted.
    acknowledged_by     VARCHAR,             -- Who accepted it.
    acknowledged_on     DATE,                -- On which day.
    FOREIGN KEY (rule) REFERENCES rules (rule),
    FOREIGN KEY (record_id) REFERENCES records (record_id)
);

-- The simulations whose points stand in simulated: one row for each folder of generated/sweeps, and one for all twins.
CREATE TABLE sweeps (
    sweep_id   VARCHAR PRIMARY KEY, -- Name of the folder, or twins.
    title      VARCHAR,             -- What it computes.
    cost_model VARCHAR NOT NULL,    -- How the time of a step is found, such as constant or roofline; several where each point names its own, unstated where the folder does not say.
    seed       BIGINT,              -- Seed of the random numbers.
    parameters VARCHAR,             -- The whole configuration, as JSON text.
    points     BIGINT NOT NULL      -- Number of its points.
);

-- Points of simulations: what a cost model says that speculative decoding gains under some conditions.
CREATE TABLE simulated (
    sweep_id          VARCHAR,          -- Simulation it belongs to.
    point             BIGINT,           -- Number of the point, from 0, in the order of the file.
    record_id         VARCHAR,          -- Id of the record that the simulation wrote for it, below generated/.
    twin_of           VARCHAR,          -- Benchmark whose conditions it repeats, for a twin.
    twin_result_index INTEGER,          -- Result of that benchmark it stands beside; empty means each of its speedups.
    assumed           VARCHAR[],        -- Conditions of a twin that the benchmark does not state and the simulation had to assume.
    cost_model        VARCHAR NOT NULL, -- How the time of a step is found.
    model_id          VARCHAR,          -- Model, where one is named.
    accelerator_id    VARCHAR,          -- Accelerator, where one is named.
    technique         VARCHAR,          -- Decoding technique.
    gamma             INTEGER,          -- Tokens proposed in a step.
    batch_size        DOUBLE,           -- Requests in a step.
    context           DOUBLE,           -- Tokens that each request looks back on.
    quality           VARCHAR,          -- Name of the acceptance model of the requests.
    acceptance        DOUBLE,           -- Chance that a proposed token is accepted, where it is one number.
    serving           VARCHAR,          -- Serving mode.
    synchronisation   VARCHAR,          -- How requests of a batch with different accepted lengths proceed.
    speedup           DOUBLE,           -- Rate over that of plain decoding at the same batch.
    speedup_low       DOUBLE,           -- Lower end of its interval.
    speedup_high      DOUBLE,           -- Upper end of its interval.
    acceptance_length DOUBLE,           -- Tokens emitted for each step and request.
    acceptance_rate   DOUBLE,           -- Accepted share of the proposed tokens.
    step_cost         DOUBLE,           -- Cost of a step in plain decode steps.
    PRIMARY KEY (sweep_id, point),
    FOREIGN KEY (sweep_id) REFERENCES sweeps (sweep_id),
    FOREIGN KEY (twin_of) REFERENCES benchmarks (record_id)
);
