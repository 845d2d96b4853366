"""What the name of a file or folder seems to say of a run, as a question to whoever imports it.

A name is no data: files are copied, renamed and named in advance, and one that says FP8 may hold a run in BF16. But it
often repeats what the contributor knows and the program did not write, and asking costs nothing. A word is asked about
only where the record lacks what it would say, and only where it stands alone between the signs that part words in
names.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from tools.importers.draft import Draft
from tools.importers.tree import at

_ACCELERATORS = (
    "a10g", "a100", "a30", "a40", "b100", "b200", "b300", "gaudi2", "gaudi3", "gb10", "gb200", "gb300", "gh200", "h20",
    "h100", "h200", "h800", "l40", "l40s", "mi210", "mi250", "mi250x", "mi300a", "mi300x", "mi308x", "mi325x",
    "mi350x", "mi355x", "rtx3090", "rtx4090", "rtx5090", "v100",
)  # fmt: skip
_FORMATS = ("awq", "bf16", "fp16", "fp4", "fp8", "gptq", "int4", "int8", "mxfp4", "nvfp4", "w4a16", "w8a8")
_ENGINES = "vllm|sglang|trt-?llm|tensorrt-?llm|lmdeploy|tgi"
_COUNT = "[1-9][0-9]{0,5}"
_C4 = "c4"
"""A data set of that name is in common use."""


@dataclass(frozen=True, slots=True)
class _Hint:
    """A word that names have: what it may say, and how a call states that."""

    about: str
    """A condition, or the pointer of another field."""
    pattern: re.Pattern[str]
    setting: str
    """The words of `--set`; {0} and {1} are what the pattern found."""


def _hint(about: str, word: str, setting: str) -> _Hint:
    return _Hint(about, re.compile(rf"(?i)(?<![a-z0-9.])(?:{word})(?![a-z0-9]|\.[0-9])"), setting)


_HINTS = (
    _hint("hardware", rf"({_COUNT})x[-_]?({'|'.join(_ACCELERATORS)})", "hardware={0}xNAME"),
    _hint("hardware", rf"({'|'.join(_ACCELERATORS)})(?:[-_]?x({_COUNT}))?", "hardware=NAME"),
    _hint("load", rf"(?:c|(?:conc|concurrency)[-_=]?)({_COUNT})", "load=concurrency:{0}"),
    _hint("load", rf"(?:bs|batch|batch[-_]?size[-_=]?)({_COUNT})", "load=batch_size:{0}"),
    _hint("load", rf"(?:qps|rps)[-_=]?({_COUNT})", "load=request_rate:{0}"),
    _hint("input_length", rf"(?:in|(?:isl|input[-_]?len(?:gth)?)[-_=]?)({_COUNT})", "input_length={0}"),
    _hint("output_length", rf"(?:out|(?:osl|output[-_]?len(?:gth)?)[-_=]?)({_COUNT})", "output_length={0}"),
    _hint(
        "engine_version",
        rf"(?:({_ENGINES})[-_=]?)v?([0-9]+\.[0-9]+(?:\.[0-9]+)?(?:\.?post[0-9]+|\.?rc[0-9]+)?)",
        "engine_version={0}@{1}",
    ),
    _hint("/parallelism/tensor", rf"tp[-_=]?({_COUNT})", "/parallelism/tensor={0}"),
    _hint("/precision/weights", rf"({'|'.join(_FORMATS)})", "/precision/weights={0}"),
)


def questions(names: Sequence[str], draft: Draft) -> Iterator[str]:
    """A question for each thing that names say and a settled draft does not; the first word for it counts."""
    asked = set()
    for hint in _HINTS:
        if hint.about in asked or not _is_open(hint.about, draft):
            continue
        found = next((match for name in names if (match := _match(hint, name, draft)) is not None), None)
        if found is not None:
            asked.add(hint.about)
            said = hint.setting.format(*(group.lower() if group else "" for group in found.groups()))
            yield f'{hint.about}: a name has "{found[0]}"; if a source says so, --set {said}'


def _is_open(about: str, draft: Draft) -> bool:
    if not about.startswith("/"):
        return draft.absences.get(about, {}).get("reason") not in (None, "not_applicable")
    if about.startswith("/precision/"):
        return (
            at(draft.fields, "/precision/weights") is None
            and at(draft.fields, "/precision/quantization") is None
        )
    return at(draft.fields, about) is None


def _match(hint: _Hint, name: str, draft: Draft) -> re.Match[str] | None:
    found = hint.pattern.search(name)
    if found is None or found[0].lower() == _C4:
        return None
    # The name of the model has it too, and the record keeps that.
    label = str(draft.fields.get("model_label", ""))
    return None if hint.about.startswith("/") and found[0].lower() in label.lower() else found
