"""One side of a comparison: a request, and what is known about places in it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from functools import cached_property

from sigscope import pointer as pointers
from sigscope.conversation import Conversation, Message, Sighting
from sigscope.exchange import Request
from sigscope.jsontext import JsonText, Node
from sigscope.reader import Reading
from sigscope.records import dataclass
from sigscope.utf8 import to_text


@dataclass(frozen=True, kw_only=True)
class Half:
    """A request body, its messages and its signatures. Everything may be empty."""

    title: str = ""
    """What it is called: "step 2", "run 1 of step 2"."""
    text: JsonText
    dialect: str = ""
    """Name of the dialect; empty where none fits."""
    conversation: Conversation = field(default_factory=Conversation)
    sent: tuple[Sighting, ...] = ()
    request: Request | None = None
    """Where it went, with its headers; None where that says nothing."""

    @cached_property
    def messages(self) -> Mapping[str, Message]:
        """The messages of the history by their pointers."""
        return {message.pointer: message for message in self.conversation.messages}

    @cached_property
    def signatures(self) -> Mapping[str, Sighting]:
        """The signatures by the pointers of the strings that hold them."""
        return {sighting.pointer: sighting for sighting in self.sent}

    @cached_property
    def history(self) -> Node | None:
        """The array that holds the messages; None where no history is known."""
        messages = self.conversation.messages
        if not messages:
            return None
        return self.text.maybe_locate(pointers.parent(messages[0].pointer))

    def json(self, node: Node) -> str:
        """A value as it is spelled; the form that edits carry."""
        return to_text(self.text.text(node))


def half_of(reading: Reading, title: str = "") -> Half:
    """The request of a step or a run. Costs a parse, when first looked at."""
    return Half(
        title=title or f"step {reading.number}",
        text=reading.request_text,
        dialect=reading.dialect.name if reading.dialect else "",
        conversation=reading.conversation,
        sent=reading.sent,
        request=reading.exchange.request,
    )
