"""What counts as a loss, and that customs are told once."""

from __future__ import annotations

from tests.unit.rules import copilot_chat_cases, gemini_cases, openrouter_cases
from tests.unit.rules.cases import bench, gemini_signature
from tests.unit.rules.gemini_cases import (
    HI,
    VERTEX,
    answer,
    ask,
    call,
    model,
    results,
    user,
)

from sigscope.ledger import Fate
from sigscope.rules.base import Claim, Subject
from sigscope.rules.edits import drop
from sigscope.rules.losses import first_of_its_kind, told_as_one
from sigscope.rules.subject import Loss, is_same_service


def anything(subject: Subject, loss: Loss) -> bool:
    return True


def three_answers() -> list[Subject]:
    """A chat of three turns whose answers come back without their signatures."""
    history = [HI]
    exchanges = []
    for turn in range(4):
        text = f"This is the answer to question number {turn}."
        signature = gemini_signature(f"answer {turn}")
        part = {"text": text, "thoughtSignature": signature}
        exchanges.append(ask(history, answer(part)))
        history = [*history, model({"text": text}), user(f"And then {turn}?")]
    found = bench(exchanges)
    return [found.subject(step) for step in range(1, 5)]


def test_a_dropped_signature_is_a_loss_of_its_message() -> None:
    exchanges = gemini_cases.lost()
    (loss,) = bench(exchanges).subject(2).losses
    assert (loss.fate, loss.index) == (Fate.DROPPED, 1)
    assert loss.is_current
    assert loss.is_first


def test_what_comes_back_as_it_was_is_no_loss() -> None:
    found = bench(
        copilot_chat_cases.two_steps(copilot_chat_cases.calls("read_file"))[:1]
    )
    assert list(found.subject(1).losses) == []


def test_an_envelope_that_another_one_supersedes_is_no_loss() -> None:
    (case,) = [
        g for g in copilot_chat_cases.GOOD if g.id == "the last of several envelopes"
    ]
    assert list(bench(case.exchanges).subject(2).losses) == []


def test_what_another_service_issued_is_no_loss_for_this_one() -> None:
    found = bench(
        [
            ask([HI], answer(call("ls", gemini_signature("x"))), base=VERTEX),
            ask([HI, model(call("ls")), results("ls")]),
        ]
    )
    assert list(found.subject(2).losses) == []
    assert not is_same_service(found.readings[0], found.readings[1])


def test_services_that_the_recording_does_not_name_count_as_the_same() -> None:
    found = bench(
        [
            ask([HI], base="/v1beta/models"),
            ask([HI], base=VERTEX),
            openrouter_cases.ask([openrouter_cases.HI]),
        ]
    )
    unknown, vertex, other = found.readings
    assert is_same_service(unknown, vertex)
    assert not is_same_service(unknown, other)


def test_a_loss_is_first_only_where_it_begins() -> None:
    subjects = three_answers()
    firsts = [[loss.is_first for loss in s.losses] for s in subjects]
    assert firsts == [[], [True], [False, True], [False, False, True]]


def test_the_first_of_a_kind_is_told_in_one_step_only() -> None:
    told = [first_of_its_kind(subject, anything) for subject in three_answers()]
    assert [loss is not None for loss in told] == [False, True, False, False]


def test_a_kind_may_begin_later_than_the_first_loss() -> None:
    def is_third(subject: Subject, loss: Loss) -> bool:
        return loss.signature.step == 3

    told = [first_of_its_kind(subject, is_third) for subject in three_answers()]
    assert [loss is not None for loss in told] == [False, False, False, True]


def claims_at(*pointers: str, is_accepted: bool) -> list[Claim]:
    reply = gemini_cases.DONE if is_accepted else None
    subject = bench([ask([HI], reply)]).subject(1)
    found = [Claim(at, "lost", fix=(drop(at, "x"),)) for at in pointers]
    return list(told_as_one(subject, found))


def test_losses_of_an_accepted_request_are_told_as_one() -> None:
    (claim,) = claims_at("/a", "/b", "/c", "/d", is_accepted=True)
    assert claim.pointer == "/d"
    assert claim.said == "lost; likewise at /c, /b and 1 more"
    assert [edit.pointer for edit in claim.fix or ()] == ["/a", "/b", "/c", "/d"]


def test_what_mends_losses_is_theirs_whatever_was_told_before() -> None:
    subject = bench([ask([HI], gemini_cases.DONE)]).subject(1)
    fixes = {name: (drop(f"/{name}", "x"),) for name in "abcxy"}
    for told in ("abc", "xy", "abcx", "abcx", "acb", "ab", "aba", "abca"):
        found = [Claim(f"/{name}", "lost", fix=fixes[name]) for name in told]
        (claim,) = told_as_one(subject, found)
        wanted = [f"/{name}" for name in dict.fromkeys(told)]
        assert [edit.pointer for edit in claim.fix or ()] == wanted


def test_losses_of_a_refused_request_are_told_one_by_one() -> None:
    found = claims_at("/a", "/b", is_accepted=False)
    assert [(c.pointer, c.said) for c in found] == [("/a", "lost"), ("/b", "lost")]


def test_a_single_loss_is_told_as_it_is() -> None:
    (claim,) = claims_at("/a", is_accepted=True)
    assert claim.said == "lost"
