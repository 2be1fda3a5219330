"""Readings of requests that come and go: drafts share what recorded ones share."""

from __future__ import annotations

from sigscope.dialects.histories import Histories
from sigscope.exchange import Body, Exchange, Request
from sigscope.reader import Reading


def test_a_draft_at_the_address_of_one_that_is_gone_is_read_for_itself() -> None:
    histories = Histories()
    request = Request(url="", headers=(), body=Body(b'{"model":"new"}'))
    gone = Reading(
        Exchange(request=Request(url="", headers=(), body=Body(b'{"model":"old"}'))),
        histories=histories,
    )
    assert gone.request_text.raw == b'{"model":"old"}'
    for name in ("body", "text"):  # as if the new one had got the old one's address
        kept = histories.bodies.get((id(gone.exchange.request), name))
        assert kept is not None
        histories.bodies.put((id(request), name), kept, 1)
    fresh = Reading(Exchange(request=request), histories=histories)
    assert fresh.request_body.data == b'{"model":"new"}'
    assert fresh.request_text.raw == b'{"model":"new"}'
