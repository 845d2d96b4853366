"""What unquoted words mean, and which are refused."""

from __future__ import annotations

import pytest

from tools.records.scalars import ScalarError, plain_value

MEANINGS = [
    ("", None),
    ("~", None),
    ("null", None),
    ("Null", None),
    ("NULL", None),
    ("true", True),
    ("false", False),
    ("True", "True"),
    ("FALSE", "FALSE"),
    ("yes", "yes"),
    ("no", "no"),
    ("on", "on"),
    ("off", "off"),
    ("y", "y"),
    ("n", "n"),
    ("0", 0),
    ("-0", 0),
    ("42", 42),
    ("-7", -7),
    ("1" * 30, int("1" * 30)),
    ("1" * 4300, int("1" * 4300)),
    ("0.5", 0.5),
    ("2.20", 2.2),
    ("-1.25", -1.25),
    ("1e5", 100000.0),
    ("1E+3", 1000.0),
    ("1.5e-3", 0.0015),
    ("1234567e12", 1.234567e18),
    ("1.10", 1.1),
    ("12:30:45", "12:30:45"),
    ("2025-01-02", "2025-01-02"),
    ("0.6.3", "0.6.3"),
    ("0.6.3.post1", "0.6.3.post1"),
    ("1,000", "1,000"),
    ("-", "-"),
    ("+", "+"),
    (".", "."),
    ("...", "..."),
    ("nan", "nan"),
    ("inf", "inf"),
    ("0x", "0x"),
    ("0b2", "0b2"),
    ("1e", "1e"),
    ("e5", "e5"),
    ("٣", "٣"),
    ("1٣", "1٣"),
    ("nvidia", "nvidia"),
]

AMBIGUOUS = [
    ("010", "10"),
    ("0123456", "123456"),
    ("0123e4", "123e4"),
    ("00", "0"),
    ("-010", "-10"),
    ("0x1F", "31"),
    ("0X1f", "31"),
    ("0o17", "15"),
    ("0b101", "5"),
    ("1_000", "1000"),
    ("1_000.5", "1000.5"),
    ("+5", "5"),
    ("+0.5", "0.5"),
    (".5", "0.5"),
    ("-.5", "-0.5"),
    ("5.", "5.0"),
    ("5.e3", "5.0e3"),
    ("010.5", "10.5"),
]

NOT_QUANTITIES = [
    ".inf",
    "-.inf",
    "+.Inf",
    ".INF",
    ".nan",
    ".NaN",
    "-.NAN",
    "1e999",
    "-1e999",
    "9" * 400 + ".0",
    "1" * 4301,
    "-" + "1" * 5000,
]


@pytest.mark.parametrize(("text", "value"), MEANINGS, ids=lambda part: repr(part)[:20])
def test_meaning(text: str, value: object) -> None:
    meaning = plain_value(text)
    assert (type(meaning), meaning) == (type(value), value)


@pytest.mark.parametrize(("text", "suggestion"), AMBIGUOUS)
def test_ambiguous(text: str, suggestion: str) -> None:
    with pytest.raises(ScalarError) as caught:
        plain_value(text)
    assert caught.value.rule == "ambiguous-scalar"
    assert f'quote it ("{text}")' in caught.value.hint
    assert f"or write {suggestion} " in caught.value.hint


@pytest.mark.parametrize("text", NOT_QUANTITIES, ids=lambda text: text[:10])
def test_not_a_quantity(text: str) -> None:
    with pytest.raises(ScalarError) as caught:
        plain_value(text)
    assert caught.value.rule == "non-finite-number"
    assert len(caught.value.message) < 200


@pytest.mark.parametrize(
    "text", ["0x" + "f" * 100_000, "0" * 100_000, "1_" * 100_000], ids=lambda text: text[:4]
)
def test_long_ambiguous_number_is_shortened(text: str) -> None:
    with pytest.raises(ScalarError) as caught:
        plain_value(text)
    assert len(caught.value.message + caught.value.hint) < 300


@pytest.mark.parametrize("text", ["1e-999", "-1e-999", "0.5e-400", "0." + "0" * 400 + "1", "2e-324"])
def test_too_small_to_hold_is_not_zero(text: str) -> None:
    with pytest.raises(ScalarError, match="would be read as 0") as caught:
        plain_value(text)
    assert caught.value.rule == "ambiguous-scalar"
    assert len(caught.value.message + caught.value.hint) < 300


@pytest.mark.parametrize("text", ["0.0", "0e5", "-0.0", "0e-999", "0.000E+999"])
def test_a_written_zero_is_zero(text: str) -> None:
    assert plain_value(text) == 0


def test_smallest_number() -> None:
    assert plain_value("5e-324") == 5e-324
