"""Faults of the family and the rules that must find them."""

from __future__ import annotations

from injection import Injection

FAULTS: tuple[Injection, ...] = ()
