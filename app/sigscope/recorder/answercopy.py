"""An answer on its way, kept for the mender until it is over.

What is over is not only what has ended: SDKs go on with the next request when the last
event has come, often before the end of the body has.
"""

from __future__ import annotations

from collections.abc import Callable

from sigscope.exchange import Body, Response
from sigscope.recorder.arrival import IncomingAnswer
from sigscope.recorder.mend import RequestMender

MOST = 64 * 1024 * 1024
"""Bytes of an answer that are kept for it; of a longer one it is told nothing."""


class AnswerCopy:
    """One answer. Told once."""

    def __init__(
        self,
        mender: RequestMender,
        step: int,
        incoming: IncomingAnswer,
        last_event: Callable[[], str],
        on_told: Callable[[AnswerCopy], None],
    ) -> None:
        """`last_event`: what ended the stream, by all that has come; empty if
        nothing did. `on_told`: it is to be kept no more."""
        self._mender = mender
        self._step = step
        self._incoming = incoming
        self._last_event = last_event
        self._on_told = on_told
        self._pieces: list[bytes] = []
        self._size = 0
        self._is_told = False

    def take(self, payload: bytes) -> None:
        """Some of the body."""
        self._size += len(payload)
        if self._size <= MOST and not self._is_told:
            self._pieces.append(payload)

    def look(self) -> None:
        """Tell of it if its stream has said that it is over."""
        if self._last_event():
            self.end()

    def end(self) -> None:
        """Tell of it as it is."""
        if self._is_told:
            return
        self._is_told = True
        self._on_told(self)
        head = self._incoming.head
        response = None
        if head is not None and self._size <= MOST:
            response = Response(
                status=head.status,
                headers=head.headers,
                body=Body(b"".join(self._pieces)),
                ending="complete",
            )
        self._pieces.clear()
        self._mender.answered(self._step, response)
