"""What a rule says of a message holds for the requests that repeat it."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Sequence
from itertools import chain
from types import ModuleType
from typing import Any

import pytest
from tests import builders as b

from sigscope.conversation import Message, Part
from sigscope.exchange import Exchange
from sigscope.ledger import FateAt, Ledger, build_ledger
from sigscope.reader import Reading
from sigscope.rules import losses, places
from sigscope.rules.anthropic import ant_2_thinking_missing, ant_4_unsigned_thinking
from sigscope.rules.anthropic.texts import are_as_received
from sigscope.rules.base import Subject
from sigscope.rules.gemini import unsigned_calls
from sigscope.rules.judgements import judged
from sigscope.rules.kinds import missing
from sigscope.rules.litellm import llm_1_signature_not_read
from sigscope.rules.places import current_calls
from sigscope.rules.runner import check_alone, check_session
from sigscope.rules.subject import _KnownLosses

Json = Any
STEPS = 30
MAKERS: dict[str, Callable[..., Json]] = {
    "openrouter": b.openrouter,
    "gemini-openai": b.gemini_openai,
    "gemini": b.gemini,
    "litellm": b.litellm,
    "anthropic": b.claude,
}
SIGNED = {
    "extra_content",
    "provider_specific_fields",
    "reasoning",
    "reasoning_details",
    "thinking_blocks",
    "thoughtSignature",
}


def call(number: int) -> b.Call:
    return (f"call_{number}", "read_file", {"path": f"{number}.md"})


def reply(dialect: str, number: int) -> Json:
    text = json.dumps(MAKERS[dialect](call(number)))
    for value in (b.SIG, b.SIG_CL):
        text = text.replace(value, f"{value[:20]}{number:04}{value[24:]}")
    return json.loads(text)


def bare(message: Json) -> Json:
    """Without its reasoning, and what signs it."""
    if isinstance(message, list):
        return [bare(each) for each in message if not is_thinking(each)]
    if not isinstance(message, dict):
        return message
    return {key: bare(each) for key, each in message.items() if key not in SIGNED}


def is_thinking(block: Json) -> bool:
    return isinstance(block, dict) and block.get("type") == "thinking"


def answer(dialect: str, number: int) -> Json:
    if dialect == "gemini":
        return b.answers(call(number))
    if dialect == "anthropic":
        return b.tool_results(call(number))
    return b.result(call(number))


def unsigned(message: Json) -> Json:
    """With its reasoning, and without what signs it."""
    if isinstance(message, list):
        return [unsigned(each) for each in message]
    if not isinstance(message, dict):
        return message
    return {key: unsigned(each) for key, each in message.items() if key != "signature"}


def readings(
    dialect: str, *, whole: int, less: Callable[[Json], Json] = bare
) -> tuple[Reading, ...]:
    """A tool loop; the client sends the latest replies whole and others with less."""
    return b.read(tool_loop(dialect, whole=whole, less=less))


def tool_loop(
    dialect: str, *, whole: int, less: Callable[[Json], Json], first: int = 1
) -> list[Exchange]:
    """`first`: number of the first reply."""
    history: list[Json] = [b.ask() if dialect == "gemini" else b.user()]
    exchanges = []
    for number in range(first, first + STEPS):
        cut = len(history) - 2 * whole
        sent = [less(each) if at < cut else each for at, each in enumerate(history)]
        request = b.request_body(dialect, sent)
        if dialect == "anthropic":
            request["thinking"] = {"type": "enabled", "budget_tokens": 2048}
        said = reply(dialect, number)
        exchanges.append(b.exchange(dialect, request, b.response_body(dialect, said)))
        history += [said, answer(dialect, number)]
    return exchanges


@pytest.mark.parametrize("whole", [0, 3])
def test_a_message_is_judged_again_when_it_changes(whole: int) -> None:
    made = readings("openrouter", whole=whole)
    ledger, shared = build_ledger(made), dict[object, object]()
    asked: Counter[int] = Counter()

    def judge(subject: Subject, index: int) -> int:
        asked[index] += 1
        return len(subject.losses_at.get(index, ()))

    for reading in made:
        subject = Subject(
            reading=reading,
            ledger=ledger,
            readings={each.number: each for each in made},
            shared=shared,
        )
        calls = [index for index, _ in current_calls(subject)]
        said = judged(subject, judge, calls)
        lost = [len(subject.losses_at.get(index, ())) for index in calls]
        assert [said[index] for index in calls] == lost
    # Sent whole, lost for the first time, lost.
    assert max(asked.values()) == (3 if whole else 2)


@pytest.mark.parametrize("whole", [0, 3])
@pytest.mark.parametrize(
    ("dialect", "module", "mend"),
    [
        ("openrouter", missing, "send_back"),
        ("gemini-openai", missing, "send_back"),
        ("gemini", unsigned_calls, "send_back"),
        ("litellm", llm_1_signature_not_read, "send_back"),
        ("anthropic", ant_2_thinking_missing, "restored"),
    ],
)
def test_what_mends_a_message_is_not_asked_for_in_every_step(
    monkeypatch: pytest.MonkeyPatch,
    dialect: str,
    module: ModuleType,
    mend: str,
    whole: int,
) -> None:
    made = readings(dialect, whole=whole)
    ledger, work = build_ledger(made), Counter[str]()
    mending = getattr(module, mend)

    def counted(*args: Any) -> Any:
        work[mend] += 1
        return mending(*args)

    monkeypatch.setattr(module, mend, counted)
    found = check_session(made, ledger, {})
    assert sum(len(finding.fix or ()) for finding in found) > STEPS * STEPS / 3
    assert STEPS / 2 < work[mend] <= 3 * STEPS


def test_the_part_that_a_signature_stands_on_is_not_looked_for_in_every_step(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    made = readings("gemini", whole=STEPS)
    ledger, looking, looked = build_ledger(made), places.part_at, Counter[str]()

    def counted(message: Message, pointer: str) -> Part | None:
        looked[pointer] += 1
        return looking(message, pointer)

    monkeypatch.setattr(places, "part_at", counted)
    check_session(made, ledger, {})
    assert sum(len(reading.sent) for reading in made) > STEPS * STEPS / 3
    assert looked.total() == STEPS - 1


def test_a_thought_that_is_changed_later_is_told_then() -> None:
    thought = {"text": "I look at it.", "thought": True, "thoughtSignature": b.SIG}
    said = b.says(thought, {"text": "Done."})
    changed = b.says({**thought, "text": "..."}, {"text": "Done."})
    histories = [
        [],
        [said, b.ask("more")],
        [said, b.ask("more"), b.says({"text": "Yes."}), b.ask("and")],
        [changed, b.ask("more"), b.says({"text": "Yes."}), b.ask("and")],
    ]
    replies = [said, *[b.says({"text": f"Yes, {n}."}) for n in range(3)]]
    made = b.read(
        b.exchange(
            "gemini",
            b.request_body("gemini", [b.ask(), *history]),
            b.response_body("gemini", reply),
        )
        for history, reply in zip(histories, replies, strict=True)
    )
    ledger, shared = build_ledger(made), dict[object, object]()
    found = check_session(made, ledger, {})
    assert [each.step for each in found if each.rule == "GEM-16"] == [4]
    steps = {each.number: each for each in made}
    before, now = (
        Subject(reading=steps[n], ledger=ledger, readings=steps, shared=shared)
        for n in (3, 4)
    )
    for subject, text in ((before, "I look at it."), (now, "...")):
        part = places.part_of(subject, before.sent[0])
        assert part is not None
        assert part.text == text


def test_what_mends_a_step_is_put_under_a_rule_s_name_all_at_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    made = readings("gemini", whole=0)
    ledger, work = build_ledger(made), Counter[str]()
    once = Subject.once_in_session

    def counted(subject: Subject, look: Callable[[Subject], Any]) -> Any:
        work[look.__name__] += 1
        return once(subject, look)

    monkeypatch.setattr(Subject, "once_in_session", counted)
    found = check_session(made, ledger, {})
    assert sum(len(finding.fix or ()) for finding in found) > STEPS * STEPS / 3
    assert 0 < work["_own_edits"] <= 2 * STEPS


def test_what_is_said_in_each_step_is_there_once() -> None:
    made = readings("anthropic", whole=0, less=unsigned)
    found = [
        finding
        for finding in check_session(made, build_ledger(made), {})
        if finding.rule == "ANT-4"
    ]
    assert len(found) == STEPS * (STEPS - 1) // 2
    assert len({finding.pointer for finding in found}) == STEPS - 1
    assert len({id(finding.pointer) for finding in found}) == STEPS - 1
    assert len({id(finding.message) for finding in found}) == 1


def test_no_fate_is_made_for_each_signature_of_each_request(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Recorders that hide signatures write one word for all: then each text under it
    has to be looked at."""
    history, exchanges = [b.user()], []
    for number in range(1, STEPS + 1):
        request = b.request_body("anthropic", history)
        request["thinking"] = {"type": "enabled", "budget_tokens": 2048}
        said = b.claude(call(number))
        said["content"][0]["thinking"] = f"I look at {number}.md."
        body = b.response_body("anthropic", said)
        exchanges.append(b.exchange("anthropic", request, body))
        history = [*history, said, answer("anthropic", number)]
    made = b.read(exchanges)
    ledger, work = build_ledger(made), Counter[str]()
    in_step = FateAt.in_step

    def counted(fate: FateAt, *args: Any) -> FateAt:
        work["fates"] += 1
        return in_step(fate, *args)

    monkeypatch.setattr(FateAt, "in_step", counted)
    found = check_session(made, ledger, {})
    assert not are_as_received(subject_of(made, ledger, STEPS))
    assert work["fates"] <= STEPS
    assert not found


