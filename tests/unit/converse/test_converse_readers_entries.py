"""Putting `reasoning_details` together: the right way and four others."""

from __future__ import annotations

from typing import Any

import pytest

from sigscope.converse.readers.entries import Entries

PIECES: list[list[dict[str, Any]]] = [
    [{"type": "reasoning.text", "text": "One. ", "index": 0, "format": "g"}],
    [{"type": "reasoning.text", "text": "Two.", "index": 0, "format": "g"}],
    [
        {
            "type": "reasoning.encrypted",
            "data": "S1",
            "id": "call_a",
            "index": 0,
            "format": "g",
        }
    ],
]


def merged(merge: Any, *lists: list[dict[str, Any]], **kept: Any) -> list[Any]:
    entries = Entries(merge)
    for pieces in lists:
        entries.take(pieces)
    return list(entries.finished(**kept))


def test_entries_of_different_type_never_merge_whatever_their_index() -> None:
    assert merged("type-index-id", *PIECES) == [
        {"type": "reasoning.text", "text": "One. Two.", "index": 0, "format": "g"},
        PIECES[2][0],
    ]


def test_sealed_data_of_other_ids_stays_apart_unless_ids_do_not_count() -> None:
    other = [{**PIECES[2][0], "data": "S2", "id": "call_b"}]
    right = merged("type-index-id", PIECES[2], other)
    assert [entry["data"] for entry in right] == ["S1", "S2"]
    wrong = merged("type-index", PIECES[2], other)
    assert [entry["data"] for entry in wrong] == ["S1S2"]


def test_merging_by_index_alone_glues_types_together() -> None:
    (glued,) = merged("index", *PIECES)
    assert glued["type"] == "reasoning.textreasoning.textreasoning.encrypted"
    assert glued["format"] == "ggg"
    assert glued["data"] == "S1"


def test_fragments_are_entries_of_their_own() -> None:
    assert len(merged("fragments", *PIECES)) == 3


def test_the_last_list_may_replace_all_before() -> None:
    assert merged("last", *PIECES) == PIECES[2]


def test_a_signature_that_is_not_empty_replaces_an_empty_one() -> None:
    opening = {"type": "reasoning.text", "text": "", "signature": "", "index": 0}
    closing = {"type": "reasoning.text", "signature": "S", "index": 0}
    (entry,) = merged("type-index-id", [opening], [{**opening, "text": "x"}], [closing])
    assert entry == {
        "type": "reasoning.text",
        "text": "x",
        "signature": "S",
        "index": 0,
    }


def test_a_signature_is_not_emptied_by_a_later_piece() -> None:
    signed = {"type": "reasoning.text", "signature": "S", "index": 0}
    (entry,) = merged("type-index-id", [signed], [{**signed, "signature": ""}])
    assert entry["signature"] == "S"


def test_the_same_data_twice_is_not_doubled() -> None:
    (entry,) = merged("type-index-id", PIECES[2], PIECES[2])
    assert entry["data"] == "S1"


def test_readable_entries_without_a_signature_may_be_dropped() -> None:
    assert merged("type-index-id", *PIECES, drop_unsigned=True) == PIECES[2]


def test_a_sanitizer_takes_keys_out_of_entries() -> None:
    kept = merged("type-index-id", *PIECES, strip=("data", "format"))
    assert all("data" not in entry and "format" not in entry for entry in kept)
    assert len(kept) == 2


@pytest.mark.parametrize("merge", ["type-index-id", "type-index", "index", "last"])
def test_what_is_no_entry_is_passed_over(merge: Any) -> None:
    entries = Entries(merge)
    entries.take(["x", 3, None])
    assert list(entries.finished()) == []


def test_events_are_not_changed_by_what_is_made_of_them() -> None:
    merged("type-index-id", *PIECES)
    assert PIECES[0][0]["text"] == "One. "
