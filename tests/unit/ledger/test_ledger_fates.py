"""Fates and grades, dialect by dialect, on histories of a few messages."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from tests import builders as b

from sigscope.exchange import Body, Exchange
from sigscope.ledger import Ledger, build_ledger
from sigscope.rules.runner import check_session

Json = Any
History = list[Json]

MADE: dict[str, Callable[..., Json]] = {
    "copilot-chat": lambda *calls: b.copilot(*calls),
    "openrouter": lambda *calls: b.openrouter(*calls),
    "litellm": lambda *calls: b.litellm(*calls),
    "gemini": lambda *calls: b.gemini(*calls),
    "anthropic": lambda *calls: b.claude(*calls),
}
OTHERS: dict[str, Callable[..., Json]] = {
    "gemini-openai": b.gemini_openai,
    "deepseek": b.deepseek,
}
"""Made alike, where a test is not about the first ones."""
REQUIRED = {
    "copilot-chat": "required",
    "openrouter": "required",
    "litellm": "optional",
    "gemini": "required",
    "anthropic": "required",
}
"""What a signature of the first call in the current turn is."""
VALUE = {
    "copilot-chat": b.OPAQUE,
    "openrouter": b.SIG,
    "litellm": b.SIG,
    "gemini": b.SIG,
    "anthropic": b.SIG_CL,
}
ALL = sorted(MADE)
ENFORCING = [name for name in ALL if REQUIRED[name] == "required"]


def asked(dialect: str, text: str = "What is in a.md?") -> Json:
    return b.ask(text) if dialect == "gemini" else b.user(text)


def answered(dialect: str, *calls: b.Call) -> list[Json]:
    if dialect == "gemini":
        return [b.answers(*calls)]
    if dialect == "anthropic":
        return [b.tool_results(*calls)]
    return [b.result(call) for call in calls]


def loop(dialect: str, *calls: b.Call) -> History:
    """A user's question, a reply with calls, their results."""
    return [
        asked(dialect),
        (MADE | OTHERS)[dialect](*calls),
        *answered(dialect, *calls),
    ]


def ledger(dialect: str, history: History, **more: Any) -> Ledger:
    return build_ledger(b.record(dialect, history, **more))


def fate(dialect: str, history: History, **more: Any) -> tuple[str, str]:
    """Of the first signature received, in the last step."""
    found = ledger(dialect, history, **more)
    signature = found.received_in(1)[0]
    last = signature.fates[-1]
    return str(last.fate), str(last.grade)


def changed(history: History, change: Callable[[str], Json]) -> History:
    """The same with each signature replaced; None takes the field away."""
    found = copy.deepcopy(history)

    def walk(value: Json) -> None:
        if isinstance(value, list):
            for item in value:
                walk(item)
        elif isinstance(value, dict):
            for key, inner in list(value.items()):
                if isinstance(inner, str) and inner in VALUE.values():
                    new = change(inner)
                    value[key] = new
                    if new is None:
                        del value[key]
                else:
                    walk(inner)

    walk(found)
    return found


@pytest.mark.parametrize("dialect", ALL)
def test_what_goes_back_as_it_came_is_exact(dialect: str) -> None:
    assert fate(dialect, loop(dialect, b.LS)) == ("exact", REQUIRED[dialect])


@pytest.mark.parametrize("dialect", ALL)
@pytest.mark.parametrize(
    ("wanted", "change"),
    [
        ("dropped", lambda value: None),
        ("dropped", lambda value: ""),
        ("cut", lambda value: value[:-9]),
        ("cut", lambda value: value[:20] + "..."),
        ("altered", lambda value: value[:-8] + "AAAAAAA="),
        ("altered", lambda value: value[:-4] + "AAAA"),
    ],
)
def test_damage_is_told_apart_and_graded(
    dialect: str, wanted: str, change: Callable[[str], Json]
) -> None:
    history = loop(dialect, b.LS)
    sent = changed(history, change)
    refused = {"error": {"code": 400, "message": "No."}}
    found = fate(dialect, history, sent=sent, status=400, error=refused)
    assert found == (wanted, REQUIRED[dialect])