@pytest.mark.parametrize(
    ("dialect", "whole", "less"),
    [
        *((dialect, 3, bare) for dialect in MAKERS),
        ("openrouter", 0, bare),
        ("anthropic", 0, unsigned),
    ],
)
def test_a_step_that_is_judged_alone_is_said_the_same_of(
    dialect: str, whole: int, less: Callable[[Json], Json]
) -> None:
    one, other = (
        tool_loop(dialect, whole=whole, less=less, first=first) for first in (1, 101)
    )
    made = b.read([*chain(*zip(one[:3], other[:3], strict=True)), *one[3:]])
    ledger = build_ledger(made)
    alone = (check_alone(reading.number, made, ledger, {}) for reading in made)
    assert check_session(made, ledger, {}) == tuple(chain.from_iterable(alone))


@pytest.mark.parametrize("whole", [0, 3])
def test_what_was_lost_before_is_not_looked_at_in_every_step(
    monkeypatch: pytest.MonkeyPatch, whole: int
) -> None:
    made = readings("openrouter", whole=whole)
    ledger, work = build_ledger(made), Counter[str]()
    lost, sole = _KnownLosses._lost, losses.joined

    def asked(*args: Any) -> Any:
        work["asked"] += 1
        return lost(*args)

    def joined(*fixes: Any) -> Any:
        work["joined"] += len(fixes)
        return sole(*fixes)

    monkeypatch.setattr(_KnownLosses, "_lost", asked)
    monkeypatch.setattr(losses, "joined", joined)
    found = check_session(made, ledger, {})
    assert sum(len(finding.fix or ()) for finding in found) > STEPS * STEPS / 3
    assert STEPS / 2 < work["asked"] <= 2 * STEPS
    assert STEPS / 2 < work["joined"] <= 2 * STEPS


