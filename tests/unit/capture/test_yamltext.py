"""YAML documents, healthy, foreign, torn."""

from __future__ import annotations

import sys
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sigscope.capture.yamltext import load_yaml
from sigscope.errors import MissingExtra

yaml = pytest.importorskip("yaml")


def value_of(scalar: str) -> object:
    (document,) = load_yaml(f"k: {scalar}\n").documents
    assert isinstance(document, dict)
    return document["k"]


JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(10**20), 10**20)
    | st.floats(allow_nan=False)
    | st.text(max_size=12),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(st.text(max_size=6), inner, max_size=4)
    ),
    max_leaves=12,
)


@given(JSON, st.sampled_from([None, '"', "'", "|", ">"]), st.sampled_from([40, 1000]))
def test_what_pyyaml_wrote_reads_back(tree: object, style: str, width: int) -> None:
    class Styled(yaml.SafeDumper):  # type: ignore[misc, name-defined]
        """Writes texts in one style, as cassette serialisers do."""

    def represent(dumper: Any, text: str) -> Any:
        return dumper.represent_scalar("tag:yaml.org,2002:str", text, style=style)

    Styled.add_representer(str, represent)
    loaded = load_yaml(yaml.dump(tree, Dumper=Styled, width=width))
    assert loaded.documents == [tree]
    assert loaded.errors == []


@pytest.mark.parametrize(
    ("scalar", "value"),
    [
        ("7", 7),
        ("-1.5e+3", -1500.0),
        ("true", True),
        ("~", None),
        ("", None),
        ("2023-06-01", "2023-06-01"),
        ("2026-99-99", "2026-99-99"),
        ("2026-01-01 10:00:00", "2026-01-01 10:00:00"),
        ("0123", "0123"),
        ("12:30:45", "12:30:45"),
        ("1_000", "1_000"),
        ("0x1F", "0x1F"),
        ("yes", "yes"),
        ("no", "no"),
        ("'7'", "7"),
        ("!!str 7", "7"),
        ("!!binary aGk=", b"hi"),
        ("!binary aGk=", b"hi"),
        ("!binary '*'", b""),
        ("!!python/unicode 'x'", "x"),
        ("!ruby/symbol post", "post"),
        ("!!int x", "x"),
        ("9" * 5000, "9" * 5000),
        ("!!python/object/apply:os.system [ls]", ["ls"]),
    ],
)
def test_scalars_are_what_their_writer_meant(scalar: str, value: object) -> None:
    assert value_of(scalar) == value


def test_file_objects_and_iterators_of_vcrpy_are_their_content() -> None:
    buffer = (
        "!!python/object/new:_io.BytesIO\n  state: !!python/tuple\n  - !!binary aGk="
    )
    assert value_of(buffer) == b"hi"
    pieces = "!!python/object/apply:builtins.iter\n  args: [[a, b]]"
    assert value_of(pieces) == ["a", "b"]


def test_anchors_aliases_and_merges_are_followed() -> None:
    loaded = load_yaml("a: &x {p: 1}\nb: *x\nc: {<<: *x, q: 2}\n")
    assert loaded.documents == [{"a": {"p": 1}, "b": {"p": 1}, "c": {"p": 1, "q": 2}}]


def test_an_unknown_alias_is_an_error_and_no_crash() -> None:
    assert load_yaml("a: *nowhere\n").errors


def test_collections_as_keys_do_no_harm() -> None:
    assert load_yaml("? [a, b]\n: 1\n").documents == [{"['a', 'b']": 1}]


def test_a_key_that_unfolds_without_end_is_refused(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("sigscope.capture.values._MOST_NODES", 50)
    levels = "a: &a [x]\nb: &b [*a, *a, *a, *a, *a]\nc: &c [*b, *b, *b, *b, *b]\n"
    (line, reason) = load_yaml(f"{levels}? *c\n: 1\n").errors[0]
    assert (line, reason) == (4, "a key of it unfolds to more than any recording has")
    assert not load_yaml(f"{levels}? *b\n: 1\n").errors


def test_keys_within_keys_do_not_double_without_end() -> None:
    """Each level escapes the quotes of the one within."""
    assert not load_yaml("? " * 4).errors
    (line, reason) = load_yaml("? " * 100 + "i{\n").errors[0]
    assert (line, reason) == (
        2,
        "a key of it is a mapping or list, longer than any recording's",
    )


@pytest.mark.parametrize("text", ["\x1b[0m", "\udcff", "\x00", "\x7f", "\x9f"])
def test_characters_that_yaml_forbids_are_kept(text: str) -> None:
    assert load_yaml(f"a: x{text}\nb: '{text}'\n").documents == [
        {"a": f"x{text}", "b": text}
    ]


def test_private_characters_stay_themselves() -> None:
    private = "\U00100041\U0010d800\U0010fffd"
    assert load_yaml(f"a: {private}\n").documents == [{"a": private}]
    both = f"{private}\x1b"
    assert load_yaml(f"a: {both}\n").documents == [{"a": both}]
    full = f"{private}\U000f0000\x1b"
    assert load_yaml(f"a: {full}\n").errors


def test_documents_come_in_order() -> None:
    assert load_yaml("---\na: 1\n---\nb: 2\n").documents == [{"a": 1}, {"b": 2}]


TORN = """\
version: 1
items:
- name: one
  body: 'whole'
- name: two
  body: 'torn
- name: three
  body: "whole"
- name: four
"""


def test_a_broken_element_is_left_out_and_the_rest_read() -> None:
    loaded = load_yaml(TORN)
    assert loaded.documents == [
        {"version": 1, "items": [{"name": "one", "body": "whole"}]},
        [{"name": "three", "body": "whole"}, {"name": "four"}],
    ]
    assert [line for line, _ in loaded.errors] == [6]


@given(st.integers(0, len(TORN)))
def test_a_tear_leaves_what_was_whole(cut: int) -> None:
    whole = TORN.replace("'torn", "'mended'")
    loaded = load_yaml(whole[:cut])
    found = [
        item
        for document in loaded.documents
        if isinstance(document, dict)
        for item in document.get("items") or []
    ]
    everything = load_yaml(whole).documents[0]
    assert isinstance(everything, dict)
    assert found[:-1] == everything["items"][: max(len(found) - 1, 0)]


def test_a_broken_document_does_not_take_the_next_with_it() -> None:
    loaded = load_yaml("---\na: 'x\n---\nb: 2\n---\nc: [\n---\nd: 4\n")
    assert {"b": 2} in loaded.documents
    assert {"d": 4} in loaded.documents
    assert len(loaded.errors) == 2


@pytest.mark.parametrize("opening", ["[", "{a: ", "- "])
def test_depth_is_an_error_and_no_crash(opening: str) -> None:
    loaded = load_yaml("k:\n  " + opening * 100_000)
    assert loaded.errors


@given(st.text(st.sampled_from("-: \n[]{}'\"|>&*!?#%@`ab1"), max_size=60))
def test_no_text_makes_it_raise(text: str) -> None:
    load_yaml(text)


def test_without_pyyaml_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "yaml", None)
    with pytest.raises(MissingExtra, match=r"sigscope\[vcr\]"):
        load_yaml("a: 1")


def test_the_parser_in_python_gives_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    fast = load_yaml(TORN)
    monkeypatch.delattr(yaml, "CSafeLoader", raising=False)
    slow = load_yaml(TORN)
    assert slow.documents == fast.documents
