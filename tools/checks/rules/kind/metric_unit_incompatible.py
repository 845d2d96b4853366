"""A metric with a unit of another dimension; the schema's binding of metrics and units finds it."""

from __future__ import annotations

from tools.checks.rule import Rule
from tools.finding import Level

RULE = Rule(
    name="metric-unit-incompatible",
    level=Level.ERROR,
    summary="A metric carries the unit of another kind of number.",
    why=(
        "A latency in requests per second, a rate that is a ratio: metric and unit contradict each other, so at "
        "least one of them is wrong, and nothing in the record says which. Load generators have stamped the unit of "
        "the request rate on every statistic, and exporters have looked units up by the name of the model. Go back "
        "to the source and restate one of the two. A unit that measures the right thing but is not the metric's own, "
        "seconds for milliseconds, is a schema violation instead and only needs converting."
    ),
    reference=(
        "triton-inference-server/perf_analyzer#179, mlcommons/inference#1822, mlcommons/inference#2144"
    ),
    formula="dimension(unit) = dimension of one of the metric's units; per output token, time = time per token",
    tolerance="none: units and dimensions stand in schemas/vocabulary.schema.json",
    kinds=("benchmark",),
)
