"""Chords that copy."""

from __future__ import annotations

from sigscope.tui.json.copies import CopyChord


def test_the_second_key_says_what_is_copied_and_goes_nowhere_else() -> None:
    copied: list[str] = []
    chord = CopyChord(lambda key: key == "f5", copied.append)
    keys = ["x", "f5", "v", "f5", "j", "p", "f5", "p"]
    assert [chord.takes(key) for key in keys] == [
        *(False, True, True),
        *(True, False, False),
        *(True, True),
    ]
    assert copied == ["value", "path"]


def test_a_chord_that_was_begun_elsewhere_goes_on() -> None:
    copied: list[str] = []
    chord = CopyChord(lambda key: False, copied.append)
    chord.begin()
    assert chord.takes("y")
    assert copied == ["row"]
