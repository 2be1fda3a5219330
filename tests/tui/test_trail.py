"""The path of one signature, as a list and with one key."""

from __future__ import annotations

from dataclasses import replace

import pytest
from tests.tui.story import FIRST, story_document

from sigscope.engine.sessions.document import Document
from sigscope.ledger import Fate
from sigscope.opaque import sha256
from sigscope.tui.place import NodePlace
from sigscope.tui.selection import Selection
from sigscope.tui.trail import followed, next_stop, path_of

DOCUMENT = story_document()
SIGNATURE = next(s for s in DOCUMENT.ledger.signatures if s.sha256 == sha256(FIRST))


def message_at(step: int, index: int) -> str:
    return DOCUMENT.reading(step).conversation.messages[index].pointer


PATH = path_of(SIGNATURE, message_at)


def test_the_path_leads_from_its_event_to_every_request() -> None:
    assert [(stop.step, str(stop.place), stop.fate) for stop in PATH] == [
        (1, f"event {PATH[0].place.event} /choices/0/delta/reasoning_opaque",
         Fate.RECEIVED),
        (2, "/messages/2", Fate.DROPPED),
        (3, "/messages/2/reasoning_opaque", Fate.EXACT),
        (4, "/messages/2/reasoning_opaque", Fate.EXACT),
    ]  # fmt: skip


def test_a_stop_says_what_happened_there() -> None:
    assert PATH[0].words == "step 1: received"
    assert PATH[1].words.startswith("step 2: dropped, ")


def test_a_loss_without_a_message_leads_to_the_whole_request() -> None:
    stretches = tuple(
        replace(one, fate=replace(one.fate, message=None), sightings=())
        for one in SIGNATURE.stretches
    )
    path = path_of(replace(SIGNATURE, stretches=stretches), message_at)
    assert [stop.place for stop in path[1:]] == [NodePlace()] * len(SIGNATURE.fates)


@pytest.mark.parametrize("by", [1, -1])
def test_it_goes_round(by: int) -> None:
    at, seen = 0, []
    for _ in PATH:
        now = Selection(step=PATH[at].step, place=PATH[at].place)
        at = next_stop(PATH, now, by)
        seen.append(at)
    assert sorted(seen) == [0, 1, 2, 3]
    assert at == 0


def test_from_elsewhere_it_goes_to_a_later_step_or_back_to_an_earlier() -> None:
    aside = Selection(step=2, place=NodePlace(pointer="/model"))
    assert PATH[next_stop(PATH, aside, 1)].step == 3
    assert PATH[next_stop(PATH, aside, -1)].step == 1
    last = Selection(step=4, place=NodePlace(pointer="/model"))
    assert next_stop(PATH, last, 1) == 0
    first = Selection(step=1, place=NodePlace())
    assert next_stop(PATH, first, -1) == len(PATH) - 1


def test_without_a_selected_one_the_first_of_the_step_is_followed() -> None:
    ledger = DOCUMENT.ledger
    assert followed(Selection(step=1), ledger) is SIGNATURE
    assert followed(Selection(step=2), ledger) is SIGNATURE
    assert followed(Selection(step=5), ledger) is None
    chosen = Selection(step=5, signature=SIGNATURE.sha256)
    assert followed(chosen, ledger) is SIGNATURE
    none = Document(replace(DOCUMENT.session, steps=())).ledger
    assert followed(Selection(step=1), none) is None
