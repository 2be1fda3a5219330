"""Messages with calls that lack their thinking, at DeepSeek's twin of Anthropic's API.

It wants the thinking of every call of the history, those of closed turns as well, and
looks at no signature (docs/wire/deepseek.md#dsk-2).
"""

from __future__ import annotations

from collections.abc import Iterator

from sigscope.dialects.anthropic_blocks import is_thought
from sigscope.dialects.deepseek import DEEPSEEK
from sigscope.rules.anthropic.blocks import content, mode, restored
from sigscope.rules.base import Claim, Subject
from sigscope.rules.tallies import Callers
from sigscope.rules.words import calling

CODE = "DSK-2"


def unthought(subject: Subject) -> Iterator[Claim]:
    """One claim for each. Thinking is on there unless it is turned off."""
    is_meant = CODE in subject.heard or (
        subject.reading.service == DEEPSEEK.name and mode(subject) != "disabled"
    )
    for index in subject.tally(Callers).answers if is_meant else ():
        if not any(map(is_thought, content(subject, index))):
            message = subject.messages[index]
            yield Claim(
                message.pointer,
                f"no thinking block stands in the message that {calling(message)}",
                fix=restored(subject, index),
            )
