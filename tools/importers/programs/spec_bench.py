"""Spec-Bench and EAGLE style answers: a question a line, with what its turns took.

    {"question_id": 81, "category": "writing", "model_id": "label", "choices": [{"new_tokens": [947, 563],
     "wall_time": [12.9, 7.4], "decoding_steps": [416, 241], "accept_lengths": [1, 4, 1]}]}

One file is one run: one question at a time inside a program, without a server. Speed is computed here, in the two ways
in use: the mean over questions of tokens / time, as the benchmark's own script does, and all tokens / all time.
`accept_lengths` are the tokens of each step, the target's own among them; `idxs` are the numbers of the last steps. A
file without acceptance, or with ones alone, is a baseline. A speed-up needs two files and is not made here.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from tools.importers.printed import Printed
from tools.importers.programs.content import Content
from tools.importers.programs.format import Format, Reading
from tools.importers.programs.nested import inner, number_of, text_of, whole_of
from tools.importers.programs.point import Point, RefusedError, mean_of
from tools.importers.programs.spelling import is_name

LACKS = {
    "model": "the published names of target and draft; `model_id` is a free label of the run",
    "hardware": "the accelerator of the run",
    "input_length": "the prompt lengths of the question file, in tokens of the model",
    "engine_version": "the commit of the repository that ran, with the versions of its libraries",
    "warmup": "whether the script ran questions before the first one that counts",
}
_ACCEPTED = ("accept_lengths", "accept_lengths:")
_STEPS = ("decoding_steps", "idxs")
_BRIEFEST, _LONGEST = 1e-9, 1e9
"""Seconds of a turn, so wide that only what is no time lies outside."""
_LONGEST_STEP = 64
"""Tokens of one step that no draft exceeds."""


@dataclass
class _Run:
    """The sums over the questions of one label."""

    tokens: int = 0
    turns: int = 0
    questions: int = 0
    seconds: list[float] = field(default_factory=list)
    speeds: list[float] = field(default_factory=list)
    accepted: list[int] = field(default_factory=list)
    categories: set[str] = field(default_factory=set)


def recognise(content: Content) -> str | None:
    """The reason: choices with new tokens and wall times in every object."""
    first = next(iter(content.parts), None)
    if first is None or not {"choices", "question_id"} <= content.keys:
        return None
    choice = inner(first.values, "choices", 0)
    if isinstance(inner(choice, "new_tokens"), list) and isinstance(inner(choice, "wall_time"), list):
        return "it has questions whose choices have new_tokens and wall_time"
    return None


def read(reading: Reading) -> list[Point]:
    """A point of every label in the file."""
    by_label: dict[str, list[Mapping[str, Any]]] = {}
    for part in reading.content.parts:
        by_label.setdefault(str(part.values.get("model_id")), []).append(part.values)
    parts: list[tuple[str, Mapping[str, Any]]] = []
    for number, (label, questions) in enumerate(by_label.items(), 1):
        kept = {"label": label, "questions": [_measured(question) for question in questions]}
        parts.append((f"label {number}" if len(by_label) > 1 else "", kept))
    return reading.each(_read, parts)


def _measured(question: Mapping[str, Any]) -> Mapping[str, Any]:
    """The numbers of a question; what was asked and answered stays behind."""
    choices = inner(question, "choices")
    wanted = ("new_tokens", "wall_time", *_ACCEPTED, *_STEPS)
    kept = [
        {key: choice[key] for key in wanted if key in choice}
        for choice in (choices if isinstance(choices, list) else [])
        if isinstance(choice, dict)
    ]
    return {"category": inner(question, "category"), "choices": kept}


def _read(point: Point) -> None:
    run, questions = _Run(), point.take("questions")
    for question in questions:
        _add(run, question)
    if not run.tokens or not run.turns:
        raise RefusedError("no turn has new tokens, so that nothing was generated")
    label = point.text("label")
    draft = point.draft
    if label is not None and label != "None" and is_name(label):
        draft.put("/model_label", label)
    point.slug.append(label if label and is_name(label) else "label not told")
    draft.put("/conditions/batch_size", 1)
    draft.put("/conditions/scenario", "single_stream")
    draft.put(
        "/conditions/scenario_note",
        "one question at a time inside the program, its turns one after the other",
    )
    draft.put("/conditions/output_length/mean", mean_of(run.tokens, run.turns))
    draft.put("/client/count_side", "engine")
    if len(run.categories) == 1 and is_name(task := next(iter(run.categories))):
        draft.put("/conditions/task", task)
    draft.count("completed", run.turns)
    draft.count("output_tokens", run.tokens)
    seconds = math.fsum(run.seconds)
    draft.count("duration_s", seconds)
    draft.add_result(
        "tps_aggregate",
        Printed(run.tokens / seconds),
        "tok/s",
        more={"derived_from": {"formula": "sum of new_tokens / sum of wall_time"}},
    )
    draft.add_result(
        "tok_s_per_user_e2e",
        Printed(math.fsum(run.speeds) / len(run.speeds)),
        "tok/s",
        statistic="mean",
        more={
            "samples": run.questions,
            "derived_from": {"formula": "mean over questions of sum of new_tokens / sum of wall_time"},
        },
    )
    _acceptance(point, run)


def _add(run: _Run, question: Mapping[str, Any]) -> None:
    if category := text_of(question["category"]):
        run.categories.add(category)
    for choice in question["choices"]:
        tokens = [whole_of(item) for item in choice.get("new_tokens", ())]
        times = [number_of(item) for item in choice.get("wall_time", ())]
        if len(tokens) != len(times) or None in tokens or None in times:
            raise RefusedError(
                "new_tokens and wall_time of a question do not belong together: is it cut off?"
            )
        seconds, count = [float(time.value) for time in times if time], sum(filter(None, tokens))
        if not all(seconds) or not seconds:
            raise RefusedError("a turn has a wall time of 0, which no measurement gives")
        if not all(_BRIEFEST < second < _LONGEST for second in seconds):
            raise RefusedError("a turn has a wall time that is no time of a run in seconds")
        run.tokens += count
        run.turns += len(tokens)
        run.questions += 1
        run.seconds += seconds
        run.speeds.append(count / math.fsum(seconds))
        _add_acceptance(run, choice, count, len(tokens))


def _add_acceptance(run: _Run, choice: Mapping[str, Any], count: int, turns: int) -> None:
    key = next((key for key in _ACCEPTED if choice.get(key)), None)
    if key is None:
        return
    accepted = [whole_of(item) for item in choice[key]]
    lengths = [length for length in accepted if length is not None]
    if len(lengths) != len(accepted):
        raise RefusedError(f"{key} has an item that is no number of tokens")
    # The last step of a turn may be cut at the end token or at the limit; the first token may come from the prefill.
    if abs(sum(lengths) - count) > turns * min(max(lengths), _LONGEST_STEP):
        raise RefusedError(
            f"{key} of a question adds up to {sum(lengths)} tokens, but {count} are new: the file contradicts itself"
        )
    run.accepted += lengths


def _acceptance(point: Point, run: _Run) -> None:
    if not run.accepted:
        point.draft.remark("it has no accepted lengths: a baseline, or a file that was stripped")
    elif set(run.accepted) == {1}:
        point.draft.remark("every step gave one token: a baseline, and no acceptance of drafts")
    else:
        mean = Fraction(sum(run.accepted), len(run.accepted))
        point.draft.add_result(
            "acceptance_length",
            Printed(float(mean)),
            "tok/step",
            more={
                "samples": len(run.accepted),
                "derived_from": {"formula": "mean of accept_lengths over all steps"},
            },
        )
        point.draft.remark(
            "tokens were drafted; which technique did it is not in the file: --set /technique/kind=..."
        )


FORMAT = Format("spec-bench", "questions whose choices have new_tokens and wall_time", recognise, read, LACKS)
