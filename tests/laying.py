"""A case of a rule laid over the small ledger, so that it can be checked: the records as its author meant them."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from scratch import Scratch

from tools.checks.cases import REPOSITORY, Case, Cases
from tools.checks.cases import cases_of as read_cases
from tools.records.catalog import Catalog
from tools.records.layout import render
from tools.records.parse import parse
from tools.schema.load import key_order

LEDGER = REPOSITORY / "ledger"


@cache
def cases_of(rule: str) -> Cases:
    """The examples of a rule, read once for all the tests that need them."""
    return read_cases(rule)


@cache
def standing() -> dict[str, bytes]:
    """The files of the small ledger, by their place below its root."""
    files = (path for path in sorted(LEDGER.rglob("*")) if path.is_file())
    places = {path.relative_to(LEDGER): path for path in files}
    return {
        place.as_posix(): path.read_bytes() for place, path in places.items() if place.parts[0] != ".cache"
    }


@cache
def place_of(record: str) -> Path:
    """Where a record of the small ledger lies, below its root."""
    return Path(Catalog(LEDGER).require(record).path).relative_to(LEDGER)


def laid_over(case: Case, base: bytes) -> bytes:
    """The file of a case, made from that of the record it changes."""
    if case.content is not None:
        return case.content
    text = base.decode() if case.text is None else case.text
    if case.changed or case.removed:
        value = parse(base).value
        assert isinstance(value, dict)
        kind = value["kind"]
        assert isinstance(kind, str)
        changed = {key: item for key, item in {**value, **case.changed}.items() if key not in case.removed}
        text = render(changed, key_order(kind))
    for old, new in case.edits:
        assert old in text, f"{case.name}: nothing to replace"
        text = text.replace(old, new, 1)
    content = text.encode()
    return content + b"#" * (case.size - len(content) - 1) + b"\n" if case.size else content


def copied(root: Path) -> Path:
    """A copy of the small ledger."""
    for folder in {Path(place).parent for place in standing()}:
        (root / folder).mkdir(parents=True, exist_ok=True)
    for place, content in standing().items():
        (root / place).write_bytes(content)
    return root


def laid_out(case: Case, root: Path, *, committed: bool = False) -> Path:
    """A ledger of its own for one case; what it is compared with is `committed` before it is changed."""
    copied(root)
    if committed:
        repository = Scratch.start(root)
        for place, text in case.base.items():
            repository.write(place, text)
        repository.commit()
    lay(case, root)
    return root


def lay(case: Case, root: Path) -> None:
    """Change a copy of the small ledger as a case says."""
    if case.record:
        path = root / place_of(case.record)
        path.write_bytes(laid_over(case, path.read_bytes()))
    for place, text in case.files.items():
        (root / place).parent.mkdir(parents=True, exist_ok=True)
        (root / place).write_text(text, encoding="utf-8")
    for place, target in case.links.items():
        (root / place).symlink_to(target)
    for place in case.gone:
        (root / place).unlink()


def take_back(case: Case, root: Path) -> None:
    """Make the copy that a case was laid over what it was before."""
    own = [place_of(case.record).as_posix()] if case.record else []
    for place in {*own, *case.files, *case.links, *case.gone}:
        path = root / place
        path.unlink(missing_ok=True)
        if place in standing():
            path.write_bytes(standing()[place])
        while path.parent != root and not any(path.parent.iterdir()):
            path = path.parent
            path.rmdir()
