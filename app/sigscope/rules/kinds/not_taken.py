"""A member of messages that the model asked does not take: only its answer tells."""

from __future__ import annotations

from collections.abc import Iterator

from sigscope.records import dataclass
from sigscope.rules.base import Claim, Subject
from sigscope.rules.edits import drop, node


@dataclass(frozen=True, slots=True, kw_only=True)
class NotTaken:
    """Every message that has the member, once the service has said so."""

    rule: str
    """Its code."""
    key: str
    """The member: "reasoning_content"."""

    def __call__(self, subject: Subject) -> Iterator[Claim]:
        """One claim for each."""
        for message in subject.messages if self.rule in subject.heard else ():
            place = f"{message.pointer}/{self.key}"
            if node(subject.reading.request_json, place) is not None:
                yield Claim(
                    place,
                    f"this model takes no {self.key} in its input",
                    fix=(drop(place, "take it away: this model does not take it"),),
                )
