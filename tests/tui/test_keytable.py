"""Every command is in the table, under a name of its own."""

from __future__ import annotations

from collections import Counter

import pytest

from sigscope.tui.keytable import commands, inner_first

BY_ID = {command.id: command for command in commands()}


def test_every_command_has_a_name_of_its_own() -> None:
    counts = Counter(command.id for command in commands())
    assert [name for name, count in counts.items() if count > 1] == []


def test_every_command_says_what_it_does() -> None:
    assert [command.id for command in commands() if not command.words] == []


def test_no_binding_of_ours_is_without_a_name() -> None:
    """One without an id could not be given another key."""
    from textual.binding import Binding

    for holder in {command.holder for command in commands()}:
        for binding in Binding.make_bindings(holder.__dict__["BINDINGS"]):
            assert binding.id, f"{holder.__name__}: {binding.key} has no id"


def test_no_class_ships_one_key_for_two_commands() -> None:
    for one in commands():
        for other in commands():
            if one.id < other.id and one.holder is other.holder:
                assert not set(one.keys) & set(other.keys), (one.id, other.id)


def test_names_hold_no_character_that_toml_reads_otherwise() -> None:
    for name in BY_ID:
        assert name.replace(".", "").replace("-", "").isalnum(), name


@pytest.mark.parametrize(
    ("inner", "outer"),
    [
        ("json.toggle", "send"),
        ("json.toggle", "json.copy"),
        ("json.events-swap", "json.copy"),
        ("chat.fold", "send"),
        ("list.down", "send"),
        ("list.down", "sessions.reload"),
        ("send", "app.help"),
        ("chat.fold", "app.help"),
        ("app.quit", "send"),
        ("list.down", "dialog.close"),
    ],
)
def test_a_key_is_looked_for_from_the_inside_outwards(inner: str, outer: str) -> None:
    found = inner_first(BY_ID[outer], BY_ID[inner])
    assert found is not None
    assert [command.id for command in found] == [inner, outer]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("json.toggle", "chat.fold"),
        ("json.toggle", "json.hex"),
        ("send", "sessions.open"),
        ("json.toggle", "sessions.open"),
        ("help.close", "app.help"),
        ("dialog.close", "back"),
    ],
)
def test_commands_of_different_places_never_meet(one: str, other: str) -> None:
    assert inner_first(BY_ID[one], BY_ID[other]) is None


def test_a_command_without_a_key_is_listed_without_one() -> None:
    assert BY_ID["dialect"].keys == ()
    shipped = {key for command in commands() for key in command.keys}
    assert not any(key.startswith("none") for key in shipped)
