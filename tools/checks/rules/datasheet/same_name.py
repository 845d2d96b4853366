"""Two records of one part or one model."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from tools.checks.rule import Fault, Ledger, PlacedFault, Record, Rule
from tools.finding import Level
from tools.records.catalog import Catalog
from tools.records.parse import Json

_NAMES = {"accelerator": ("/name",), "model": ("/hf_id", "/name")}


def gather(record: Record, _: Ledger) -> Json:
    names = _NAMES.get(record.kind, ())
    if not names or record.value.get("status") in ("superseded", "retracted"):
        return None
    found: dict[str, Json] = {}
    for path in names:
        text = record.text(path)
        if text:
            found[path] = [" ".join(text.casefold().split()), text]
    return {"id": record.id, "kind": record.kind, "names": found}


def survey(facts: Mapping[str, Json], _: Catalog) -> Iterator[PlacedFault]:
    first: dict[tuple[str, str, str], str] = {}
    for file, fact in sorted(facts.items()):
        assert isinstance(fact, dict)
        names, kind, own = fact["names"], str(fact["kind"]), str(fact["id"])
        assert isinstance(names, dict)
        for path, told in names.items():
            assert isinstance(told, list)
            key, text = told
            earlier = first.setdefault((kind, path, str(key)), own)
            if earlier != own:
                yield PlacedFault(
                    file,
                    Fault(
                        path,
                        f"`{earlier}` is called {text} too",
                        "if they are one, supersede one of them; else let the name say what differs (form factor, "
                        "memory size, edition)",
                    ),
                )
                break


RULE = Rule(
    name="same-name",
    level=Level.WARNING,
    summary="Two accelerator or model records have one name.",
    why=(
        "Benchmarks of one part filed under two ids cannot be found together, and a correction of one of the two "
        "records leaves the other wrong. Parts that do differ (form factor, memory size, power) must have names "
        "that say so, or the wrong one gets cited. Models are compared by their hub id too. Records that were "
        "superseded or retracted do not count."
    ),
    reference="LottoLottoLotto/localmaxxing-cli#6",
    formula="names (capitals and blanks aside) and hub ids differ between any two records of one kind",
    kinds=("accelerator", "model"),
    gather=gather,
    survey=survey,
)
