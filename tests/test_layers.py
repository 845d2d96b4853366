"""Imports point one way: a room may look only at the rooms below it."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

PACKAGE = Path(__file__).resolve().parents[1] / "tools"
MAY_IMPORT = {
    "finding": set(),
    "errors": set(),
    "records": {"finding", "errors"},
    "schema": {"records", "finding", "errors"},
    "roofline": {"schema", "records", "finding", "errors"},
    "audit": {"schema", "records", "finding", "errors"},
    "checks": {"audit", "roofline", "schema", "records", "finding", "errors"},
    "importers": {"audit", "schema", "records", "finding", "errors"},
    "sweep": {"roofline", "audit", "schema", "records", "finding", "errors"},
    "gaps": {"audit", "roofline", "schema", "records", "finding", "errors"},
    "warehouse": {"sweep", "checks", "audit", "roofline", "schema", "records", "finding", "errors"},
    "cli": {
        "gaps",
        "warehouse",
        "sweep",
        "importers",
        "checks",
        "audit",
        "schema",
        "records",
        "finding",
        "errors",
    },
    "__main__": {"cli"},
    "__init__": set(),
}
MODULES = sorted(PACKAGE.rglob("*.py"))


def room(path: Path) -> str:
    first = path.relative_to(PACKAGE).parts[0]
    return first.removesuffix(".py")


@cache
def text_of(path: Path) -> str:
    return path.read_text(encoding="utf-8")


def imported(path: Path) -> set[str]:
    """Every module that a line imports, at the top or inside a function; the style allows one module a statement."""
    return set(re.findall(r"^ *(?:from|import) ([\w.]+)", text_of(path), re.MULTILINE))


def test_every_room_is_listed() -> None:
    assert {room(path) for path in MODULES} == set(MAY_IMPORT)


def test_imports_point_down() -> None:
    for path in MODULES:
        rooms = {name.split(".")[1] for name in imported(path) if name.startswith("tools.")}
        own = room(path)
        assert rooms - {own} <= MAY_IMPORT[own], path


def test_only_the_output_module_knows_rich() -> None:
    knowing = {path.name for path in MODULES if "rich" in {name.split(".")[0] for name in imported(path)}}
    assert knowing == {"output.py"}


def test_a_module_says_why_it_exists() -> None:
    assert [path for path in MODULES if not re.match(r'"""\w|"""`', text_of(path))] == []
