"""llama-bench as it prints by default: a Markdown table, the devices above it, the build below.

    Device 0: AMD Radeon 8060S Graphics, gfx1151 (0x1151), VMM: no, ...
    | model                        |      size |  params | backend | ngl |            test |            t/s |
    | ---------------------------- | --------: | ------: | ------- | --: | --------------: | -------------: |
    | gemma4 26B.A4B Q4_K - Medium | 15.90 GiB | 25.23 B | ROCm    |  99 | pp2048 @ d32768 | 761.50 ± 12.52 |

    build: 0253fb21f (9187)

The devices stand there only where the log was kept with the table. Columns are those that differ from the defaults.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from tools.importers.printed import read_number
from tools.importers.programs.content import Content
from tools.importers.programs.format import Format, Reading
from tools.importers.programs.llama_run import (
    LACKS,
    flags,
    state_cache,
    state_devices,
    state_engine,
    state_model,
    state_test,
)
from tools.importers.programs.markdown import is_row, tables
from tools.importers.programs.point import Point, RefusedError

_BUILD = re.compile(r"build: ([0-9a-f]{7,40}|unknown) \(([0-9]+)\)")
_DEVICE = re.compile(r"\s*(?:ggml_\w+: )?(?:Device )?[0-9]+(?:: | = )([^,|(]+?)\s*(?:,.*|\(.*|\|.*)?")
_TEST = re.compile(r"(?:pp([0-9]+))?\+?(?:tg([0-9]+))?(?: @ d([0-9]+))?")
_RATE = re.compile(r"([0-9.]+)(?: ± ([0-9.]+))?")
_SETTINGS = {
    "ngl": "n_gpu_layers",
    "ncmoe": "n_cpu_moe",
    "threads": "threads",
    "n_batch": "n_batch",
    "n_ubatch": "n_ubatch",
    "fa": "flash_attn",
    "sm": "split_mode",
    "nkvo": "no_kv_offload",
    "mmap": "mmap",
}
_NOT_STATED = ("size", "params", "type_k", "type_v", "mg", "ts", "dev", "poll", "embd", "sm", "dio", "ot")


def recognise(content: Content) -> str | None:
    """The reason: a table with the columns model, test and t/s."""
    heads = (head for head, _ in tables(content))
    return "it has a table with the columns model, test and t/s" if any(map(_is_ours, heads)) else None


def _is_ours(head: tuple[str, ...]) -> bool:
    return {"model", "test", "t/s"} <= set(head)


def read(reading: Reading) -> list[Point]:
    """A point of every row of every table."""
    return reading.each(_Rows(reading.content).read, _rows(reading))


def _rows(reading: Reading) -> Iterator[tuple[str, Mapping[str, str]]]:
    for head, rows in tables(reading.content):
        if not _is_ours(head):
            continue
        for row in rows:
            if len(row.cells) == len(head):
                yield f"line {row.line}", dict(zip(head, row.cells, strict=True))
            else:
                reason = f"the row has {len(row.cells)} cells where the table has {len(head)}: is it cut off?"
                reading.refusals.append((f"{reading.place}, line {row.line}", reason))


class _Rows:
    """The rows of one file, with the devices and the build that the log has once for all of them."""

    def __init__(self, content: Content) -> None:
        self.builds = {found.groups() for line in content.lines if (found := _BUILD.fullmatch(line.strip()))}
        devices = [
            found[1]
            for line in content.lines
            if not is_row(line) and "Device" in line and (found := _DEVICE.fullmatch(line))
        ]
        self.devices = devices

    def read(self, point: Point) -> None:
        """States one row."""
        point.skip(*_NOT_STATED)
        test, rate = _TEST.fullmatch(point.text("test") or ""), _RATE.fullmatch(point.text("t/s") or "")
        if not test or not rate or not any(test.groups()):
            raise RefusedError("the row has no test such as pp512, or no rate")
        prompt, generated, depth = (int(number or 0) for number in test.groups())
        metric = state_test(point, prompt, generated, depth)
        state_model(point, point.text("model"))
        backends = point.text("backend")
        commit, number = next(iter(self.builds)) if len(self.builds) == 1 else (None, None)
        state_engine(point, backends, commit, int(number) if number else None)
        if len(self.builds) > 1:
            point.lack("engine_version", "the file has tables of several builds")
        point.draft.put("/engine/flags", flags({words: point.text(key) for key, words in _SETTINGS.items()}))
        whole = point.values.get("dev") is None and point.values.get("sm") != "none"
        state_devices(point, backends, self.devices, whole=whole)
        if "type_k" in point.values:
            state_cache(point, point.text("type_k"), point.text("type_v"))
        self._rate(point, metric, rate[1], rate[2])

    def _rate(self, point: Point, metric: str, mean: str, spread: str | None) -> None:
        number = read_number(mean)
        if number is None or number.value <= 0:
            raise RefusedError("the rate is 0: nothing was measured")
        point.add(metric, number, "tok/s", key="t/s", statistic="mean", said="t/s")
        deviation = read_number(spread or "")
        if deviation is not None and deviation.value > 0:
            point.add(metric, deviation, "tok/s", key="t/s, after ±", statistic="std", said="t/s")


FORMAT = Format(
    "llama-bench-table",
    "Markdown table with the columns model, test and t/s",
    recognise,
    read,
    LACKS,
    read_from="log",
)
