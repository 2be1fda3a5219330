from __future__ import annotations

from sigscope.edits.notation import parse
from sigscope.edits.plan import Add, Take, contradictions, plan
from sigscope.jsontext import JsonText

BODY = JsonText(b'{"a":{"b":[1,2]},"c":3}')


def effects(line: str) -> tuple[Take | Add, ...]:
    (planned,) = plan([parse(line)], BODY)
    return planned.effects


def test_edits_become_effects_on_nodes_of_the_recorded_text() -> None:
    root, a, b, c = map(BODY.locate, ("", "/a", "/a/b", "/c"))
    assert effects("drop /c") == (Take(c, None),)
    assert effects("set /c 4") == (Take(c, "4"),)
    assert effects("set /d 4") == (Add(root, 2, "d", "4", True),)
    assert effects("insert /a/x 4") == (Add(a, 1, "x", "4", False),)
    assert effects("insert /a/b/1 4") == (Add(b, 1, None, "4", False),)
    assert effects("set /a/b/- 4") == (Add(b, 2, None, "4", True),)
    assert effects("copy /c /a/b/0") == (Add(b, 0, None, "3", False),)
    assert effects("move /c /a") == (Take(c, None), Take(a, "3"))
    assert effects("move /a/b /a") == (Take(a, "[1,2]"),)
    assert effects("move /c /c") == ()


def test_edits_outside_the_body_are_left_out() -> None:
    assert plan([parse("header A: b"), parse("url x")], BODY) == ()


def test_the_same_change_is_planned_once_however_it_is_named() -> None:
    twice = JsonText(b'{"a":1,"a":2}')
    edits = [parse("set /a 3"), parse("set /a~#2 3"), parse("set /a~#1 3")]
    assert [p.edit for p in plan(edits, twice)] == [edits[0], edits[2]]


def test_contradictions_come_in_pairs_with_the_taker_first() -> None:
    lines = ("set /a/b/0 7", "drop /a", "set /a/b 8", "set /c 9")
    inner, outer, middle, _ = edits = [parse(line) for line in lines]
    assert set(contradictions(plan(edits, BODY))) == {
        (middle, inner),
        (outer, inner),
        (outer, middle),
    }
