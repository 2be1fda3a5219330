"""A table as one test: what is asked of each row, and all rows that fail told."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypeVar

Row = TypeVar("Row")


def each(
    rows: Iterable[Row], name: Callable[[Row], object] = repr
) -> Callable[[Callable[[Row], None]], Callable[[], None]]:
    """Makes a test of what is said of one row. A parameter would be collected by every
    worker and reported one by one, which takes longer than most rows take."""

    told = tuple(rows)

    def of_all(one: Callable[[Row], None]) -> Callable[[], None]:
        def test() -> None:
            failed = []
            for row in told:
                try:
                    one(row)
                except Exception as error:  # noqa: BLE001 - told below
                    error.add_note(f"of {name(row)}")
                    failed.append(error)
            assert told
            if failed:
                raise ExceptionGroup(f"{len(failed)} of {len(told)} rows", failed)

        test.__doc__, test.__name__ = one.__doc__, one.__name__
        test.__qualname__, test.__module__ = one.__qualname__, one.__module__
        return test

    return of_all
