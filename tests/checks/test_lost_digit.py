"""Which numbers may have lost their first digit when somebody copied them."""

from __future__ import annotations

import pytest

from tools.checks.rules.provenance.lost_digit import restored


@pytest.mark.parametrize(
    ("value", "whole"),
    [
        (27.0, 227.0),
        (27.4, 227.4),
        (27.41836672, 227.41836672),
        # Longer than any number in print: a program wrote it.
        (27.4183667249, None),
        # No one digit in front lifts it above 198.
        (0.5, None),
    ],
)
def test_the_least_digit_that_the_load_explains(value: float, whole: float | None) -> None:
    found = restored(value, 198.0, 9.0, None)
    assert found == (None if whole is None else pytest.approx(whole))


def test_a_next_load_that_falls_short_contradicts() -> None:
    assert restored(27.0, 198.0, 9.0, 230.0) == 227.0
    assert restored(27.0, 198.0, 9.0, 150.0) is None
