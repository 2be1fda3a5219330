"""Numbers in words."""

from __future__ import annotations

import pytest

from sigscope.export.figures import count, size


@pytest.mark.parametrize(
    ("octets", "words"),
    [
        (0, "0 B"),
        (999, "999 B"),
        (1000, "1.0 kB"),
        (999_499, "999.5 kB"),
        (999_500, "1.0 MB"),
        (3_449_999, "3.4 MB"),
        (999_949_999, "999.9 MB"),
        (2_000_000_000, "2.0 GB"),
    ],
)
def test_a_size_is_told_in_the_unit_that_fits(octets: int, words: str) -> None:
    assert size(octets) == words


def test_one_thing_is_no_several() -> None:
    told = [count(number, "step") for number in (0, 1, 1234)]
    assert told == ["0 steps", "1 step", "1,234 steps"]