@pytest.mark.parametrize("dialect", ALL)
def test_what_the_service_accepted_was_not_required(dialect: str) -> None:
    history = loop(dialect, b.LS)
    sent = changed(history, lambda value: None)
    assert fate(dialect, history, sent=sent) == ("dropped", "optional")


@pytest.mark.parametrize("dialect", ["gemini", "litellm", "openrouter"])
@pytest.mark.parametrize("stand_in", [b.BYPASS_RAW, b.BYPASS_B64])
def test_a_stand_in_over_a_genuine_one_is_a_bypass(dialect: str, stand_in: str) -> None:
    history = loop(dialect, b.LS)
    sent = changed(history, lambda value: stand_in)
    found = ledger(dialect, history, sent=sent)
    genuine = found.received_in(1)[0]
    assert [str(f.fate) for f in genuine.fates] == ["bypass"]
    assert any(
        s.kind == "bypass" and not s.received and s.value == stand_in
        for s in found.signatures
    )


@pytest.mark.parametrize("dialect", ALL)
@pytest.mark.parametrize(
    "spell",
    [
        lambda value: value.replace("+", "-").replace("/", "_"),
        lambda value: value.rstrip("="),
        lambda value: value.replace("+", "-").replace("/", "_").rstrip("="),
    ],
)
def test_another_spelling_of_the_same_bytes_is_exact(
    dialect: str, spell: Callable[[str], str]
) -> None:
    history = loop(dialect, b.LS)
    sent = changed(history, spell)
    assert fate(dialect, history, sent=sent)[0] == "exact"


@pytest.mark.parametrize("dialect", ALL)
def test_an_unsigned_sibling_of_a_signed_call_is_no_loss(dialect: str) -> None:
    found = ledger(dialect, loop(dialect, b.LS, b.READ, b.GREP))
    assert len(found.signatures) == 1
    assert [str(f.fate) for s in found.signatures for f in s.fates] == ["exact"]


@pytest.mark.parametrize("dialect", ALL)
def test_a_closed_turn_demands_nothing(dialect: str) -> None:
    history = [*loop(dialect, b.LS)]
    done = {"role": "assistant", "content": "It is empty, as far as I can see."}
    if dialect == "gemini":
        done = b.says(b.text_part("It is empty, as far as I can see."))
    history += [done, asked(dialect, "Thanks, and goodbye!")]
    sent = changed(history, lambda value: None)
    assert fate(dialect, history, sent=sent, status=400) == ("dropped", "optional")


@pytest.mark.parametrize("dialect", ALL)
def test_a_turn_is_not_closed_by_results(dialect: str) -> None:
    history = [*loop(dialect, b.LS), MADE[dialect](b.READ), *answered(dialect, b.READ)]
    sent = changed(history, lambda value: None)
    assert fate(dialect, history, sent=sent, status=400) == (
        "dropped",
        REQUIRED[dialect],
    )


@pytest.mark.parametrize("dialect", ALL)
def test_a_trimmed_history_drops_what_nobody_misses(dialect: str) -> None:
    second = changed([MADE[dialect](b.READ)], lambda value: other(dialect))
    history = [*loop(dialect, b.LS), *second, *answered(dialect, b.READ)]
    trimmed = [history[0], *history[3:]]
    found = ledger(dialect, history, sent=trimmed)
    first, later = found.received_in(1)[0], found.received_in(2)[0]
    assert (str(first.fates[-1].fate), str(first.fates[-1].grade)) == (
        "dropped",
        "not applicable",
    )
    assert (str(later.fates[-1].fate), str(later.fates[-1].grade)) == (
        "exact",
        REQUIRED[dialect],
    )


def other(dialect: str) -> str:
    return b.OPAQUE_B if dialect == "copilot-chat" else b.SIG_B


