"""Chords that copy."""

from __future__ import annotations

from sigscope.tui.json.copies import SECOND, CopyChord


def test_the_second_key_says_what_is_copied_and_goes_nowhere_else() -> None:
    copied: list[str] = []
    said: list[str] = []
    chord = CopyChord(lambda key: key == "f5", copied.append, said.append)
    keys = ["x", "f5", "v", "f5", "j", "p", "f5", "p"]
    assert [chord.takes(key) for key in keys] == [
        *(False, True, True),
        *(True, False, False),
        *(True, True),
    ]
    assert copied == ["value", "path"]
    assert said == [SECOND] * 3


def test_esc_ends_a_chord_and_goes_no_further() -> None:
    copied: list[str] = []
    said: list[str] = []
    chord = CopyChord(lambda key: key == "y", copied.append, said.append)
    assert [chord.takes(key) for key in ("y", "escape", "v", "escape")] == [
        *(True, True),
        *(False, False),
    ]
    assert copied == []
    assert said == [SECOND, "nothing was copied"]


def test_a_chord_that_was_begun_elsewhere_goes_on() -> None:
    copied: list[str] = []
    chord = CopyChord(lambda key: False, copied.append, lambda words: None)
    chord.begin()
    assert chord.takes("y")
    assert copied == ["row"]
