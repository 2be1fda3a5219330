"""Messages with calls that lack their thinking, at a service's twin of Anthropic's API.

Of services that want the thinking of every call of the history, those of closed turns
as well, and look at no signature: their own models' reasoning is text. A rule of this
kind speaks instead of ANT-2 (`Rule.instead_of`).
"""

from __future__ import annotations

from collections.abc import Iterator

from sigscope.dialects.anthropic_blocks import is_thought
from sigscope.records import dataclass
from sigscope.rules.anthropic.blocks import content, mode, restored
from sigscope.rules.base import Claim, Subject
from sigscope.rules.tallies import Callers
from sigscope.rules.words import calling


@dataclass(frozen=True, slots=True, kw_only=True)
class Unthought:
    """Where the service is asked, or its words are heard."""

    rule: str
    """Its code."""
    service: str

    def __call__(self, subject: Subject) -> Iterator[Claim]:
        """One claim for each. Thinking is on unless it is turned off."""
        is_meant = self.rule in subject.heard or (
            subject.reading.service == self.service and mode(subject) != "disabled"
        )
        for index in subject.tally(Callers).answers if is_meant else ():
            if not any(map(is_thought, content(subject, index))):
                message = subject.messages[index]
                yield Claim(
                    message.pointer,
                    f"no thinking block stands in the message that {calling(message)}",
                    fix=restored(subject, index),
                )