@pytest.mark.parametrize("dialect", ALL)
def test_a_title_request_is_a_side_request_that_owes_nothing(dialect: str) -> None:
    history = loop(dialect, b.LS)
    readings = b.record(dialect, history)
    steps = [reading.exchange for reading in readings]
    title = "Write a title of at most five words for: What is in a.md?"
    body = b.request_body(dialect, [asked(dialect, title)])
    del body["tools"]
    done = {"role": "assistant", "content": "A file"}
    if dialect == "gemini":
        done = b.says(b.text_part("A file"))
    side = b.exchange(dialect, body, b.response_body(dialect, done))
    found = build_ledger(b.read([steps[0], side, *steps[1:]]))
    assert [(thread.kind, thread.steps) for thread in found.threads] == [
        ("main", (1, 3)),
        ("side", (2,)),
    ]
    signature = found.received_in(1)[0]
    assert [f.step for f in signature.fates] == [3]


@pytest.mark.parametrize("dialect", ALL)
def test_an_invented_signature_is_foreign(dialect: str) -> None:
    history = loop(dialect, b.LS)
    bare = changed(history, lambda value: None)
    steps = [r.exchange for r in b.record(dialect, bare)]
    last = b.exchange(
        dialect,
        b.request_body(dialect, history),
        b.response_body(dialect, bare[1]),
    )
    (signature,) = build_ledger(b.read([steps[0], last])).signatures
    assert signature.received == ()
    assert [str(f.fate) for f in signature.fates] == ["foreign"]


def test_what_the_other_surface_issued_is_foreign() -> None:
    history = loop("gemini", b.LS)
    first = b.record("gemini", history)[0].exchange
    last = b.record("gemini", history, url=b.VERTEX, status=400)[-1].exchange
    signature = build_ledger(b.read([first, last])).received_in(1)[0]
    assert [str(f.fate) for f in signature.fates] == ["foreign"]


def test_on_a_sibling_it_is_moved_and_on_both_duplicated() -> None:
    history = loop("gemini", b.LS, b.READ)
    sibling = copy.deepcopy(history)
    sibling[1]["parts"][1]["thoughtSignature"] = b.SIG
    both = copy.deepcopy(sibling)
    del sibling[1]["parts"][0]["thoughtSignature"]
    assert fate("gemini", history, sent=sibling, status=400)[0] == "moved"
    assert fate("gemini", history, sent=both, status=400)[0] == "duplicated"


def without_ids(history: History) -> History:
    history = copy.deepcopy(history)
    for content in history:
        for part in content["parts"]:
            for key in ("functionCall", "functionResponse"):
                part.get(key, {}).pop("id", None)
    return history


def test_on_a_call_that_got_another_name_it_stays_where_it_was() -> None:
    history = without_ids(loop("gemini", b.LS, b.READ))
    sent = copy.deepcopy(history)
    sent[1]["parts"][0]["functionCall"]["name"] = "list_dir"
    sent[2]["parts"][0]["functionResponse"]["name"] = "list_dir"
    assert fate("gemini", history, sent=sent) == ("exact", "required")


def test_a_renamed_sibling_does_not_take_the_signature_over() -> None:
    history = without_ids(loop("gemini", b.LS, b.READ))
    sent = copy.deepcopy(history)
    first, second = sent[1]["parts"]
    second["thoughtSignature"] = first.pop("thoughtSignature")
    second["functionCall"]["name"] = "open_file"
    assert fate("gemini", history, sent=sent, status=400)[0] == "moved"


@pytest.mark.parametrize("dialect", ENFORCING)
def test_on_the_next_message_it_is_moved(dialect: str) -> None:
    second = changed([MADE[dialect](b.READ)], lambda value: other(dialect))
    history = [*loop(dialect, b.LS), *second, *answered(dialect, b.READ)]
    bare = changed(history, lambda value: None)
    wrong = copy.deepcopy(bare)
    wrong[3] = changed(second, lambda value: VALUE[dialect])[0]
    wrong[3] = json_of(wrong[3], other(dialect), VALUE[dialect])
    found = fate(dialect, history, sent=wrong, status=400)
    assert found == ("moved", "required")


