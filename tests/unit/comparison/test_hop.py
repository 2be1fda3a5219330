"""What a gateway dropped, stamped, renamed, moved and changed."""

from __future__ import annotations

import json
from typing import Any

import pytest
from tests.builders import LS, OPAQUE, SIG, copilot, detail, openrouter, raw, user

from sigscope.comparison.hop import HopSide, compare_hops
from sigscope.exchange import Body, Exchange, Request, Response
from sigscope.reader import Reading

COPILOT = "https://api.githubcopilot.com/chat/completions"
ROUTER = "https://openrouter.ai/api/v1/chat/completions"


def made(number: int, url: str, asked: Any, answer: Any) -> Reading:
    body = Body(raw(asked))
    said = Body(raw(answer)) if answer is not None else Body(b"")
    return Reading(
        Exchange(
            request=Request(url=url, body=body),
            response=Response(status=200, body=said),
        ),
        number=number,
    )


def ask(*history: Any, **more: Any) -> dict[str, Any]:
    return {"model": "gemini-3-pro", "messages": [*history], **more}


def say(message: Any, **more: Any) -> dict[str, Any]:
    choice = {"index": 0, "message": message, "finish_reason": "stop"}
    return {"id": "gen-one", "model": "gemini-3-pro", "choices": [choice], **more}


def told(side: HopSide) -> list[tuple[str, str, str]]:
    return [(change.act, change.came, change.went) for change in side.changes]


def hops(asked: Any, sent: Any, said: Any = None, came: Any = None) -> Any:
    reply = say(copilot(LS))
    client = made(1, COPILOT, asked, reply if said is None else said)
    return compare_hops(client, made(2, ROUTER, sent, reply if came is None else came))


def test_where_nothing_changed_that_is_said() -> None:
    found = hops(ask(user()), ask(user()))
    assert (found.client, found.provider) == (1, 2)
    assert (found.request.words, found.answer.words) == ("nothing changed",) * 2


def test_requests_without_their_bodies_are_nothing_to_compare() -> None:
    exchanges = []
    for url, asked in ((COPILOT, b""), (ROUTER, raw(ask(user())))):
        request = Request(method="POST", url=url, body=Body(asked))
        answer = Response(status=200, body=Body(raw(say(copilot(LS)))))
        exchanges.append(Exchange(request=request, response=answer))
    bare, full = exchanges
    for pair, steps in (
        ((bare, bare), "step 1 and step 2"),
        ((bare, full), "step 1"),
        ((full, bare), "step 2"),
    ):
        client, provider = (Reading(e, number=n) for n, e in enumerate(pair, start=1))
        found = compare_hops(client, provider)
        assert found.request.comparison is None
        assert found.request.words == (
            f"{steps} recorded without a body: nothing to compare"
        )
        assert found.answer.words == "nothing changed"


@pytest.mark.parametrize(
    ("asked", "said", "words"),
    [
        (("", ""), ("}", "}"), ("", ": step 1 and step 2 cut short")),
        (("", ""), ("", "}"), ("", ": step 2 cut short")),
        (("}", "}"), ("", ""), (": step 1 and step 2 cut short", "")),
    ],
)
def test_of_what_breaks_off_only_the_recorded_part_is_spoken_of(
    asked: tuple[str, str], said: tuple[str, str], words: tuple[str, str]
) -> None:
    pair = []
    for number, url in ((1, COPILOT), (2, ROUTER)):
        ask_ = raw(ask(user())).removesuffix(asked[number - 1].encode())
        say_ = raw(say(copilot(LS))).removesuffix(said[number - 1].encode())
        request = Request(method="POST", url=url, body=Body(ask_))
        answer = Response(status=200, body=Body(say_))
        pair.append(Reading(Exchange(request=request, response=answer), number=number))
    found = compare_hops(*pair)
    told = [
        side.words.removeprefix("nothing changed").removeprefix(
            " as far as is recorded"
        )
        for side in (found.request, found.answer)
    ]
    assert tuple(told) == words


def test_fields_are_dropped_stamped_renamed_and_changed() -> None:
    found = hops(
        ask(user(), max_tokens=4096, store=True, temperature=0.5),
        ask(user(), max_completion_tokens=4096, provider={"order": ["a"]},
            temperature=0.7),
    )  # fmt: skip
    assert told(found.request) == [
        ("renamed", "/max_tokens", "/max_completion_tokens"),
        ("changed", "/temperature", "/temperature"),
        ("dropped", "/store", ""),
        ("stamped", "", "/provider"),
    ]
    assert found.request.words == "1 renamed, 1 changed, 1 dropped, 1 stamped"


def test_a_value_in_another_container_has_moved() -> None:
    found = hops(
        ask(user(), max_tokens=4096),
        ask(user(), options={"limit": {"max_tokens": 4096}}),
    )
    assert told(found.request) == [
        ("moved", "/max_tokens", "/options/limit/max_tokens")
    ]


def test_equal_values_are_no_proof_where_there_are_several_or_they_are_common() -> None:
    found = hops(
        ask(user(), a=4096, b=4096, c=True), ask(user(), d=4096, e=4096, f=True)
    )
    acts = {act for act, _, _ in told(found.request)}
    assert acts == {"dropped", "stamped"}


def test_a_signature_that_is_not_handed_on_is_dropped() -> None:
    answer = copilot(LS)
    without = {k: v for k, v in answer.items() if k != "reasoning_opaque"}
    found = hops(ask(user(), answer), ask(user(), without))
    assert told(found.request) == [("dropped", "/messages/1/reasoning_opaque", "")]
    assert found.request.changes[0].signature
    assert SIG not in found.request.changes[0].value


def test_a_signature_in_another_place_has_moved() -> None:
    found = hops(
        ask(user(), copilot(LS)),
        ask(user(), openrouter(LS, details=[detail(LS, OPAQUE)])),
    )
    first = found.request.changes[0]
    assert (first.act, first.came) == ("moved", "/messages/1/reasoning_opaque")
    assert first.went.startswith("/messages/1/reasoning_details/")


def test_an_answer_goes_the_other_way() -> None:
    answer = copilot(LS)
    without = {k: v for k, v in answer.items() if k != "reasoning_opaque"}
    found = hops(
        ask(user()),
        ask(user()),
        say(without, gateway="stamp of mine"),
        say(answer, cost=0.25),
    )
    assert told(found.answer) == [
        ("dropped", "/choices/0/message/reasoning_opaque", ""),
        ("dropped", "/cost", ""),
        ("stamped", "", "/gateway"),
    ]


def test_an_answer_that_is_missing_is_said_to_be() -> None:
    client = made(1, COPILOT, ask(user()), say(copilot(LS)))
    provider = made(2, ROUTER, ask(user()), None)
    found = compare_hops(client, provider)
    assert found.answer.comparison is None
    assert found.answer.words == "step 2 has no answer"
    assert json.dumps(found.request.words) == '"nothing changed"'
