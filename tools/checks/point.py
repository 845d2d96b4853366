"""A benchmark record as an operating point: its figures, lengths, load and counts, each as a number with its place.

Rules read a record through this view, so that "the output throughput" or "the measured output length" means the same
in each of them. Everything that is not a plain finite number (a range, a word, a bound of a range) is left out here: an
identity cannot be computed from it.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache, cached_property
from typing import NamedTuple

from tools.checks.quantity import Quantity, number, rounding
from tools.checks.remembered import remembered
from tools.checks.rule import Record
from tools.records.parse import Json
from tools.schema.binding import is_other_dimension
from tools.schema.vocabulary import Metric, Unit, vocabulary

MEAN = "mean"
WHOLE_RUN = ("", "unstated", MEAN)
"""Statistics under which a figure of the whole run may be filed; an average rate is the rate of the run."""

OUTPUT_RATE = "tps_aggregate"
TOKEN_RATES = {"output": OUTPUT_RATE, "input": "input_tok_s", "total": "total_tok_s"}
"""Wall-clock token rate of the deployment, by token kind."""


class Figure(NamedTuple):
    """One result: the metric, the statistic ("" where none is stated), the mapping of the result, its quantity."""

    metric: str
    statistic: str
    result: dict[str, Json]
    quantity: Quantity

    @property
    def definition(self) -> Metric:
        """The metric with its scope, token kind and direction."""
        return vocabulary().metrics[self.metric]

    @property
    def pointer(self) -> str:
        """JSON Pointer of the result; that of its value is `quantity.pointer`."""
        return self.quantity.pointer.removesuffix("/value")

    @property
    def approximate(self) -> bool:
        """Whether the source marks the value as about."""
        return self.result.get("approximate") is True


class Length(NamedTuple):
    """A length per request, in tokens; `measured` tells a mean of what was run from a length asked for."""

    quantity: Quantity
    measured: bool


@cache
def _known() -> tuple[dict[str, Metric], dict[str, Unit]]:
    words = vocabulary()
    return dict(words.metrics), dict(words.units)


class OperatingPoint:
    """The numbers of one benchmark record."""

    def __init__(self, record: Record) -> None:
        self.record = record
        self._numbers: dict[str, tuple[float, str] | None] = {}

    @cached_property
    def figures(self) -> tuple[Figure, ...]:
        """Every result that is a measured point: a known metric, a unit that can hold it, a finite value, no bound."""
        return tuple(self._figures())

    def _figures(self) -> Iterator[Figure]:
        metrics, units = _known()
        for pointer, result in self.record.mappings("/results"):
            metric, unit, statistic = result.get("metric"), result.get("unit"), result.get("statistic", "")
            value = number(result.get("value"))
            if not isinstance(metric, str) or not isinstance(unit, str) or value is None or "bound" in result:
                continue
            if metric not in metrics or unit not in units:
                continue
            if unit not in metrics[metric].units and is_other_dimension(metric, unit):
                continue
            quantity = Quantity(
                metric,
                value * units[unit].factor,
                f"{result['value']} {unit}",
                f"{pointer}/value",
                _slack(result, value),
            )
            yield Figure(metric, statistic if isinstance(statistic, str) else "", result, quantity)

    @cached_property
    def _by_metric(self) -> dict[str, list[Figure]]:
        found: dict[str, list[Figure]] = {}
        for figure in self.figures:
            found.setdefault(figure.metric, []).append(figure)
        return found

    def of(self, metric: str) -> list[Figure]:
        """All figures of a metric, whatever their statistic."""
        return self._by_metric.get(metric, [])

    def figure(self, metric: str, *statistics: str) -> Figure | None:
        """The first figure of a metric with one of the statistics; without any, the figure of the whole run."""
        for found in self._by_metric.get(metric, ()):
            if found.statistic in (statistics or WHOLE_RUN):
                return found
        return None

    def mean(self, metric: str) -> Quantity | None:
        """The quantity that is filed as the mean of a metric; an unstated statistic does not count."""
        found = self.figure(metric, MEAN)
        return found.quantity if found else None

    def whole(self, metric: str) -> Quantity | None:
        """The quantity of a metric of the whole run."""
        found = self.figure(metric)
        return found.quantity if found else None

    def number(self, path: str, name: str = "", unit: str = "") -> Quantity | None:
        """A plain number at a JSON Pointer; None where there is none, or a range."""
        read = self._numbers.get(path, ())
        if not read:
            if read is None:
                return None
            found = self.record.get(path)
            value = number(found)
            read = self._numbers[path] = None if value is None else (value, f"{found}")
            if read is None:
                return None
        return Quantity(name or path.rpartition("/")[2], read[0], f"{read[1]} {unit}".rstrip(), path)

    def condition(self, name: str, unit: str = "") -> Quantity | None:
        """A plain number of the conditions."""
        return self.number(f"/conditions/{name}", name, unit)

    def count(self, name: str, unit: str = "") -> Quantity | None:
        """A total of the run."""
        return self.number(f"/counts/{name}", name, unit)

    @cached_property
    def in_flight(self) -> Quantity | None:
        """Requests in flight: the concurrency, else the sequences of the batch."""
        return self.condition("concurrency", "in flight") or self.condition("batch_size", "in the batch")

    @cached_property
    def accelerators(self) -> Quantity | None:
        """Accelerators of the deployment; none of it is no number of them."""
        found = self.number("/hardware/accelerator_count", "accelerator_count", "accelerators")
        return found if found is not None and found.value >= 1 else None

    @property
    def accelerator_ids(self) -> tuple[str, ...]:
        """Ids of the accelerator records that took part."""
        ids = self.record.get("/accelerator_ids")
        return tuple(item for item in ids if isinstance(item, str)) if isinstance(ids, list) else ()

    @cached_property
    def is_speculative(self) -> bool:
        """Whether a step may emit several tokens of one request."""
        return self.record.get("/technique/kind") not in (None, "autoregressive")

    @cached_property
    def tokens_per_step(self) -> Quantity | None:
        """Tokens one request gets per step or stream event, where the record says it: acceptance length, tokens per
        event or the stream interval."""
        return (
            self.whole("acceptance_length")
            or self.number("/technique/acceptance_length")
            or self.condition("tokens_per_event")
            or self.condition("stream_interval")
        )

    def nominal_length(self, side: str) -> Quantity | None:
        """The length asked for; `side` is `input` or `output`."""
        return self.number(f"/conditions/{side}_length/nominal", f"nominal {side} length", "tokens")

    def measured_length(self, side: str) -> Quantity | None:
        """The mean length that was run: stated, filed as a result, or tokens over completed requests."""
        name = f"measured {side} length"
        stated = self.number(f"/conditions/{side}_length/mean", name, "tokens")
        if stated:
            return stated
        filed = self.mean(f"{side}_length_tokens")
        if filed:
            return filed._replace(name=name)
        tokens, completed = self.count(f"{side}_tokens"), self.count("completed")
        if tokens is None or completed is None or completed.value <= 0:
            return None
        mean = tokens.value / completed.value
        return Quantity(name, mean, f"{tokens.text} / {completed.text} requests", tokens.pointer)

    def length(self, side: str) -> Length | None:
        """The measured mean length, else the nominal one unless that is only a cap or an upper end."""
        measured = self.measured_length(side)
        if measured:
            return Length(measured, True)
        nominal = self.nominal_length(side)
        if nominal is None or self.record.get(f"/conditions/{side}_length/kind") in ("cap", "upper"):
            return None
        return Length(nominal, False)


def _slack(result: dict[str, Json], value: float) -> float:
    """How finely a result is known, as a share of it: its tolerance, else half a unit of its last digit."""
    if value == 0:
        return 0.0
    stated = number(result.get("tolerance"))
    if stated is not None:
        return abs(stated / value)
    printed = result.get("printed")
    exact = result["value"]
    assert isinstance(exact, (int, float))
    return abs(rounding(printed if isinstance(printed, str) else exact) / value)


@remembered()
def operating_point(record: Record) -> OperatingPoint:
    """The view of a record, made once for all the rules that ask in turn."""
    return OperatingPoint(record)
