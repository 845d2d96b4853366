"""Examples through the real command, on real files: every rule about one record, at its line.

Each case is judged by `test_cases.py`; whether the command tells the same is asked of the first on either side. A call
costs more than a hundred cases, so they lie side by side in one ledger. The records that a case touches, and those that
lead to them, are there under names of its own; the rest of the small ledger is shared. Cases that need more than
records of their own have a ledger and a call each.
"""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from laying import cases_of, copied, laid_out, laid_over, place_of, standing

from tools.checks.cases import Case
from tools.checks.rule import Scope
from tools.checks.rules import RULES
from tools.cli.app import run
from tools.records.catalog import FOLDERS

Findings = Mapping[str, list[dict[str, Any]]]
"""What the command told, by file."""


class Laid(NamedTuple):
    """A case and its files: the texts by the place where they lie, and those places by where the case has them."""

    rule: str
    case: Case
    texts: dict[str, str]
    places: dict[str, str]


ABOUT_ONE_RECORD = [rule.name for rule in RULES if rule.scope is Scope.RECORD and rule.survey is None]
FIRST = [
    (name, case)
    for name in ABOUT_ONE_RECORD
    for case in (*cases_of(name).fails[:1], *cases_of(name).passes[:1])
]
STANDING = {place: content.decode() for place, content in standing().items() if place.endswith(".yaml")}
RECORD_FOLDERS = {f"data/{folder}" for folder in FOLDERS.values()}


def can_share(case: Case) -> bool:
    """Whether a case is a matter of records alone, which can have other names."""
    places = [Path(place).parent.as_posix() for place in (*case.files, *case.gone)]
    is_text = case.content is None and not case.size
    return is_text and not case.links and RECORD_FOLDERS.issuperset(places)


ALONE = [
    (name, case)
    for name in ABOUT_ONE_RECORD
    for case in (*cases_of(name).fails, *cases_of(name).passes)
    if not can_share(case)
]


def shared(number: int, rule: str, case: Case) -> Laid:
    """A case under names of its own."""
    texts = dict(case.files)
    if case.record:
        place = place_of(case.record).as_posix()
        texts[place] = laid_over(case, STANDING[place].encode()).decode()
    own = {Path(place).stem for place in (*texts, *case.gone)}
    found = True
    while found:
        names = spelled(own)
        found = {
            place: text
            for place, text in STANDING.items()
            if place not in texts and place not in case.gone and names.search(text)
        }
        texts.update(found)
        own |= {Path(place).stem for place in found}
    names = spelled(own)
    places = {place: str(Path(place).with_stem(f"c{number}-{Path(place).stem}")) for place in texts}
    renamed = {places[place]: names.sub(f"c{number}-\\g<0>", text) for place, text in texts.items()}
    return Laid(rule, case, renamed, places)


def spelled(ids: set[str]) -> re.Pattern[str]:
    """The ids where they stand as whole words."""
    listed = "|".join(map(re.escape, sorted(ids, key=len, reverse=True)))
    return re.compile(rf"(?<![\w.-])(?:{listed})(?![\w-]|\.\w)")


def told(root: Path, capsys: pytest.CaptureFixture[str]) -> Findings:
    """What a call of the command says of a ledger."""
    capsys.readouterr()
    code = run(["validate", "--format", "json", "--no-cache", "--root", str(root)])
    printed, said = capsys.readouterr()
    assert code in (0, 1), said
    found: defaultdict[str, list[dict[str, Any]]] = defaultdict(list)
    for finding in json.loads(printed)["findings"]:
        if finding["acknowledged"] is None:
            found[finding["file"]].append(finding)
    return found


def complaints(laid: Laid, found: Findings) -> Iterator[str]:
    """Where the findings about the files of a case are not what the case says."""
    of_case = [finding for place in laid.places.values() for finding in found.get(place, ())]
    expected = laid.case.expected
    if expected is None:
        loud = {finding["rule"] for finding in of_case} & set(ABOUT_ONE_RECORD)
        if loud:
            yield f"{laid.rule}: {laid.case.name}: should pass, but there is {', '.join(sorted(loud))}"
        return
    mine = [finding for finding in of_case if finding["rule"] == laid.rule]
    place = laid.places[expected.file or place_of(laid.case.record).as_posix()]
    lines = laid.texts[place].split("\n")
    at = [lines[finding["line"] - 1] for finding in mine if finding["file"] == place]
    # The names of records are other ones here.
    wanted = spelled({Path(own).stem for own in laid.places}).sub(
        lambda match: f"{Path(place).stem.partition('-')[0]}-{match[0]}", expected.at
    )
    if len(mine) != expected.count or not any(wanted in line for line in at):
        yield f"{laid.rule}: {laid.case.name}: expected {expected.count} at `{wanted}`, told {len(mine)} at {at}"


def test_cases_about_one_record_through_the_command(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    copied(tmp_path)
    side_by_side = [shared(n, *case) for n, case in enumerate(FIRST) if can_share(case[1])]
    assert len(side_by_side) > len(ABOUT_ONE_RECORD)
    for laid in side_by_side:
        for place, text in laid.texts.items():
            (tmp_path / place).write_text(text, encoding="utf-8")
    found = told(tmp_path, capsys)
    assert [wrong for laid in side_by_side for wrong in complaints(laid, found)] == []


@pytest.mark.parametrize(
    ("rule", "case"),
    [pytest.param(rule, case, id=f"{rule}: {case.name}") for rule, case in ALONE],
)
def test_a_case_that_needs_a_ledger_of_its_own(
    rule: str, case: Case, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    root = laid_out(case, tmp_path / "ledger")
    files = [path for path in sorted(root.glob("data/*/*.yaml")) if path.is_file() and not path.is_symlink()]
    texts = {
        path.relative_to(root).as_posix(): path.read_text(encoding="utf-8", errors="replace")
        for path in files
    }
    assert (
        list(complaints(Laid(rule, case, texts, {place: place for place in texts}), told(root, capsys))) == []
    )
