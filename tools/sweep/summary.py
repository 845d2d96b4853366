"""The summary of a study for somebody who has seen neither the code nor the study; every number is computed."""

from __future__ import annotations

from collections.abc import Iterator

from tools.sweep.analysis import described, statements
from tools.sweep.grid import Results
from tools.sweep.metrics import CONFIDENCE
from tools.sweep.prose import heading, item, paragraph
from tools.sweep.published import Comparison

_WORDS = {
    "speculative decoding": (
        "a cheap draft proposes gamma tokens; the target model checks them in one step and keeps those up to the first "
        "it rejects, plus one token of its own"
    ),
    "q": "chance that a proposed token is accepted, given that those before it were",
    "speedup": "tokens per time over those of plain decoding in the same batch; 1 is break-even",
    "plain step": "the time in which plain decoding emits one token for every request; the unit of all costs",
    "ragged": "each request keeps its own accepted tokens; the batch ends when its requests have emitted B x L in sum",
    "refill": "a request that has emitted L tokens gives its slot to the next; the long run",
    "run_to_completion": "a request that has emitted L tokens idles in its slot until the last one has",
    "lock_step": "in each step all requests keep only as many tokens as the unluckiest one",
    "slot utilisation": "slots whose request has not yet emitted L tokens over all slots, averaged over steps",
    "divergence penalty": "1 - mean / maximum of the tokens that the requests of a step accept, averaged over steps",
}


def summary(results: Results, comparison: Comparison | None) -> str:
    """The text of summary.txt."""
    study = results.study
    found = list(statements(results))
    lines = [study.title, "=" * len(study.title), ""]
    lines += paragraph(
        f"{study.points} operating points of speculative decoding, computed and not measured: "
        f"{len(study.batch_sizes)} batch sizes B ({_listed(study.batch_sizes)}) x {len(study.gammas)} draft lengths "
        f"gamma ({_listed(study.gammas)}) x {len(study.qualities)} quality modes x {len(study.serving)} serving modes. "
        f"{study.requests:,} requests of L = {study.output_length} tokens for each quality mode, seed {study.seed}. "
        f"A speculative step costs {results.cost.formula()} plain steps."
    )
    lines += ["", *heading("The words")]
    for word, meaning in _WORDS.items():
        lines += item(f"{word}: {meaning}")
    lines += ["", *heading("The modes")]
    for name, population in study.qualities.items():
        lines += item(f"{name}: {described(population)}")
    for name, synchronisation in study.serving.items():
        lines += item(f"{name}: synchronisation {synchronisation}")
    lines += ["", *heading("What the numbers say, under these definitions")]
    for statement in found:
        if statement.basis == "simulated":
            lines += item(statement.text)
    lines += ["", *heading("What follows only from an assumption")]
    for statement in found:
        if statement.basis == "assumed":
            lines += item(statement.text)
    lines += ["", *heading("How sure the numbers are")]
    lines += _sampling(results)
    if comparison is not None:
        lines += ["", *heading("Against the published study"), *_published(results, comparison)]
    return "\n".join(lines) + "\n"


def _sampling(results: Results) -> Iterator[str]:
    widest = max(figures.half_width / figures.speedup for _, _, figures in results.served())
    yield from item(
        f"Sampling moves no speedup by more than {widest:.2%} either way ({CONFIDENCE:.0%} interval; each point has "
        "its own in results.csv). All batch sizes and gammas of a quality mode see the same requests, so the errors of "
        "neighbouring points go together and their difference is surer than either."
    )
    yield from item(
        "That is the error of the arithmetic. How far the model is from an accelerator is another question, which only "
        "measured records can answer."
    )


def _published(results: Results, comparison: Comparison) -> Iterator[str]:
    yield from item(
        f"{comparison.reproduced} of {len(comparison.figures)} published figures ({comparison.source_id}) are met "
        f"within {comparison.tolerance:.0%}; the largest error is {comparison.largest_error:.1%}, the root mean square "
        f"{comparison.rms_error:.1%}. docs/sweep.md has the table."
    )
    for figure in comparison.figures:
        if figure.our_peak is not None and figure.our_peak not in figure.peak_gammas:
            peak = results.peak(figure.quality, comparison.synchronisation)
            there = max(results.at[peak._replace(gamma=gamma)].speedup for gamma in figure.peak_gammas)
            yield from item(
                f"{figure.quality}: the study sees the peak at gamma {' or '.join(map(str, figure.peak_gammas))}; here "
                f"it is at gamma {figure.our_peak}, {figure.ours / there - 1:.1%} above that."
            )
    fall = comparison.break_even
    if fall is not None:
        known = {
            "in a straight line between the published figures": fall.printed,
            "in a straight line between ours": fall.ours,
            "by the formula": fall.closed_form,
        }
        places = [f"{gamma:.1f} {how}" for how, gamma in known.items() if gamma is not None]
        yield from item(
            f"{fall.quality} falls to break-even near gamma {fall.stated:g}, says the study. It is at "
            f"{', '.join(places)}."
        )


def _listed(values: tuple[int, ...]) -> str:
    return " ".join(map(str, values))