def test_thinking_without_its_signature_is_looked_at_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    made = readings("anthropic", whole=0, less=unsigned)
    ledger, looked = build_ledger(made), Counter[int]()
    looking = ant_4_unsigned_thinking.thoughts_at

    def counted(subject: Subject, index: int, look: Any) -> Any:
        looked[index] += 1
        return looking(subject, index, look)

    monkeypatch.setattr(ant_4_unsigned_thinking, "thoughts_at", counted)
    found = check_session(made, ledger, {})
    assert sum(one.rule == "ANT-4" for one in found) == STEPS * (STEPS - 1) // 2
    assert looked.total() == STEPS - 1


def subject_of(made: Sequence[Reading], ledger: Ledger, step: int) -> Subject:
    readings = {each.number: each for each in made}
    return Subject(reading=readings[step], ledger=ledger, readings=readings)


def turned(value: Json) -> Json:
    """The same with its members in another order."""
    if isinstance(value, dict):
        return {key: turned(value[key]) for key in reversed(value)}
    return [*map(turned, value)] if isinstance(value, list) else value


def test_a_fix_spells_what_it_keeps_as_its_own_request_does() -> None:
    said = b.claude(("call_1", "read_file", {"path": "a.md"}))
    thought, call = json.loads(json.dumps(said).replace("around.", "."))["content"]
    changed = b.blocks(call, thought, thought)
    sent = [b.user(), changed, b.tool_results(("call_1", "read_file", {}))]
    asked = ([b.user()], sent, turned(sent))
    answers = (said, b.claude(text="Done."), b.claude(text="Done."))
    exchanges = [
        b.exchange(
            "anthropic",
            b.request_body("anthropic", history),
            b.response_body("anthropic", reply),
        )
        for history, reply in zip(asked, answers, strict=True)
    ]
    apart = [Reading(one, number=at) for at, one in enumerate(exchanges, start=1)]
    together = b.read(exchanges)
    found = check_session(together, build_ledger(together), {})
    assert {one.step for one in found if one.fix} == {2, 3}
    assert found == check_session(apart, build_ledger(apart), {})
