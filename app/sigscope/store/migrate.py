"""Old formats, brought up to the present one on reading.

A converter takes one parsed line of format n and gives the same line in format n + 1;
reading an old file runs each line through all converters from its format on. The file
itself stays as it is: it can be read for ever, and saved anew in the present format,
but not appended to.

To change the format: raise `FORMAT`, add a converter from the number before, and keep
a small file of the old format in the tests. Format 1 is the first; there is nothing to
convert yet.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from sigscope.errors import InputError
from sigscope.store.header import FORMAT

Json = dict[str, Any]
Converter = Callable[[Json], Json]

CONVERTERS: Mapping[int, Converter] = {}
"""By the format that each takes; the next number is what it gives."""


class Migration:
    """The way from one format to the present one."""

    def __init__(
        self,
        number: int,
        *,
        path: str | None = None,
        converters: Mapping[int, Converter] = CONVERTERS,
        target: int = FORMAT,
    ) -> None:
        """Raises `InputError` where no way leads from there to here."""
        if number > target:
            raise InputError(
                f"the session is of format {number}, and this sigscope reads formats up"
                f" to {target}: a newer sigscope wrote it, and is needed to read it",
                path=path,
            )
        steps = [converters.get(old) for old in range(number, target)]
        if None in steps:
            raise InputError(
                f"the session is of format {number}, which no sigscope ever wrote",
                path=path,
            )
        self._number = number
        self._steps = [step for step in steps if step is not None]
        self.is_needed = bool(self._steps)
        """False where lines are of the present format already."""

    def convert(self, line: Json) -> Json:
        """One line in the present format.

        Raises `ValueError` where it is not what its own format says.
        """
        try:
            for step in self._steps:
                line = step(line)
        except (LookupError, TypeError, AttributeError) as error:
            raise ValueError(
                f"it is no line of format {self._number}: {error!r}"
            ) from error
        return line
