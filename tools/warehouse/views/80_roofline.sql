-- What one accelerator allows a model in a number format: SELECT * FROM roofline('some-accelerator', 'some-model', 'fp16').
-- A decode step reads each active weight once, a prompt token takes two operations for each parameter. Bounds, with no
-- efficiency in them; the cache and attention are left out, so they hold. Empty where a record does not state what is needed; no row where an id is unknown. The model is that of
-- Williams, Waterman and Patterson (CACM 52(4), 2009), as in tools/roofline/bounds.py.
CREATE MACRO roofline(on_accelerator, of_model, in_precision) AS TABLE
SELECT
    accelerator_id, -- Accelerator.
    model_id, -- Model.
    precision, -- Number format.
    arithmetic, -- Format under which the peak is filed.
    peak_operations_s, -- Dense matrix peak in operations per second.
    bandwidth_bytes_s, -- Memory bandwidth in bytes per second.
    peak_operations_s / bandwidth_bytes_s AS ridge_point, -- Operations per byte where bandwidth-bound turns compute-bound.
    read_bytes, -- Bytes of weights that decoding one token reads at least.
    bandwidth_bytes_s / read_bytes AS decode_bound_tok_s, -- Highest decode rate of one request.
    peak_operations_s / (2 * prompt_parameters) AS prefill_bound_tok_s, -- Highest prompt rate.
    peak_operations_s / bandwidth_bytes_s * bytes / 2 AS critical_batch, -- Tokens in one pass from which linear layers are compute-bound.
    weight_bytes, -- Bytes of all weights.
    capacity_bytes, -- Bytes that the part holds at most.
    weight_bytes <= capacity_bytes AS weights_fit -- All weights fit into one part.
FROM (
    SELECT a.accelerator_id, m.model_id, p.precision, p.arithmetic, k.peak AS peak_operations_s,
        a.bandwidth_gb_s * 1e9 AS bandwidth_bytes_s,
        p.bits / 8 AS bytes,
        nullif(m.read_per_token, 0) * p.bits / 8 AS read_bytes,
        nullif(m.prompt_parameters, 0) AS prompt_parameters,
        m.total_b * 1e9 * p.bits / 8 AS weight_bytes,
        coalesce(
            a.reported_mib * 1048576.0,
            -- Labels in GB are close to GiB.
            a.capacity * 1073741824.0
        ) AS capacity_bytes
    FROM accelerators a
    JOIN models m ON m.model_id = of_model
    JOIN precisions p ON p.precision = in_precision
    LEFT JOIN (
        SELECT accelerator_id, precision, max(operations_per_s) AS peak
        FROM accelerator_peaks
        WHERE unit_kind = 'matrix' AND sparsity = 'dense'
        GROUP BY accelerator_id, precision
    ) k ON k.accelerator_id = a.accelerator_id AND k.precision = p.arithmetic
    WHERE a.accelerator_id = on_accelerator
);