def json_of(message: Json, old: str, new: str) -> Json:
    """A message with one string for another."""
    if isinstance(message, dict):
        return {key: json_of(inner, old, new) for key, inner in message.items()}
    if isinstance(message, list):
        return [json_of(inner, old, new) for inner in message]
    return new if message == old else message


def test_of_several_envelopes_only_the_last_counts() -> None:
    events = [
        {"choices": [{"index": 0, "delta": {"reasoning_opaque": b.OPAQUE_B}}]},
        {
            "choices": [
                {
                    "index": 0,
                    "delta": {
                        "tool_calls": [{"index": 0, **b.chat_calls(b.LS)[0]}],
                        "reasoning_opaque": b.OPAQUE,
                    },
                }
            ]
        },
    ]
    name = "copilot-chat"
    history = loop(name, b.LS)
    first = b.exchange(
        name,
        b.request_body(name, history[:1]),
        b.sse(*events, "[DONE]"),
        content_type="text/event-stream",
    )
    last = b.record(name, history)[-1].exchange
    early, late = build_ledger(b.read([first, last])).received_in(1)
    assert (str(early.fates[0].fate), str(early.fates[0].grade)) == (
        "dropped",
        "superseded",
    )
    assert (str(late.fates[0].fate), str(late.fates[0].grade)) == ("exact", "required")


@pytest.mark.parametrize("dialect", ["copilot-chat", "openrouter", "gemini"])
def test_another_choice_of_the_same_response_is_owed_nothing(dialect: str) -> None:
    history = loop(dialect, b.LS)
    steps = [reading.exchange for reading in b.record(dialect, history)]
    body = b.response_body(dialect, history[1])
    key = "candidates" if dialect == "gemini" else "choices"
    beside = json_of(body[key][0], VALUE[dialect], other(dialect))
    body[key].append({**beside, "index": 1})
    first = b.exchange(dialect, b.request_body(dialect, history[:1]), body)
    taken, left = build_ledger(b.read([first, steps[1]])).received_in(1)
    assert (str(taken.fates[0].fate), str(taken.fates[0].grade)) == (
        "exact",
        "required",
    )
    assert (str(left.fates[0].fate), str(left.fates[0].grade)) == (
        "dropped",
        "not applicable",
    )


def test_ids_that_repeat_are_linked_to_the_latest_reply() -> None:
    """Some services number calls from 0 in every reply."""
    name = "openrouter"
    again = json_of(MADE[name](b.LS), b.SIG, b.SIG_B)
    history = [
        *loop(name, b.LS),
        again,
        *answered(name, b.LS),
    ]
    found = ledger(name, history)
    assert [
        [(f.step, str(f.fate), str(f.grade)) for f in s.fates] for s in found.signatures
    ] == [
        [(2, "exact", "required"), (3, "exact", "required")],
        [(3, "exact", "required")],
    ]


def test_a_sealed_signature_in_pieces_is_one_at_the_event_that_completes_it() -> None:
    def piece(**entry: Json) -> Json:
        entry = {"type": "reasoning.encrypted", "id": b.LS[0], "index": 0, **entry}
        return {"choices": [{"index": 0, "delta": {"reasoning_details": [entry]}}]}

    name = "openrouter"
    calls = {"tool_calls": [{"index": 0, **b.chat_calls(b.LS)[0]}]}
    events = [
        piece(data=b.SIG[:10], format="google-gemini-v1"),
        piece(data=b.SIG[10:]),
        {"choices": [{"index": 0, "delta": calls}]},
    ]
    first = b.exchange(
        name,
        b.request_body(name, [b.user()]),
        b.sse(*events, "[DONE]"),
        content_type="text/event-stream",
    )
    last = b.record(name, loop(name, b.LS))[-1].exchange
    (signature,) = build_ledger(b.read([first, last])).signatures
    assert signature.value == b.SIG
    place = signature.received[0].sighting
    assert (place.event, place.pointer) == (
        2,
        "/choices/0/delta/reasoning_details/0/data",
    )
    assert [str(f.fate) for f in signature.fates] == ["exact"]


