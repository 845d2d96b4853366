"""A calibration as files below generated/calibration/, and back.

`layers.json` has the constants from layer tables with their sources, so that the tables themselves are not needed;
`calibration.json` has the fitted terms, the same for every source left out, and what they were fitted to.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tools.errors import ToolsError
from tools.sweep.calibration.fit import Fit
from tools.sweep.calibration.terms import Terms, read, written
from tools.sweep.measured.assumptions import TABLE
from tools.sweep.measured.points import Point

FOLDER = Path("generated") / "calibration"
LAYERS, RESULT = "layers.json", "calibration.json"


@dataclass(frozen=True, slots=True)
class Calibration:
    """Layer constants as stored, the fitted terms, and the terms of the fit that left a source out."""

    layers: Sequence[Mapping[str, Any]]
    terms: Terms
    left_out: Mapping[str, Terms]


def load(root: Path) -> Calibration:
    """The calibration of a ledger. Raises `ToolsError` where there is none."""
    value = _read(root / FOLDER / RESULT)
    try:
        terms = read(value["fit"]["terms"])
        left = {source: read(entry["terms"]) for source, entry in value["left_out"].items()}
    except (KeyError, TypeError) as error:
        raise _broken(root / FOLDER / RESULT) from error
    return Calibration(load_layers(root), terms, left)


def load_layers(root: Path) -> list[dict[str, Any]]:
    """The stored layer constants. Raises `ToolsError` where there are none."""
    value = _read(root / FOLDER / LAYERS)
    fits = value.get("fits") if isinstance(value, dict) else None
    if not isinstance(fits, list):
        raise _broken(root / FOLDER / LAYERS)
    return fits


def layers_text(fits: Sequence[Mapping[str, Any]], tables: Mapping[str, str]) -> str:
    """layers.json; `tables` are the digests of the tables by file name."""
    return _json({"tables": dict(sorted(tables.items())), "fits": list(fits)})


def result_text(fit: Fit, left_out: Mapping[str, Fit], points: Sequence[Point], layers: str) -> str:
    """calibration.json: terms, and digests of all they follow from."""
    return _json(
        {
            "inputs": {
                "layers_sha256": hashlib.sha256(layers.encode()).hexdigest(),
                "assumptions_sha256": hashlib.sha256(TABLE.read_bytes()).hexdigest(),
                "points": len(points),
                "points_sha256": points_digest(points),
            },
            "fit": _fit(fit),
            "left_out": {source: _fit(made) for source, made in sorted(left_out.items())},
        }
    )


def stored(fit: Fit, left_out: Mapping[str, Fit], layers: Sequence[Mapping[str, Any]]) -> Calibration:
    """What `load` gives once the same fits are written: terms have three digits."""
    return Calibration(
        layers,
        read(written(fit.terms)),
        {source: read(written(made.terms)) for source, made in left_out.items()},
    )


def points_digest(points: Sequence[Point]) -> str:
    """A digest of all that a fit takes from its points."""
    return hashlib.sha256("\n".join(map(repr, points)).encode()).hexdigest()


def _fit(made: Fit) -> dict[str, Any]:
    return {"points": made.points, "refused": made.refused, "terms": written(made.terms)}


def _read(path: Path) -> Any:
    try:
        return json.loads(path.read_bytes())
    except FileNotFoundError as error:
        hint = "`tools sweep calibrate` writes it"
        if path.name == LAYERS:
            hint = "name the tables once: tools sweep calibrate --layers FILE"
        raise ToolsError(f"there is no {path}", hint) from error
    except (OSError, ValueError) as error:
        raise _broken(path) from error


def _broken(path: Path) -> ToolsError:
    return ToolsError(f"{path} is no calibration", "`tools sweep calibrate` writes it anew")


def _json(value: Any) -> str:
    return json.dumps(value, indent=2, ensure_ascii=False) + "\n"
