"""Two requests may differ in more than their bodies."""

from __future__ import annotations

import pytest

from sigscope.comparison import edits_around, envelope_edits
from sigscope.edits.notation import describe, parse
from sigscope.exchange import Headers, Request

URL = "https://generativelanguage.googleapis.com/v1beta/models/gemini-3:generateContent"
SENT: Headers = (("Anthropic-Beta", "a"), ("X-Initiator", "user"), ("Date", "today"))


def told(left: Request, right: Request) -> list[str]:
    return [describe(edit) for edit in envelope_edits(left, right)]


def test_another_url_is_a_difference() -> None:
    other = URL.replace("gemini-3", "gemini-2.5-pro")
    assert told(Request(url=URL), Request(url=other)) == [f"send to {other}"]


@pytest.mark.parametrize(
    ("headers", "edits"),
    [
        ((("anthropic-beta", "a"), ("x-initiator", "user"), ("date", "now")), []),
        ((("anthropic-beta", "b"), SENT[1]), ["set header anthropic-beta to b"]),
        ((SENT[0],), ["remove header x-initiator"]),
        ((*SENT, ("OpenAI-Beta", "c")), ["set header openai-beta to c"]),
    ],
)
def test_headers_by_which_services_decide_are(
    headers: Headers, edits: list[str]
) -> None:
    assert told(Request(url=URL, headers=SENT), Request(url=URL, headers=headers)) == (
        edits
    )


def test_what_a_recording_does_not_tell_is_none() -> None:
    assert told(Request(url="", headers=()), Request(url=URL, headers=SENT)) == []
    assert told(Request(url=URL, headers=SENT), Request(url="")) == []


def test_a_key_in_the_url_is_left_out_where_it_is_not_shown() -> None:
    keyed = Request(url=f"{URL}?key=1"), Request(url=f"{URL}?key=2")
    assert envelope_edits(*keyed)
    assert not envelope_edits(*keyed, lambda url: url.partition("?")[0])


def test_of_edits_made_one_after_the_other_the_last_count() -> None:
    texts = ("header X-A: 1", "drop /a", "url https://h/x", "unheader x-a")
    assert [describe(e) for e in edits_around(map(parse, texts))] == [
        "remove header x-a",
        "send to https://h/x",
    ]
