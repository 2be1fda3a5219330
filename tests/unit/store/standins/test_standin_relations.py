"""Stand-ins relate to one another as the signatures do."""

from __future__ import annotations

import base64

from hypothesis import given
from hypothesis import strategies as st

from sigscope import opaque
from sigscope.store.standins.relations import Relations, plain


def texts(least: int) -> st.SearchStrategy[str]:
    data = st.binary(min_size=least, max_size=200)
    return data.map(lambda value: plain(base64.b64encode(value).decode()))


TEXTS = texts(18)
KEY = b"a session"


def is_canonical(text: str) -> bool:
    data = opaque.decode(text)
    return data is not None and plain(base64.b64encode(data).decode()) == text


@given(st.lists(TEXTS, max_size=8, unique=True))
def test_different_signatures_have_different_stand_ins(texts: list[str]) -> None:
    relations = Relations(KEY, texts)
    new = [relations.get(text) for text in texts]
    assert len(set(new)) == len(texts)
    for old, stand_in in zip(texts, new, strict=True):
        assert stand_in is not None
        assert len(stand_in) == len(old)
        assert stand_in != old
        assert is_canonical(stand_in)
        assert [c for c in stand_in if c in "+/"] == [c for c in old if c in "+/"]


@given(st.lists(TEXTS, min_size=1, max_size=5), st.randoms())
def test_the_order_of_signatures_does_not_matter(texts: list[str], random) -> None:  # type: ignore[no-untyped-def]
    one = Relations(KEY, texts)
    random.shuffle(texts)
    other = Relations(KEY, texts)
    assert [one.get(text) for text in texts] == [other.get(text) for text in texts]


def test_another_key_gives_other_stand_ins() -> None:
    text = "Zk3x9Q" * 12
    assert Relations(b"1", [text]).get(text) != Relations(b"2", [text]).get(text)


@given(TEXTS, st.data())
def test_what_was_cut_is_cut(text: str, data: st.DataObject) -> None:
    cut = text[: data.draw(st.integers(1, len(text) - 1))]
    relations = Relations(KEY, [cut, text])
    whole, part = relations.get(text), relations.get(cut)
    assert whole is not None
    assert part == whole[: len(cut)]


@given(texts(48), st.data())
def test_what_was_altered_is_altered_at_the_same_place(
    text: str, data: st.DataObject
) -> None:
    at = data.draw(st.integers(0, len(text) - 2))
    altered = text[:at] + ("Q" if text[at] != "Q" else "R") + text[at + 1 :]
    relations = Relations(KEY, [text, altered])
    whole, other = relations.get(text), relations.get(altered)
    assert whole is not None
    assert other is not None
    assert [a == b for a, b in zip(whole, other, strict=True)] == [
        a == b for a, b in zip(text, altered, strict=True)
    ]


@given(texts(80), st.data())
def test_ends_in_common_stay_in_common_when_the_length_changes(
    text: str, data: st.DataObject
) -> None:
    at = data.draw(st.integers(1, len(text) - 1))
    longer = text[:at] + "xyz" + text[at:]
    relations = Relations(KEY, [text, longer])
    whole, other = relations.get(text), relations.get(longer)
    assert whole is not None
    assert other is not None
    assert opaque.is_altered_from(longer, text)
    assert opaque.is_altered_from(other, whole)
    assert whole != other[: len(whole)] or at == len(text)


def test_signatures_of_one_issuer_are_not_taken_for_copies() -> None:
    head = "EhYKBggLEAEYAhIMLn0sA6lQ"
    texts = [
        head + f"{number:03}" + "Zk3x9QaB" * 20 + str(number) for number in range(3)
    ]
    texts = [text[:40] + str(n) * 60 + text[100:] for n, text in enumerate(texts)]
    relations = Relations(KEY, texts)
    for text in texts:
        assert relations.maybe_original(text[:120]) == text


def test_what_is_no_ascii_has_stand_ins_too() -> None:
    for char in ("é", "\udcbc", "\ud83d"):
        text = "Ab3" * 20 + char * 20
        made = Relations(KEY, [text, text[:-5], text[:60] + text[50:]])
        assert all(len(made.get(each) or "") == len(each) for each in made)
