"""What a run may say, and where it may only say that it is not known."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import Any

import pytest
from tests import builders as b
from tests.unit.export.servers import bundled
from tests.unit.ledger.test_ledger_fates import changed, loop

from sigscope.edits.notation import parse
from sigscope.engine.engine import Engine, Target
from sigscope.engine.sending.sender import Order
from sigscope.engine.sessions.document import Document
from sigscope.errors import UsageError
from sigscope.exchange import Body, Exchange, Request
from sigscope.runs import Run, Verdict
from sigscope.session import Session, Step


def document_of(*exchanges: Exchange) -> Document:
    steps = tuple(
        Step(number=n, id=f"s{n}", exchange=item)
        for n, item in enumerate(exchanges, start=1)
    )
    return Document(Session(id="made", steps=steps))


def refused(dialect: str, message: str, status: int = 400, **more: Any) -> Document:
    """A session of a step that was accepted, and one that was not."""
    history = more.pop("history", None) or loop(dialect, b.LS)
    steps = b.record(
        dialect, history, status=status, error={"error": {"message": message}}
    )
    return document_of(*(step.exchange for step in steps))


def replayed(document: Document, step: int, *edits: str) -> Run:
    last: list[Run] = []

    async def once() -> None:
        order = Order(step=step, edits=tuple(map(parse, edits)))
        engine = Engine()
        engine.keeper.keep_run = (  # type: ignore[method-assign]
            lambda document, run, secrets=(): run
        )
        async for item in engine.replay(document, order, Target()):
            if isinstance(item, Run):
                last.append(item)

    asyncio.run(once())
    return last[-1]


@pytest.mark.parametrize("dialect", sorted(b.URLS))
def test_an_error_that_the_simulator_does_not_model_is_not_gone(dialect: str) -> None:
    document = refused(dialect, "Reasoning is not supported with flux capacitors.")
    run = replayed(document, 2)
    assert (run.status, run.verdict) == (200, Verdict.UNCLEAR)
    assert "does not model this refusal: “Reasoning is not supported" in run.reason
    assert "ask the service: S on the screens, --to URL" in run.reason


@pytest.mark.parametrize("status", [401, 403, 429, 503])
def test_a_key_and_a_busy_service_are_nothing_the_simulator_can_show(
    status: int,
) -> None:
    run = replayed(refused("openrouter", "no", status=status), 2)
    assert run.verdict is Verdict.UNCLEAR
    assert f"the recorded {status} is about the" in run.reason


def test_an_edit_does_not_make_an_unknown_error_gone() -> None:
    document = refused("gemini", "Tool use with a response mime type is unsupported")
    run = replayed(document, 2, "drop /tools")
    assert run.status == 200
    assert run.verdict is Verdict.UNCLEAR


def test_what_the_simulator_refuses_as_recorded_may_be_gone() -> None:
    document = bundled("copilot-missing-signature")
    edits = [e for f in document.findings_of(2) for e in f.fix or ()]
    last: list[Run] = []

    async def once() -> None:
        order = Order(step=2, edits=tuple(dict.fromkeys(edits)))
        async for item in Engine().replay(document, order, Target()):
            if isinstance(item, Run):
                last.append(item)

    asyncio.run(once())
    assert (last[-1].verdict, last[-1].reason) == (Verdict.GONE, "")


def test_another_fault_that_it_finds_first_does_not_make_an_unknown_error_gone() -> (
    None
):
    bare = changed(loop("gemini", b.LS), lambda _: None)
    document = refused("gemini", "The moon is full.", history=bare)
    sent = replayed(document, 2)
    assert (sent.status, sent.verdict) == (400, Verdict.DIFFERENT)
    assert "does not model the recorded refusal" in sent.reason
    signed = f'set /contents/1/parts/0/thoughtSignature "{b.BYPASS_RAW}"'
    run = replayed(document, 2, signed)
    assert (run.status, run.verdict) == (200, Verdict.UNCLEAR)
    assert "for another reason" in run.reason


def unanswered(dialect: str, history: list[Any]) -> Document:
    body = b.request_body(dialect, history)
    return document_of(replace(b.exchange(dialect, body, {}), response=None))


def test_without_a_recorded_answer_it_is_held_against_the_request_as_it_came() -> None:
    bare = changed(loop("gemini", b.LS), lambda _: None)
    document = unanswered("gemini", bare)
    as_it_came = replayed(document, 1)
    assert as_it_came.verdict is Verdict.UNCLEAR
    assert as_it_came.reason == "refused; no answer was recorded to compare with"
    mended = replayed(
        document, 1, f'set /contents/1/parts/0/thoughtSignature "{b.BYPASS_RAW}"'
    )
    assert mended.verdict is Verdict.GONE
    assert "no answer was recorded; the simulator refuses it as it came: “" in (
        mended.reason
    )
    other = replayed(document, 1, 'set /contents/1/role "robot"')
    assert other.verdict in (Verdict.DIFFERENT, Verdict.REPRODUCED)
    assert "no answer was recorded" in other.reason


def test_without_a_recorded_answer_acceptance_without_edits_is_no_verdict() -> None:
    run = replayed(unanswered("gemini", loop("gemini", b.LS)), 1)
    assert (run.status, run.verdict) == (200, Verdict.UNCLEAR)
    assert run.reason == "accepted; no answer was recorded to compare with"


def test_a_model_that_the_simulator_guesses_is_no_ground_for_a_refusal() -> None:
    history = loop("litellm", b.LS)
    body = b.request_body("litellm", history) | {"model": "our-own-alias"}
    answered = b.response_body("litellm", {"role": "assistant", "content": "Done."})
    document = document_of(b.exchange("litellm", body, answered))
    run = replayed(document, 1, "drop /messages/1")
    assert run.error is not None
    assert run.verdict is Verdict.UNCLEAR
    assert "'our-own-alias' is not known; judged as gemini-3-pro-preview" in run.reason


def test_an_answer_without_a_status_is_said_to_be_one() -> None:
    history = loop("gemini", b.LS)
    steps = b.record("gemini", history, status=None)  # type: ignore[arg-type]
    document = document_of(*(step.exchange for step in steps))
    same = replayed(document, 2)
    assert (same.verdict, same.reason) == (
        Verdict.REPRODUCED,
        "no status was recorded, only an answer",
    )
    other = replayed(document, 2, "drop /contents/1/parts/0/thoughtSignature")
    assert (other.verdict, other.reason) == (Verdict.DIFFERENT, same.reason)


def test_a_status_of_the_simulator_never_speaks_of_its_health() -> None:
    """LiteLLM answers 500 to a result without its call, and so does the simulator."""
    history = loop("litellm", b.LS)
    error = {
        "error": {
            "message": "litellm.APIConnectionError: Missing corresponding tool call for"
            " tool response message.",
            "code": "500",
        }
    }
    sent = [history[0], history[2]]
    steps = b.record("litellm", history, sent=sent, status=500, error=error)
    document = document_of(*(step.exchange for step in steps))
    run = replayed(document, 2)
    assert (run.status, run.verdict) == (500, Verdict.REPRODUCED)
    mended = replayed(document, 2, "drop /messages/1")
    assert (mended.status, mended.verdict) == (200, Verdict.GONE)


# --- A capture that begins in the middle, and was answered ----------------------------


def one_step(dialect: str, history: list[Any], message: str, **more: Any) -> Document:
    body = b.request_body(dialect, history)
    answer = {"error": {"message": message, **more}}
    return document_of(b.exchange(dialect, body, answer, status=400))


def test_earlier_signatures_are_taken_as_genuine_where_the_error_is_another() -> None:
    history = loop("copilot-chat", b.LS)
    history[1]["content"] = []
    document = one_step(
        *("copilot-chat", history, "invalid request body"), code="invalid_request_body"
    )
    assert replayed(document, 1).verdict is Verdict.REPRODUCED
    run = replayed(document, 1, "set /messages/1/content null")
    assert (run.status, run.verdict, run.reason) == (200, Verdict.GONE, "")


def test_an_error_about_values_makes_earlier_ones_doubtful() -> None:
    document = one_step("gemini", loop("gemini", b.LS), "Corrupted thought signature.")
    run = replayed(document, 1)
    assert (run.status, run.verdict) == (400, Verdict.REPRODUCED)
    mended = replayed(
        document, 1, f'set /contents/1/parts/0/thoughtSignature "{b.BYPASS_RAW}"'
    )
    assert (mended.status, mended.verdict) == (200, Verdict.GONE)


def test_one_that_was_accepted_in_another_request_is_not_doubted() -> None:
    history = loop("gemini", b.LS)
    body = b.request_body("gemini", history)
    done = b.says(b.text_part("Done."))
    taken = b.exchange("gemini", body, b.response_body("gemini", done))
    answer = {"error": {"message": "Corrupted thought signature."}}
    document = document_of(taken, b.exchange("gemini", body, answer, status=400))
    assert replayed(document, 2).status == 200


async def test_a_step_without_a_path_is_not_sent_to_a_bare_host() -> None:
    exchange = Exchange(
        request=Request(url="", headers=(), body=Body(b'{"prompt": "hello"}'))
    )
    engine = Engine()
    target = Target(url="http://127.0.0.1:9")
    with pytest.raises(UsageError, match="names no path"):
        async for _ in engine.replay(document_of(exchange), Order(step=1), target):
            pass
