"""A case of a rule laid over the small ledger, so that it can be checked: the records as its author meant them."""

from __future__ import annotations

import shutil
from pathlib import Path

from scratch import Scratch

from tools.checks.cases import REPOSITORY, Case
from tools.records.catalog import Catalog
from tools.records.layout import render
from tools.records.parse import parse
from tools.schema.load import key_order

LEDGER = REPOSITORY / "ledger"


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


def laid_out(case: Case, root: Path, *, committed: bool = False) -> Path:
    """A ledger of its own for one case; what it is compared with is `committed` before it is changed."""
    shutil.copytree(LEDGER, root, ignore=shutil.ignore_patterns(".cache"))
    if committed:
        repository = Scratch.start(root)
        for place, text in case.base.items():
            repository.write(place, text)
        repository.commit()
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
    return root