# --- Recorders that hide signatures ---------------------------------------------------


def hidden(history: History, word: str = "[HIDDEN]") -> History:
    """The history as a recorder leaves it that puts one word for every signature."""
    history = copy.deepcopy(history)
    for content in history:
        for part in content["parts"]:
            if "thoughtSignature" in part:
                part["thoughtSignature"] = word
    return history


def fates(readings: Any) -> list[str]:
    found = build_ledger(readings).signatures
    return [fate.fate for signature in found for fate in signature.fates]


def test_equal_words_of_two_steps_are_each_at_home() -> None:
    history = without_ids(
        [*loop("gemini", b.LS), b.gemini(b.READ), b.answers(b.READ)],
    )
    readings = b.record("gemini", hidden(history))
    assert fates(readings) == ["exact", "exact", "exact"]
    assert check_session(readings, build_ledger(readings), {}) == ()


def test_equal_words_of_two_conversations_are_kept_apart() -> None:
    first = b.record("gemini", hidden(without_ids(loop("gemini", b.LS))))
    other = [b.ask("And who reads it?"), b.gemini(b.READ), b.answers(b.READ)]
    second = b.record("gemini", hidden(without_ids(other)))
    mixed = [
        reading.exchange for pair in zip(first, second, strict=True) for reading in pair
    ]
    ledger = build_ledger(b.read(mixed))
    assert [thread.steps for thread in ledger.threads] == [(1, 3), (2, 4)]
    assert [[f.step for f in s.fates] for s in ledger.signatures] == [[3], [4]]


def test_one_word_on_several_parts_of_a_reply_is_sent_as_often_as_it_came() -> None:
    reply = b.says(b.text_part("Looking.", "[HIDDEN]"), b.call_part(b.LS, "[HIDDEN]"))
    history = [b.ask(), reply, b.answers(b.LS)]
    assert fates(b.record("gemini", history)) == ["exact"]


def test_an_equal_word_of_another_step_is_not_taken_for_a_dropped_one() -> None:
    history = hidden(without_ids([*loop("gemini", b.LS), *loop("gemini", b.READ)[1:]]))
    sent = copy.deepcopy(history)
    del sent[1]["parts"][0]["thoughtSignature"]
    readings = b.record("gemini", history, sent=sent, status=400)
    first, _ = build_ledger(readings).signatures
    assert first.fates[-1].fate == "dropped"


# --- What stands there instead --------------------------------------------------------


@pytest.mark.parametrize("dialect", ALL)
def test_another_signature_in_its_place_is_foreign_and_no_damage(dialect: str) -> None:
    history = loop(dialect, b.LS)
    sent = changed(history, lambda value: other(dialect))
    refused = {"error": {"code": 400, "message": "No."}}
    found = ledger(dialect, history, sent=sent, status=400, error=refused)
    genuine = found.received_in(1)[0]
    assert str(genuine.fates[-1].fate) == "dropped"
    assert genuine.fates[-1].instead
    assert "another signature stands at" in genuine.fates[-1].note
    (stranger,) = [s for s in found.signatures if not s.received]
    assert [str(f.fate) for f in stranger.fates] == ["foreign"]
    assert stranger.sent[0].sighting.pointer == genuine.fates[-1].instead


@pytest.mark.parametrize("dialect", ALL)
@pytest.mark.parametrize("made", ["[redacted]", "not base64!", "c2hvcnQ="])
def test_what_is_no_signature_in_its_place_is_damage(dialect: str, made: str) -> None:
    history = loop(dialect, b.LS)
    sent = changed(history, lambda value: made)
    assert fate(dialect, history, sent=sent, status=400)[0] == "altered"


# --- What a refusal shows -------------------------------------------------------------


def refused(text: str) -> Json:
    return {"error": {"code": 400, "message": text, "status": "INVALID_ARGUMENT"}}


MISSING = (
    "litellm.BadRequestError: Vertex_ai_betaException BadRequestError - Unable to"
    " submit request because function call `default_api:ls` in the 2. content block is"
    " missing a `thought_signature`."
)
NO_THINKING = (
    "messages.1.content.0.type: Expected `thinking` or `redacted_thinking`, but found"
    " `tool_use`."
)


