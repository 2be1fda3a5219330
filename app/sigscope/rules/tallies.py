"""What rules count over a history: begun where the request before ended.

A rule that walks through all messages of all requests costs the square of a session.
These tell it at once that there is nothing to find, which is nearly always so.
"""

from __future__ import annotations

from sigscope.conversation import Message, Part, Role


class Callers:
    """Messages in which the model calls something."""

    def __init__(self) -> None:
        self.indices: list[int] = []
        """Of all messages with calls."""
        self.answers: list[int] = []
        """Of those among them that are the model's."""

    def add(self, index: int, message: Message) -> None:
        """Count a message in."""
        if message.calls:
            self.indices.append(index)
            if message.role is Role.ASSISTANT:
                self.answers.append(index)


class CallRows:
    """Whether each row of the model's contents is answered by as many results as it
    makes calls, right behind it."""

    def __init__(self) -> None:
        self.are_even = True
        self._pending = 0

    def add(self, index: int, message: Message) -> None:
        """Count a message in."""
        if message.role is Role.ASSISTANT:
            self._pending += len(message.calls)
        else:
            self.are_even = self.are_even and len(message.results) == self._pending
            self._pending = 0


class Pairs:
    """Calls and results without their other half."""

    def __init__(self) -> None:
        self.orphans = 0
        """Results with an id that no message up to theirs calls."""
        self.pending: dict[str, int] = {}
        """Ids of calls that no result answers, with the index of the last message
        that makes such a call."""
        self._called: set[str | None] = {None}
        self._answered: set[str | None] = {None}

    def add(self, index: int, message: Message) -> None:
        """Count a message in."""
        for call in message.calls:
            self._called.add(call.call_id)
            if call.call_id is not None and call.call_id not in self._answered:
                self.pending[call.call_id] = index
        for result in message.results:
            self.orphans += result.call_id not in self._called
            self._answered.add(result.call_id)
            self.pending.pop(result.call_id or "", None)


class Doubles:
    """Results whose call an earlier one answers, since the call was last made."""

    def __init__(self) -> None:
        self.found: list[tuple[int, Part, int]] = []
        """Index of the message, the result, and index of the earlier one."""
        self._answered: dict[str, int] = {}

    def add(self, index: int, message: Message) -> None:
        """Count a message in."""
        for call in message.calls:
            self._answered.pop(call.call_id or "", None)
        for result in message.results:
            if result.call_id is None:
                continue
            if result.call_id in self._answered:
                self.found.append((index, result, self._answered[result.call_id]))
            else:
                self._answered[result.call_id] = index
