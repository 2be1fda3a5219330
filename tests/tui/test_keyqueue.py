"""What is typed fast goes where it was meant: each key after the one before it."""

from __future__ import annotations

import pytest
from tests.tui.driving import MISSING, Driver, opened
from textual.events import Key
from textual.message_pump import MessagePump
from textual.widgets import Input

from sigscope.tui.app import SigscopeApp
from sigscope.tui.json.prompt import Prompt
from sigscope.tui.keyqueue import PATIENCE, KeyQueue
from sigscope.tui.screens.debugger import DebuggerScreen

CHARACTERS = {"space": " ", "enter": "\r", "slash": "/", "semicolon": ";"}
"""What a terminal says of keys with a name."""


def type_at_once(driver: Driver, *keys: str) -> None:
    """As a terminal hands it over when the program was busy for a moment."""
    for key in keys:
        character = key if len(key) == 1 else CHARACTERS.get(key)
        driver.pilot.app.post_message(Key(key, character))


async def test_a_text_typed_right_after_slash_is_searched_and_sends_nothing() -> None:
    async with opened(MISSING, size=(80, 24)) as driver:
        type_at_once(driver, "4", "slash", *"reasoning_opaque", "enter", "space")
        await driver.until(
            lambda: driver.screen.model.edits, "the signature is put back"
        )
        assert driver.pointer == "/messages/2/reasoning_opaque"
        assert driver.screen.model.document.runs == []


async def test_a_list_is_searched_and_what_follows_goes_to_the_list() -> None:
    async with opened(MISSING, size=(120, 36)) as driver:
        type_at_once(driver, "1", "slash", *"stop", "enter", "j")
        await driver.until(lambda: driver.screen.model.selection.step == 4, "one below")
        await driver.rest()
        assert not driver.screen.query_one("Finder Input", Input).value.endswith("j")


async def test_what_is_typed_into_a_line_stays_in_its_order() -> None:
    async with opened(MISSING, size=(120, 36)) as driver:
        type_at_once(driver, "4", "slash", *"content", "backspace", *"s u f")
        prompt = driver.screen.query_one("JsonPane Prompt", Prompt)

        def typed() -> list[str]:
            return [field.value for field in prompt.query(Input)]

        await driver.until(lambda: typed() == ["contens u f"], "all of it")
        await driver.rest()
        assert not driver.screen.model.edits


async def test_what_is_typed_right_after_semicolon_is_searched_in_all_bodies() -> None:
    async with opened(MISSING) as driver:
        type_at_once(driver, "semicolon", *"signature")

        def typed() -> list[str]:
            return [field.value for field in driver.app.screen.query(Input)]

        await driver.until(lambda: typed() == ["signature"], "all of it")
        debugger = driver.app.screen_stack[-2]
        assert isinstance(debugger, DebuggerScreen)
        assert debugger.model.document.runs == [], "nothing is sent"


def test_a_key_waits_for_the_one_before_it_and_ending_the_program_for_none() -> None:
    given: list[Key] = []
    queue = KeyQueue(given.append)
    first = Key("slash", "/")
    assert not queue.holds(first)
    assert queue.holds(Key("s", "s"))
    assert queue.holds(Key("u", "u"))
    assert not queue.holds(Key("ctrl+q", None))
    queue.arrived(first, AtOnce())
    assert [key.key for key in given] == ["s"]
    assert not queue.holds(given[0])


def test_a_key_that_never_arrives_holds_the_others_up_for_seconds_only() -> None:
    clock = [0.0]
    given: list[Key] = []
    queue = KeyQueue(given.append, lambda: clock[0])
    lost = Key("a", "a")
    assert not queue.holds(lost)
    assert queue.holds(Key("b", "b"))
    clock[0] = PATIENCE + 1
    assert queue.holds(Key("c", "c"))
    queue.arrived(lost, AtOnce())
    assert [key.key for key in given] == ["b"]


class AtOnce(MessagePump):
    """Calls what is to be called later."""

    woken = 0

    def call_later(self, callback, *args, **kwargs) -> bool:  # type: ignore[no-untyped-def]
        self.woken += 1
        callback(*args, **kwargs)
        return True


class Typed(AtOnce, Input):
    """A line that is typed into."""


@pytest.mark.parametrize(("kind", "climbs"), [(AtOnce, 1), (Typed, 2)])
def test_only_a_line_that_is_typed_into_is_followed_twice(
    kind: type[AtOnce], climbs: int
) -> None:
    """Each climb wakes every widget up to the app before the next key is taken."""
    above, end = AtOnce(), AtOnce()
    node = kind()
    node._attach(above)
    above._attach(end)
    queue = KeyQueue(lambda key: None)
    key = Key("j", "j")
    assert not queue.holds(key)
    queue.follow(key, node, end)
    assert (node.woken, above.woken, end.woken) == (climbs, climbs, climbs + 1)
    assert not queue.holds(Key("k", "k")), "the next may go"


def test_of_a_key_that_is_stopped_no_more_is_woken_than_heard_it() -> None:
    node, end = AtOnce(), AtOnce()
    node._attach(end)
    queue = KeyQueue(lambda key: None)
    key = Key("j", "j")
    queue.holds(key)
    key.stop()
    queue.follow(key, node, end)
    assert (node.woken, end.woken) == (1, 1)


async def test_a_key_typed_behind_the_one_that_quits_is_for_nobody() -> None:
    """It was told as a fault of sigscope's."""
    app = SigscopeApp()
    assert not app._screen_stack
    app._kept_keys.release()
    await app.on_event(Key("j", "j"))