def test_litellm_insists_where_it_was_recorded_to_miss_one() -> None:
    history = loop("litellm", b.LS)
    sent = changed(history, lambda value: None)
    for text, grade in ((MISSING, "required"), ("Rate limit.", "optional")):
        more = {"sent": sent, "status": 400, "error": refused(text)}
        assert fate("litellm", history, **more) == ("dropped", grade)


def test_claude_behind_openrouter_insists_where_it_was_recorded_to_miss_one() -> None:
    history = loop("openrouter", b.LS)
    sent = changed(history, lambda value: None)
    for text, grade in ((NO_THINKING, "required"), ("No.", "optional")):
        steps = b.record(
            "openrouter", history, sent=sent, status=400, error=refused(text)
        )
        readings = b.read(asked_of(CLAUDE, reading.exchange) for reading in steps)
        (found,) = build_ledger(readings).received_in(1)[0].fates
        assert (str(found.fate), str(found.grade)) == ("dropped", grade)


CLAUDE = "anthropic/claude-made-up"


def asked_of(model: str, exchange: Exchange) -> Exchange:
    """The same, but of another model, and without a word about reasoning."""
    assert exchange.request is not None
    assert exchange.response is not None
    answer = json.loads(exchange.response.body.raw) | {"model": model}
    response = replace(exchange.response, body=Body(json.dumps(answer).encode()))
    body = json.loads(exchange.request.body.raw) | {"model": model}
    body.pop("reasoning", None)
    request = replace(exchange.request, body=Body(json.dumps(body).encode()))
    return replace(exchange, request=request, response=response)


# --- Threads --------------------------------------------------------------------------


@pytest.mark.parametrize("dialect", ALL)
@pytest.mark.parametrize("as_parts", [True, False])
def test_a_doubled_result_does_not_break_the_thread(
    dialect: str, as_parts: bool
) -> None:
    history = [*loop(dialect, b.LS)]
    done = {"role": "assistant", "content": "Done."}
    if dialect == "gemini":
        done = b.says(b.text_part("Done."))
    history += [done, asked(dialect, "Thanks, and goodbye!")]
    sent = copy.deepcopy(history)
    if as_parts and dialect == "gemini":
        sent[2]["parts"] *= 2
    else:
        sent.insert(3, copy.deepcopy(sent[2]))
    found = ledger(dialect, history, sent=sent)
    assert [(t.kind, t.steps) for t in found.threads] == [("main", (1, 2, 3))]


