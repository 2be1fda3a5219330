"""Fields whose changes are told."""

from __future__ import annotations

from sigscope.tui.debugger.observed import Observable, Observed


class Lamp(Observable):
    is_on: Observed[bool] = Observed(False)
    colours: Observed[tuple[str, ...]] = Observed(())


def test_changes_are_told_by_name_in_their_order_after_they_were_made() -> None:
    lamp = Lamp()
    told: list[tuple[str, object]] = []
    lamp.observe(lambda what: told.append((what, getattr(lamp, what))))
    lamp.is_on = True
    lamp.colours = ("red",)
    lamp.is_on = False
    assert told == [("is_on", True), ("colours", ("red",)), ("is_on", False)]


def test_what_it_is_already_is_no_change() -> None:
    lamp = Lamp()
    lamp.colours = ("red",)
    told: list[str] = []
    lamp.observe(told.append)
    lamp.colours = tuple(iter(["red"]))
    lamp.is_on = False
    assert told == []


def test_two_holders_have_nothing_in_common() -> None:
    one, other = Lamp(), Lamp()
    told: list[str] = []
    other.observe(told.append)
    one.is_on = True
    assert (other.is_on, told) == (False, [])


def test_what_happens_without_a_field_is_told_too() -> None:
    lamp = Lamp()
    told: list[str] = []
    lamp.observe(told.append)
    lamp.tell("broken")
    assert told == ["broken"]


def test_who_was_forgotten_hears_nothing_even_if_it_happens_in_between() -> None:
    lamp = Lamp()
    told: list[str] = []
    heard: list[str] = []

    def once(what: str) -> None:
        told.append(what)
        lamp.forget(once)

    lamp.observe(once)
    lamp.observe(heard.append)
    lamp.is_on = True
    lamp.is_on = False
    assert told == ["is_on"]
    assert heard == ["is_on", "is_on"]
