"""A step whose dialect is not known, or whose request was recorded without its body, is
not judged, and every verb says so."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from tests import builders as b
from tests.builders import LS, copilot, openrouter, request_body, response_body, user
from tests.builders import exchange as chat_exchange
from tests.cli.commands import sigscope
from tests.unit.dialects.test_settlement import exchange as chat
from tests.unit.dialects.test_settlement import reply, steps
from tests.unit.ledger.test_opaque_fields import (
    MESSAGES,
    SIGN,
    THINKING,
    exchange,
    history,
)
from tests.unit.rules import responses_cases as responses

from sigscope.exchange import Body, Ending, Exchange, Request, Response
from sigscope.opaque import fingerprint
from sigscope.session import Session
from sigscope.store import save_session

WORDS = "not judged: dialect not known: steps 1-2 (POST api.example/v1/interactions)"
COPILOT = "https://api.githubcopilot.com/chat/completions"


BARE = (
    "not judged: recorded without the body of the request: steps 1-2"
    " (POST api.githubcopilot.com/chat/completions)"
)


def saved(tmp_path: Path, *exchanges: Exchange) -> Path:
    path = tmp_path / "s.session.jsonl"
    save_session(Session(id="s", title="S", steps=steps(*exchanges)), str(path))
    return path


@pytest.fixture
def unknown(tmp_path: Path) -> Path:
    """Two calls of an API that no dialect reads, and a list of its models."""
    models = Exchange(
        request=Request(method="GET", url="https://api.example/v1/models"),
        response=Response(status=200, body=Body(b'{"data":[]}')),
    )
    return saved(
        tmp_path,
        exchange(MESSAGES, {"messages": [user()]}, whole={"content": [THINKING]}),
        exchange(MESSAGES, history(THINKING), whole={"content": []}),
        models,
    )


def test_check_says_what_it_did_not_judge_and_is_no_all_clear(unknown: Path) -> None:
    found = sigscope("check", unknown)
    assert found.code == 0
    assert WORDS in found.out
    assert f"signature {fingerprint(SIGN)}" in found.out
    assert "the same bytes were sent again in step 2 at /messages/1" in found.out
    assert "followed by name and shape; not judged" in found.out
    assert "--dialect NAME" in found.out
    assert "nothing was judged in 3 steps" in found.out
    assert "no findings" not in found.out
    assert sigscope("check", unknown, "--strict").code == 1
    assert sigscope("check", unknown, "--strict", "--step", "3").code == 0


def test_check_says_in_whose_words_such_a_step_was_refused(tmp_path: Path) -> None:
    words = b"The `reasoning_content` in the thinking mode must be passed back to the"
    refused = Exchange(
        request=Request(
            method="POST",
            url="http://127.0.0.1:8910/chat/completions",
            body=Body(b'{"model":"m","messages":[{"role":"user","content":"hi"}]}'),
        ),
        response=Response(
            status=400, body=Body(b'{"error":{"message":"' + words + b' API."}}')
        ),
    )
    path = saved(tmp_path, refused)
    asked = sigscope("bisect", path, "--step", "1")
    assert "the dialect of step 1 is not known" in asked.err
    assert "these are words of deepseek: say which it is (--dialect" in asked.err
    again = sigscope("verify", path, path)
    assert "none of its steps is of a known dialect (--dialect" in again.out
    found = sigscope("check", path)
    hint = "refused in the words of deepseek: step 1. If it is deepseek: --dialect"
    assert hint in found.out


def test_check_tells_programs(unknown: Path) -> None:
    table = sigscope("check", unknown, "--json").json
    assert table["findings"] == []
    assert table["not_judged"] == [
        {
            "reason": "dialect not known",
            "steps": [1, 2],
            "method": "POST",
            "place": "api.example/v1/interactions",
        }
    ]
    assert sigscope("check", unknown, "--json", "--step", "3").json["not_judged"] == []


def test_the_ledger_keeps_what_it_followed_apart(unknown: Path) -> None:
    found = sigscope("ledger", unknown)
    assert WORDS in found.out
    assert "No signatures" not in found.out
    table = sigscope("ledger", unknown, "--json").json
    assert table["signatures"] == []
    assert [step["judged"] for step in table["steps"]] == [False, False, True]
    (field,) = table["opaque"]
    assert field["name"] == "signature"
    assert field["received"] == {
        "step": 1, "event": None, "pointer": "/content/0/signature"
    }  # fmt: skip
    assert [spot["step"] for spot in field["sent"]] == [2]


@pytest.mark.parametrize(
    "argv",
    [["show"], ["show", "--step", "2"], ["export", "--to", "report", "--stdout"]],
)
def test_other_verbs_say_it_too(unknown: Path, argv: list[str]) -> None:
    verb, *rest = argv
    found = sigscope(verb, unknown, *rest)
    assert found.code == 0
    assert WORDS[1:] in found.told
    assert "not judged" in found.told
    assert "None was received" not in found.told


def test_an_import_says_what_will_not_be_judged(unknown: Path, tmp_path: Path) -> None:
    found = sigscope("import", unknown, "--out", tmp_path / "copy.session.jsonl")
    assert WORDS in found.out
    out = tmp_path / "more.session.jsonl"
    table = sigscope("import", unknown, "--out", out, "--json").json
    assert table["not_judged"][0]["steps"] == [1, 2]


def test_show_tells_how_a_dialect_was_decided(tmp_path: Path) -> None:
    path = saved(tmp_path, chat(COPILOT, [user()], reply(copilot(LS))))
    assert "copilot-chat (host)" in sigscope("show", path, "--step", "1").out
    assert sigscope("show", path, "--step", "1", "--json").json["dialect_by"] == "host"


def test_where_all_is_judged_nothing_is_said(tmp_path: Path) -> None:
    path = saved(tmp_path, chat(COPILOT, [user()], reply(copilot(LS))))
    for verb in ("check", "ledger", "show"):
        assert "not judged" not in sigscope(verb, path).told
    assert sigscope("check", path, "--strict", "--json").json["not_judged"] == []


def test_values_that_are_followed_get_stand_ins_too(unknown: Path) -> None:
    out = unknown.with_name("shared.session.jsonl")
    assert sigscope("redact", unknown, "--out", out).code == 0
    assert SIGN not in out.read_text(encoding="utf-8")
    (field,) = sigscope("ledger", out, "--json").json["opaque"]
    assert [spot["step"] for spot in field["sent"]] == [2]


def test_a_redacted_copy_is_held_against_what_was_named(tmp_path: Path) -> None:
    url = "https://llm.example/v1/chat/completions"
    path = saved(tmp_path, chat(url, [user()], reply(openrouter(LS))))
    out = tmp_path / "copy.session.jsonl"
    found = sigscope("redact", path, "--dialect", "openrouter", "--out", out)
    assert found.code == 0, found.told
    assert "1 signature, every fate" in found.out


def test_of_a_file_without_any_call_of_a_model_no_all_clear_is_given(
    tmp_path: Path,
) -> None:
    page = Exchange(
        request=Request(method="GET", url="https://www.example.test/logo.png"),
        response=Response(status=200, body=Body(b"x")),
    )
    path = saved(tmp_path, page)
    found = sigscope("check", path)
    assert "nothing was judged in 1 step, none of them a call of a model" in found.out
    assert "no findings" not in found.out
    found = sigscope("ledger", path)
    assert "Nothing was looked for: no step is known as a call" in found.out
    assert "No signatures" not in found.out


def test_a_call_whose_bodies_were_left_out_is_a_call_of_a_model(tmp_path: Path) -> None:
    bare = Exchange(
        request=Request(method="POST", url="https://api.example/v1/chat/completions"),
        response=Response(status=400),
    )
    found = sigscope("check", saved(tmp_path, bare))
    assert "error[REF-1] HTTP 400: refused" in found.out
    assert "no model call" not in found.out
    assert "   | \n" not in found.out, "there is nothing to quote"


@pytest.fixture
def bodiless(tmp_path: Path) -> Path:
    """A HAR may keep answers only."""
    answer = chat(COPILOT, [user()], reply(copilot(LS))).response
    request = Request(method="POST", url=COPILOT)
    return saved(tmp_path, *[Exchange(request=request, response=answer)] * 2)


def test_what_was_not_recorded_is_not_called_the_same(bodiless: Path) -> None:
    found = sigscope("diff", bodiless, "--step", "1", "--against", "2")
    assert found.code == 2
    assert "there is nothing to compare" in found.err
    assert "no difference" not in found.out


def test_requests_without_bodies_are_no_all_clear(bodiless: Path) -> None:
    found = sigscope("check", bodiless)
    assert BARE in found.out
    assert "record again, with bodies" in found.out
    assert "nothing was judged in 2 steps" in found.out
    assert "no findings" not in found.out
    assert "--dialect" not in found.out, "it is known"
    assert found.code == 0
    assert sigscope("check", bodiless, "--strict").code == 1
    (row,) = sigscope("check", bodiless, "--json").json["not_judged"]
    assert row["reason"] == "recorded without the body of the request"
    assert BARE in sigscope("ledger", bodiless).out
    report = sigscope("export", bodiless, "--to", "report", "--stdout").out
    assert "Nothing was judged." in report
    assert "2 steps not judged: recorded without the body" in report


@pytest.mark.parametrize(
    ("spoil", "why"),
    [
        (lambda body: body[: len(body) // 2], "the body of the request breaks off"),
        (lambda body: body[::-1], "the body of the request is no JSON object"),
        (
            lambda body: json.dumps(body.decode()).encode(),
            "the body of the request is no JSON object",
        ),
    ],
    ids=["cut", "garbage", "quoted"],
)
def test_a_request_that_cannot_be_read_whole_gets_no_all_clear(
    spoil: Callable[[bytes], bytes], why: str, tmp_path: Path
) -> None:
    answer = response_body("copilot-chat", copilot(LS))
    request = request_body("copilot-chat", [user(), user("And?" * 40)])
    whole = chat_exchange("copilot-chat", request, answer)
    assert whole.request is not None
    body = Body(spoil(whole.request.body.raw))
    spoiled = replace(whole, request=replace(whole.request, body=body))
    path = saved(tmp_path, whole, spoiled)
    found = sigscope("check", path)
    assert f"not judged: {why}: step 2 (" in found.out
    assert "record again" in found.out
    assert sigscope("check", path, "--strict").code == 1
    assert sigscope("check", path, "--strict", "--step", "1").code == 0
    steps = json.loads(sigscope("ledger", path, "--json").out)["steps"]
    assert [step["judged"] for step in steps] == [True, False]


@pytest.mark.parametrize("streamed", [True, False])
def test_an_answer_that_breaks_off_is_told(streamed: bool, tmp_path: Path) -> None:
    answer = b.response_body("copilot-chat", copilot(LS))
    body, kind = b.raw(answer), "application/json"
    if streamed:
        message = {"role": "assistant", "content": "I look around, and then"}
        body = b.sse({"choices": [{"index": 0, "delta": message}]})
        kind = "text/event-stream"
    body = body if streamed else body[: len(body) // 2]
    request = request_body("copilot-chat", [user()])
    torn = chat_exchange("copilot-chat", request, body, content_type=kind)
    found = sigscope("check", saved(tmp_path, torn), "--strict")
    assert found.code == 0, "nothing went on from it"
    assert "step 1: the answer breaks off in the recording" in found.out


@pytest.mark.parametrize(
    ("ending", "code"), [("complete", 1), ("open", 1), ("client-aborted", 0)]
)
def test_what_follows_an_answer_that_was_cut_is_no_all_clear(
    ending: Ending, code: int, tmp_path: Path
) -> None:
    """The client may have had the signature. Where it hung up it had no more."""
    said = {"role": "assistant", "content": "I look around, and then"}
    body = b.sse({"choices": [{"index": 0, "delta": said}]})
    torn, later = (
        chat_exchange(
            "copilot-chat",
            request_body("copilot-chat", sent),
            answer,
            content_type=kind,
        )
        for sent, answer, kind in (
            ([user()], body, "text/event-stream"),
            (
                [user(), said, user("Go on")],
                b.response_body("copilot-chat", {**said, "content": "Here."}),
                "application/json",
            ),
        )
    )
    assert torn.response is not None
    torn = replace(torn, response=replace(torn.response, ending=ending))
    path = saved(tmp_path, torn, later)
    assert sigscope("check", path).code == 0
    for more in ((), ("--step", "2")):
        found = sigscope("check", path, "--strict", *more)
        assert found.code == code
        assert ("step 2: an answer that the request goes on from" in found.out) == code


def test_a_stream_that_breaks_off_behind_its_finish_reason_is_told(
    tmp_path: Path,
) -> None:
    """Copilot sends one before the event with the signature, and in it again."""
    ends = {"index": 0, "delta": {"content": "Now"}, "finish_reason": "tool_calls"}
    signs = {**ends, "delta": {"reasoning_opaque": "QUJD" * 20}}
    whole = b.sse({"choices": [ends]}) + b.sse({"choices": [signs]})
    request = request_body("copilot-chat", [user()])
    for size, told in ((len(whole) - 30, True), (len(whole), False)):
        made = chat_exchange(
            "copilot-chat", request, whole[:size], content_type="text/event-stream"
        )
        assert made.response is not None
        broken = replace(made.response, ending="upstream-aborted")
        folder = tmp_path / str(size)
        folder.mkdir()
        found = sigscope("check", saved(folder, replace(made, response=broken)))
        assert ("broke before the answer was whole" in found.out) == told


@pytest.mark.parametrize("word", ["***", "[REDACTED]", "<signature removed>"])
def test_signatures_that_the_recording_masks_are_told(
    word: str, tmp_path: Path
) -> None:
    said = copilot(LS, opaque=word)
    answer = response_body("copilot-chat", said)
    steps = ([user()], [user(), said, b.result(LS)])
    made = [
        chat_exchange("copilot-chat", request_body("copilot-chat", sent), answer)
        for sent in steps
    ]
    found = sigscope("check", saved(tmp_path, *made)).out
    assert "steps 1 and 2: what the answer brought as signature is masked" in found


def test_a_session_without_steps_is_no_all_clear_where_that_is_asked_for(
    tmp_path: Path,
) -> None:
    path = saved(tmp_path)
    assert sigscope("check", path).code == 0
    assert sigscope("check", path, "--strict").code == 1


def on_copilot(is_signed: bool) -> list[Exchange]:
    """A recording that begins behind an answer."""
    bare = {k: v for k, v in copilot(LS).items() if k != "reasoning_opaque"}
    history = [user(), copilot(LS) if is_signed else bare, b.result(LS), user("And?")]
    answer = response_body("copilot-chat", copilot(b.READ, opaque=b.OPAQUE_B))
    return [
        chat_exchange("copilot-chat", request_body("copilot-chat", history), answer)
    ]


def with_a_gap(is_signed: bool) -> list[Exchange]:
    """A recording in which an answer between two others is missing."""
    first = [user(), copilot(b.READ, opaque=b.OPAQUE_B), b.result(b.READ)]
    missing = copilot(LS)
    if not is_signed:
        del missing["reasoning_opaque"]
    answers = [first[1], {"role": "assistant", "content": "It is a.md."}]
    return [
        chat_exchange(
            "copilot-chat",
            request_body("copilot-chat", history),
            response_body("copilot-chat", answer),
        )
        for history, answer in zip(
            (first[:1], [*first, missing, b.result(LS)]), answers, strict=True
        )
    ]


def on_responses(is_signed: bool) -> list[Exchange]:
    """One that begins behind two answers, of which one is signed for sure."""
    other = {"type": "function_call_output", "call_id": "call_2", "output": "b.md"}
    call = {**responses.CALL, "id": "fc_2", "call_id": "call_2"}
    thought = {**responses.thought(), "id": "rs_2"}
    history = [
        responses.USER,
        *(responses.thought(), responses.CALL, responses.RESULT),
        *([thought] if is_signed else ()),
        *(call, other),
    ]
    thought = {**thought, "id": "rs_3", "encrypted_content": responses.B2}
    return [responses.ask(*history, reply=responses.answer(thought, responses.SAID))]


@pytest.mark.parametrize("made", [on_copilot, with_a_gap, on_responses])
@pytest.mark.parametrize("is_signed", [False, True])
def test_unsigned_calls_of_answers_that_are_missing_are_no_all_clear(
    made: Callable[[bool], list[Exchange]], is_signed: bool, tmp_path: Path
) -> None:
    path = saved(tmp_path, *made(is_signed))
    found = sigscope("check", path, "--strict")
    assert ("calls stand in the request that no recorded" in found.out) is not is_signed
    assert found.code == (not is_signed)
    assert sigscope("check", path).code == 0


def test_a_session_with_a_part_that_cannot_be_read_is_no_all_clear(
    tmp_path: Path,
) -> None:
    answer = response_body("copilot-chat", copilot(LS))
    body = request_body("copilot-chat", [user()])
    path = saved(tmp_path, chat_exchange("copilot-chat", body, answer))
    assert sigscope("check", path, "--strict").code == 0
    path.write_bytes(path.read_bytes() + b'{"record":"step","torn\n')
    found = sigscope("check", path, "--strict")
    assert "not all was read: 1 part" in found.out
    assert found.code == 1
    assert sigscope("check", path).code == 0
    assert sigscope("check", path, "--strict", "--step", "1").code == 0


def test_steps_that_stand_before_their_answers_are_no_all_clear(tmp_path: Path) -> None:
    """What was lost between them would not show."""
    damaged = [user(), copilot(LS, opaque=b.OPAQUE_B), b.result(LS)]
    answers = [copilot(LS), {"role": "assistant", "content": "It is a.md."}]
    first, later = (
        chat_exchange(
            "copilot-chat",
            request_body("copilot-chat", history),
            response_body("copilot-chat", answer),
        )
        for history, answer in zip(([user()], damaged), answers, strict=True)
    )
    words = "step 1: calls stand in the request that only a later answer brought"
    turned = sigscope("check", saved(tmp_path, later, first), "--strict")
    assert words in turned.out
    assert turned.code == 1
    (tmp_path / "right").mkdir()
    path = saved(tmp_path / "right", first, later)
    assert words not in sigscope("check", path).out