@pytest.mark.parametrize("dialect", ALL)
def test_a_signature_that_an_answer_was_cut_in_was_not_received(dialect: str) -> None:
    """The client got it whole, and may have returned it to a service that took it."""
    history = loop(dialect, b.LS)
    answer = b.raw(b.response_body(dialect, history[1]))
    at = answer.index(VALUE[dialect].encode())
    readings = b.read(
        b.exchange(dialect, b.request_body(dialect, sent), got, status=status)
        for sent, got, status in (
            (history[:1], answer[: at + len(VALUE[dialect]) // 2], 200),
            (history, {"error": {"message": "Try again later."}}, 503),
        )
    )
    assert readings[0].received == ()
    ledger = build_ledger(readings)
    assert [found.rule for found in check_session(readings, ledger, {})] == []


@pytest.mark.parametrize("place", ["{}", "I kept {} for you."])
@pytest.mark.parametrize(
    ("plain", "spelled"),
    [("/", r"\/"), ("/", r"\u002f"), ("+", r"\u002B"), ("=", r"\u003d")],
)
def test_where_no_carrier_is_it_is_found_however_it_is_spelled(
    plain: str, spelled: str, place: str
) -> None:
    # PHP's json_encode spells slashes so, System.Text.Json what HTML or UTF-7 might be.
    value = b.OPAQUE.replace("L2", "/a")
    first, last = b.record("copilot-chat", loop("copilot-chat", b.LS))
    asking, response = last.exchange.request, first.exchange.response
    assert asking
    assert response
    told = json.loads(asking.body.raw)
    told["messages"][1].pop("reasoning_opaque")
    told["messages"][1]["kept"] = place.format(b.OPAQUE)
    again = json.loads(json.dumps(told))
    again["messages"].append(b.user("And now?"))

    def sent(body: Json, spell: bool) -> Exchange:
        text = json.dumps(body).replace(b.OPAQUE, value)
        if spell:
            text = text.replace(value, value.replace(plain, spelled))
        request = replace(asking, body=Body(text.encode()))
        return replace(last.exchange, request=request)

    brought = response.body.raw.replace(b.OPAQUE.encode(), value.encode())
    begun = replace(first.exchange, response=replace(response, body=Body(brought)))
    for spells in ((False, False), (True, False), (False, True), (True, True)):
        bodies = zip((told, again), spells, strict=True)
        made = build_ledger(b.read([begun, *(sent(*each) for each in bodies)]))
        (signature,) = made.received_in(1)
        assert [str(f.fate) for f in signature.fates] == ["moved", "moved"], spells
        at = [s.sighting.pointer for s in signature.sent]
        assert at == ["/messages/1/kept"] * 2, spells


@pytest.mark.parametrize("first_is_bare", [True, False])
@pytest.mark.parametrize("is_ascii", [(True, False), (False, True), (True, True)])
def test_text_of_any_kind_is_found_where_no_carrier_is(
    is_ascii: tuple[bool, bool], first_is_bare: bool
) -> None:
    """Python's json spells what is not ASCII by its number, unless told otherwise."""
    thought = 'Zuerst prüfe ich die Dateien.\nDann sage ich "fertig".'
    reply = b.deepseek(b.LS) | {"reasoning_content": thought}
    begun = [asked("deepseek")]
    held = {key: each for key, each in reply.items() if key != "reasoning_content"}
    moved = {**held, "content": f"<think>{thought}</think>"}
    results = answered("deepseek", b.LS)
    done = {"role": "assistant", "content": "Done."}
    bodies = [
        b.request_body("deepseek", [*begun, held if first_is_bare else moved, *results])
    ]
    bodies.append(b.request_body("deepseek", [*begun, moved, *results, b.user("So?")]))
    steps = [
        b.exchange(
            "deepseek",
            b.request_body("deepseek", begun),
            b.response_body("deepseek", reply),
        )
    ]
    for body, spelled in zip(bodies, is_ascii, strict=True):
        text = json.dumps(body, ensure_ascii=spelled)
        made = b.exchange("deepseek", body, b.response_body("deepseek", done))
        assert made.request
        request = replace(made.request, body=Body(text.encode()))
        steps.append(replace(made, request=request))
    signature = build_ledger(b.read(steps)).received_in(1)[0]
    fates = [str(fate.fate) for fate in signature.fates]
    assert fates == ["dropped" if first_is_bare else "moved", "moved"]


@pytest.mark.parametrize(
    ("sent", "fate"),
    [
        ("First I look at a.md, then I", "cut"),
        ("First I look at a.md, then I ANSWER.", "altered"),
        ("The client's own words.", "altered"),
        ("", "dropped"),
    ],
)
def test_reasoning_in_its_place_is_not_said_to_be_missing(sent: str, fate: str) -> None:
    reply = b.deepseek(b.LS, thought="First I look at a.md, then I answer.")
    history = [asked("deepseek"), reply | {"reasoning_content": sent}]
    steps = [
        b.exchange(
            "deepseek",
            b.request_body("deepseek", [asked("deepseek")]),
            b.response_body("deepseek", reply),
        ),
        b.exchange(
            "deepseek",
            b.request_body("deepseek", [*history, *answered("deepseek", b.LS)]),
            b.response_body("deepseek", {"role": "assistant", "content": "Done."}),
        ),
    ]
    (signature,) = build_ledger(b.read(steps)).signatures
    assert [str(found.fate) for found in signature.fates] == [fate]
