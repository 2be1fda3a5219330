"""What only the answer can tell: nothing in the request shows it beforehand."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from sigscope.records import dataclass
from sigscope.rules.base import Claim, Subject
from sigscope.rules.edits import Fix


def named(subject: Subject, words: re.Pattern[str]) -> frozenset[str]:
    """What the error's texts name: the group "name" of a pattern, wherever it fits."""
    error = subject.error
    texts = (*error.texts, error.text) if error else ()
    return frozenset(m["name"] for text in texts for m in words.finditer(text))


@dataclass(frozen=True, slots=True, kw_only=True)
class ToldByAnswer:
    """The nodes that an answer in a rule's words names (`refusals.patterns`).

    Without `words` it claims nothing: the runner passes on what the service said.
    """

    rule: str
    """Its code."""
    words: str = ""
    """What is wrong with such a node."""
    fix: Callable[[Subject, str], Fix | None] = lambda *_: None
    """The edits, given the pointer of the node."""

    def __call__(self, subject: Subject) -> Iterator[Claim]:
        """One claim for each node."""
        matches = subject.error.matches if subject.error and self.words else ()
        for match in matches:
            for pointer in match.pointers if match.rule == self.rule else ():
                yield Claim(pointer, self.words, fix=self.fix(subject, pointer))
