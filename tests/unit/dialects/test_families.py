"""A speaker of a known family is a record: attributes, no code."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

import pytest

from sigscope.conversation import SignatureKind
from sigscope.dialects.base import Match, Probe
from sigscope.dialects.carriers import Carrier
from sigscope.dialects.chat import ChatDialect
from sigscope.dialects.homes import Delivery, Home, OnCall
from sigscope.dialects.registry import DIALECTS, recognise
from sigscope.dialects.services import Service, Variable
from sigscope.exchange import Body, Exchange, Request, Response
from sigscope.reader import Reading

ACME = Service(
    name="acme",
    title="Acme",
    hosts=("api.acme.example",),
    key_header="x-acme-key",
    key_variable=Variable("ACME_API_KEY", "your Acme key"),
)


class Acme(ChatDialect):
    """Made up: signatures on calls, thoughts as `musing`."""

    name = "acme-chat"
    title = "Acme chat completions"
    services = (ACME,)
    thought_fields = ("musing",)
    thought_key = "musing"
    signature_keys = ("seal",)
    marks = ("seal", "tool_calls/*/acme/seal")
    request_marks = ("acme_thread",)
    home = OnCall(path="acme/seal")
    carriers = (
        Carrier(
            name="acme.seal",
            kind=SignatureKind.SEALED,
            request=("/messages/*/tool_calls/*/acme/seal",),
            response=("/choices/*/message/seal",),
            event=("/choices/*/delta/seal",),
        ),
    )


ALL = (*DIALECTS, Acme())
CHAT = "/v1/chat/completions"


def probe(url: str, request: Any = None, response: Any = None) -> Probe:
    return Probe(url=url, request=lambda: request, response=lambda: response)


def said(**message: Any) -> dict[str, Any]:
    return {"choices": [{"index": 0, "delta": message}]}


@pytest.mark.parametrize(
    ("given", "match"),
    [
        (probe(f"https://api.acme.example{CHAT}"), Match.HOST),
        (probe(f"https://gateway.example{CHAT}", {}, [said(seal="A")]),
         Match.ANSWERED),
        (probe("", {}, said(tool_calls=[{}, {"acme": {"seal": "A"}}])), Match.ANSWERED),
        (probe("", {}, said(tool_calls=[{"acme": "seal"}])), Match.NO),
        (probe(f"https://gateway.example{CHAT}", {"acme_thread": "1"}), Match.ASKED),
        (probe("https://api.acme.example/v1/embeddings"), Match.NO),
    ],
)  # fmt: skip
def test_a_record_is_enough_to_be_recognised(given: Probe, match: Match) -> None:
    assert Acme().match(given) == match
    found, _ = recognise(given, ALL)
    assert (found.name if found else None) == ("acme-chat" if match else None)


@pytest.mark.parametrize(
    ("path", "match"),
    [("/acme/chat/completions", Match.HOST), (CHAT, Match.NO), ("", Match.HOST)],
)
def test_a_service_that_has_paths_of_its_own_speaks_others_beside_them(
    path: str, match: Match
) -> None:
    class OnPaths(Acme):
        services = (replace(ACME, path=re.compile("/acme/")),)

    body = {"messages": [{"role": "user", "content": "Hi"}]}
    asked = probe(f"https://api.acme.example{path}", body)
    assert OnPaths().match(asked) == match


def test_a_call_that_names_its_function_and_no_index_is_another_one() -> None:
    assembler = Acme().assembler()
    for number, name in enumerate(("ls", "", "cat"), start=1):
        function = {"name": name, "arguments": "{}"} if name else {"arguments": " "}
        assembler.feed(number, said(tool_calls=[{"function": function}]))
    calls = assembler.body["choices"][0]["message"]["tool_calls"]
    assert [call["function"] for call in calls] == [
        {"name": "ls", "arguments": "{} "},
        {"name": "cat", "arguments": "{}"},
    ]


def test_a_record_is_enough_to_be_read() -> None:
    stream = b"".join(
        b"data: " + line + b"\n\n"
        for line in (
            b'{"choices":[{"index":0,"delta":{"role":"assistant","musing":"Hm"}}]}',
            b'{"choices":[{"index":0,"delta":{"content":"Hi","seal":"c2VhbA=="}}]}',
            b"[DONE]",
        )
    )
    exchange = Exchange(
        request=Request(url=f"https://api.acme.example{CHAT}", body=Body(b"{}")),
        response=Response(
            status=200,
            headers=(("content-type", "text/event-stream"),),
            body=Body(stream),
        ),
    )
    reading = Reading(exchange, dialects=ALL)
    message = reading.reply.message
    assert message is not None
    assert (message.thoughts, message.text) == ("Hm", "Hi")
    assert [(s.carrier, s.value) for s in reading.received] == [
        ("acme.seal", "c2VhbA==")
    ]
    assert reading.service == "acme"
    assert Acme().key_header(reading.service) == "x-acme-key"


def test_a_record_says_where_a_signature_goes_back() -> None:
    item = {"role": "assistant", "tool_calls": [{"id": "c1", "function": {}}]}
    message = Acme().message(item, "/messages/1")
    found = Acme.home.of(
        Delivery(value="A", message=message, part=message.calls[0], holder={})
    )
    assert found == Home(at="/messages/1/tool_calls/0", path="acme/seal", value="A")
    assert Acme.home.of(Delivery(value="A", message=message)) is None
