from __future__ import annotations

import itertools
import json
from typing import Any

import jsonpatch
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from tests.unit.edits.bodies import UNIQUE, model, some_edit, some_edits
from tests.unit.jsontext.texts import ANYTHING, nodes

from sigscope.edits import plan
from sigscope.edits.apply import apply, apply_to_request, conflicts
from sigscope.edits.notation import parse
from sigscope.edits.plan import EditMemory
from sigscope.edits.records import Edit, Op
from sigscope.errors import EditError
from sigscope.exchange import Body, Request
from sigscope.jsontext import JsonText

PRETTY = b"""{
  "model": "m",
  "messages": [
    {"role": "user", "content": "hi"},
    {"role": "assistant", "content": []}
  ],
  "tools": []
}
"""


def edited(body: bytes | str, *lines: str) -> str:
    raw = body.encode() if isinstance(body, str) else body
    return apply([parse(line, raw) for line in lines], raw).decode()


# --- One edit -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("body", "line", "expected"),
    [
        # drop
        ('{"a":1,"b":2,"c":3}', "drop /a", '{"b":2,"c":3}'),
        ('{"a":1,"b":2,"c":3}', "drop /b", '{"a":1,"c":3}'),
        ('{"a":1,"b":2,"c":3}', "drop /c", '{"a":1,"b":2}'),
        ("[1, 2 ,3]", "drop /0", "[2 ,3]"),
        ("[1, 2 ,3]", "drop /1", "[1, 3]"),
        ("[1, 2 ,3 ]", "drop /2", "[1, 2 ]"),
        ('{ "a" : 1 }', "drop /a", "{}"),
        ("[\n  1\n]", "drop /0", "[]"),
        ('{"a":1,"a":2}', "drop /a", '{"a":1}'),
        ('{"a":1,"a":2}', "drop /a~#1", '{"a":2}'),
        # set
        ('{"a": 1.50, "b": 2}', "set /b null", '{"a": 1.50, "b": null}'),
        ("[1]", 'set /0 {"x": 1}', '[{"x": 1}]'),
        (" [1]\n", "set /0 [ ]", " [[ ]]\n"),
        ('{"a":1}', "set /b 2", '{"a":1,"b":2}'),
        ('{"a": 1, "c": 3}', "set /b 2", '{"a": 1, "c": 3, "b": 2}'),
        ("{}", 'set /x~1y "z"', '{"x/y":"z"}'),
        ("[1, 2]", "set /2 3", "[1, 2, 3]"),
        ("[1,2]", "set /- 3", "[1,2,3]"),
        ("[]", "set /0 1", "[1]"),
        ('{"a":1,"a":2}', "set /a 3", '{"a":1,"a":3}'),
        ('{"a":1,"a":2}', "set /a~#1 3", '{"a":3,"a":2}'),
        # insert
        ("[1, 2]", "insert /0 0", "[0, 1, 2]"),
        ("[1, 2]", "insert /1 0", "[1, 0, 2]"),
        ("[1, 2]", "insert /2 0", "[1, 2, 0]"),
        ("[1, 2]", "insert /- 0", "[1, 2, 0]"),
        ("[ 1 ]", "insert /- 0", "[ 1,0 ]"),
        ("[]", "insert /- 0", "[0]"),
        ('{"a": 1}', "insert /b 2", '{"a": 1, "b": 2}'),
        ('{"a":1}', "insert /a 2", '{"a":1,"a":2}'),
        # move and copy
        ('{"a":{"x":1.0},"b":{}}', "move /a/x /b/y", '{"a":{},"b":{"y":1.0}}'),
        ('{"a":1,"b":2}', "move /a /b", '{"b":1}'),
        ('{"a":1,"b":2}', "move /a /a", '{"a":1,"b":2}'),
        ('{"a":1,"b":2}', "move /a /c", '{"b":2,"c":1}'),
        ("[1,2,3,4]", "move /0 /3", "[2,3,1,4]"),
        ("[1,2,3,4]", "move /0 /-", "[2,3,4,1]"),
        ("[1,2,3,4]", "move /3 /0", "[4,1,2,3]"),
        ("[1,2,3,4]", "move /1 /1", "[1,2,3,4]"),
        ("[1,2,3,4]", "copy /1 /1", "[1,2,2,3,4]"),
        ('{"a":{"b":[1, 2]}}', "move /a/b /a", '{"a":[1, 2]}'),
        ('{"a":{"b":[1, 2]}}', "move /a/b ", None),
        ('{"a":[1, 2]}', 'copy /a ""', "[1, 2]"),
        ('{"a":1}', "copy /a /b", '{"a":1,"b":1}'),
        ('{"a":"\\u00e9"}', "copy /a /b", '{"a":"\\u00e9","b":"\\u00e9"}'),
        # The style of the neighbours.
        ('{"a" :1, "b" :2}', "set /c 3", '{"a" :1, "b" :2, "c" :3}'),
        ('{"a": {}, "b": 1}', "set /a/x 2", '{"a": {"x": 2}, "b": 1}'),
        ('{"a":{},"b":1}', "set /a/x 2", '{"a":{"x":2},"b":1}'),
        ("[\n  1\n]", "insert /- 2", "[\n  1,\n  2\n]"),
        ("[\r\n\t1\r\n]", "insert /0 2", "[\r\n\t2,\r\n\t1\r\n]"),
        ("[[1,\n2], [3]]", "insert /1/- 4", "[[1,\n2], [3, 4]]"),
        (
            '{\n  "a": {},\n  "b": 1\n}',
            "set /a/x 2",
            '{\n  "a": {\n    "x": 2\n  },\n  "b": 1\n}',
        ),
        ("[\n    []\n]", "insert /0/- 1", "[\n    [\n        1\n    ]\n]"),
        ('{"a": [], "b": {\n}}', "set /a/0 2", '{"a": [2], "b": {\n}}'),
    ],
)
def test_one_edit_changes_only_what_it_names(
    body: str, line: str, expected: str | None
) -> None:
    if expected is None:
        with pytest.raises(EditError):
            edited(body, line)
    else:
        assert edited(body, line) == expected


def test_a_pretty_body_stays_pretty() -> None:
    assert edited(PRETTY, "insert /messages/1 {}").splitlines()[3:6] == [
        '    {"role": "user", "content": "hi"},',
        "    {},",
        '    {"role": "assistant", "content": []}',
    ]
    assert '"content": null}\n' in edited(PRETTY, "set /messages/1/content null")
    assert '  ],\n  "tools": [],\n  "x": 1\n}' in edited(PRETTY, "set /x 1")
    assert '  "tools": [\n    {}\n  ]\n}' in edited(PRETTY, "insert /tools/- {}")


@pytest.mark.parametrize(
    ("body", "line", "problem"),
    [
        (
            '{"messages":[1,2,3]}',
            "drop /messages/9",
            "cannot drop /messages/9: /messages has 3 elements, there is no index 9",
        ),
        ('{"a":1}', "set /b/c 2", "cannot set /b/c to 2: the document has no key 'b'"),
        ('{"a":1}', "set /a/c 2", "/a is a number, nothing lies below it"),
        ("[1]", "set /2 2", "the document has 1 element, there is no index 2"),
        ("[1]", "insert /2 2", "there is no index 2"),
        ("[1]", "insert /x 2", "'x' is no index"),
        ("[1]", 'drop ""', "the whole body cannot be removed"),
        ("[1]", 'insert "" 1', "no place before or after"),
        ('{"a":{"b":1}}', "move /a /a/b", "into itself"),
        ('{"a":{"b":1}}', "move /a /a/c", "into itself"),
        ('{"a":{"b":1}}', 'move "" /a', "the whole body cannot be removed"),
        ('{"a":1}', "copy /b /c", "cannot copy /b to /c: the document has no key 'b'"),
        ('{"a":1}', "set /a~#2 1", "no such repetition"),
        ('{"a":1}', "insert /b~#1 1", "leave out the ~#N"),
        ("[1, 2", "insert /- 3", "never closed"),
        ('{"a": {"b": 1', "set /a/c 3", "/a is never closed"),
    ],
)
def test_an_edit_that_does_not_fit_says_why(body: str, line: str, problem: str) -> None:
    with pytest.raises(EditError) as caught:
        edited(body, line)
    assert problem in str(caught.value)


def test_edits_without_what_they_need_are_refused() -> None:
    for edit in (
        Edit(op=Op.SET, pointer="/0"),
        Edit(op=Op.INSERT, pointer="/0"),
        Edit(op=Op.MOVE, pointer="/0"),
        Edit(op=Op.COPY, pointer="/0"),
    ):
        with pytest.raises(EditError, match="it has no"):
            apply([edit], b"[1]")
    with pytest.raises(EditError, match="surrogate"):
        apply([Edit(op=Op.SET, pointer="/0", value='"\ud83d"')], b"[1]")


def oracle(edit: Edit, value: Any) -> Any:
    """What JSON Patch (RFC 6902) makes of one edit."""
    data = json.loads(edit.value) if edit.value else None
    pointer = edit.pointer
    match edit.op:
        case Op.DROP:
            change: dict[str, Any] = {"op": "remove", "path": pointer}
        case Op.SET:
            exists = JsonText(json.dumps(value).encode()).maybe_locate(pointer)
            change = {"op": "replace" if exists else "add", "path": pointer}
            change["value"] = data
        case Op.INSERT:
            change = {"op": "add", "path": pointer, "value": data}
        case _:
            change = {"op": edit.op.value, "from": edit.source, "path": pointer}
    return jsonpatch.apply_patch(value, [change])


@given(UNIQUE, st.data())
def test_one_edit_means_what_json_patch_means(body: bytes, data: st.DataObject) -> None:
    # In JSON Patch the target of a move counts indices after the removal.
    edit = data.draw(some_edit(body, (Op.SET, Op.DROP, Op.INSERT, Op.COPY)))
    value = json.loads(body)
    assume(edit.op is not Op.INSERT or not _would_repeat(edit, value))
    assert json.loads(apply([edit], body)) == oracle(edit, value)


def _would_repeat(edit: Edit, value: Any) -> bool:
    document = JsonText(json.dumps(value).encode())
    node = document.maybe_locate(edit.pointer)
    parent = node.parent if node else None
    return parent is not None and parent.kind == "object"


@given(UNIQUE, st.data())
def test_a_move_is_a_copy_and_a_drop(body: bytes, data: st.DataObject) -> None:
    edit = data.draw(some_edit(body, [Op.MOVE]))
    if edit.op is not Op.MOVE or edit.source == edit.pointer:
        return
    copy = Edit(op=Op.COPY, source=edit.source, pointer=edit.pointer)
    drop = Edit(op=Op.DROP, pointer=edit.source or "")
    if not conflicts([copy, drop], body):
        assert apply([edit], body) == apply([copy, drop], body)


@given(UNIQUE, st.data())
def test_bytes_outside_the_changed_container_never_change(
    body: bytes, data: st.DataObject
) -> None:
    edit = data.draw(some_edit(body, (Op.SET, Op.DROP, Op.INSERT)))
    document = JsonText(body)
    node = document.maybe_locate(edit.pointer)
    result = apply([edit], body)
    if edit.op is Op.SET and node is not None:
        value = (edit.value or "").encode()
        assert result == body[: node.start] + value + body[node.end :]
        return
    container = document.locate(edit.pointer.rpartition("/")[0])
    assert result.startswith(body[: container.start + 1])
    assert result.endswith(body[container.end - 1 :])
    stay = [
        body[child.begin : child.end]
        for child in document.children(container)
        if edit.op is not Op.DROP or child is not node
    ]
    changed = JsonText(result)
    after = changed.children(changed.locate(edit.pointer.rpartition("/")[0]))
    spelled = [result[child.begin : child.end] for child in after]
    for text in stay:
        spelled.remove(text)
    assert len(spelled) == (edit.op is not Op.DROP)


# --- Several edits --------------------------------------------------------------------


def test_all_pointers_name_the_recorded_body() -> None:
    assert edited("[0,1,2,3]", "drop /0", "drop /2", "set /3 9") == "[1,9]"
    assert edited("[0,1]", "insert /1 7", "insert /1 8", "drop /0") == "[7,8,1]"
    assert edited("[0,1]", "drop /0", "insert /1 8", "insert /0 7") == "[7,8,1]"
    assert edited("[0,1]", "drop /0", "drop /1") == "[]"
    assert edited("[0,1]", "drop /0", "drop /1", "insert /1 5") == "[5]"
    assert edited("[ 0, 1 ]", "drop /0", "drop /1", "insert /- 5") == "[ 5 ]"
    assert edited('{"a":1}', "drop /a", "set /b 2", "set /c 3") == '{"b":2,"c":3}'
    assert edited("[1,2,3]", "move /0 /-", "move /1 /-") == "[3,1,2]"


def test_without_edits_the_same_object_comes_back() -> None:
    body = b' {"a" : 1}'
    assert apply([], body) is body
    assert apply([parse("header A: b")], body) is body
    assert apply([parse("move /a /a")], body) is body


def test_equal_edits_count_once_but_equal_inserts_do_not() -> None:
    assert edited('{"a":1}', "set /a 2", "set /a 2") == '{"a":2}'
    assert edited('{"a":1}', "drop /a", "drop /a") == "{}"
    assert edited('{"a":1}', "set /b 2", "set /b 2") == '{"a":1,"b":2}'
    assert edited("[1]", "insert /0 2", "insert /0 2") == "[2,2,1]"
    assert edited("{}", "insert /a 2", "insert /a 2") == '{"a":2,"a":2}'


@pytest.mark.parametrize(
    ("body", "one", "other"),
    [
        ('{"a":{"b":1}}', "drop /a", "set /a/b 2"),
        ('{"a":{"b":1}}', "set /a 1", "drop /a/b"),
        ('{"a":{"b":1}}', "set /a 1", "set /a/c 2"),
        ('{"a":{"b":{"c":1}}}', "set /a 1", "set /a/b/c 2"),
        ('{"a":[1]}', "drop /a", "insert /a/0 2"),
        ('{"a":1}', "set /a 1", "set /a 2"),
        ('{"a":1}', "set /a 1", "drop /a"),
        ('{"a":1}', "set /b 1", "set /b 2"),
        ('{"a":1}', "set /b 1", "insert /b 2"),
        ('{"a":1}', "set /b 1", "copy /a /b"),
        ("[1]", "set /1 1", "set /- 2"),
        ('{"a":{"b":1},"c":2}', "move /a /c", "drop /a/b"),
        ('{"a":{"b":1},"c":2}', "move /a /d", "drop /a"),
        ('{"a":1,"b":2,"c":3}', "move /a /c", "move /b /c"),
        ('{"a":1}', "move /a /b", "move /a /c"),
        ('{"a":[1]}', 'set "" 1', "drop /a/0"),
    ],
)
def test_edits_that_contradict_each_other_are_both_named(
    body: str, one: str, other: str
) -> None:
    raw = body.encode()
    edits = [parse(one, raw), parse(other, raw)]
    assert set(*map(frozenset, conflicts(edits, raw))) == set(edits)
    assert set(*map(frozenset, conflicts(edits[::-1], raw))) == set(edits)
    with pytest.raises(EditError) as caught:
        apply(edits, raw)
    assert "contradict" in str(caught.value)
    for edit in edits:
        apply([edit], raw)


@pytest.mark.parametrize(
    ("body", "lines"),
    [
        ('{"a":{"b":1}}', ["copy /a/b /c", "set /a 2"]),
        ('{"a":{"b":1}}', ["copy /a /c", "set /a/b 2"]),
        ("[1,2]", ["drop /0", "insert /0 5"]),
        ("[1]", ["set /- 1", "insert /- 2"]),
        ('{"a":1,"b":2}', ["move /a /c", "set /b 3"]),
        ('{"a":1,"a":2}', ["drop /a~#1", "set /a 3"]),
    ],
)
def test_edits_side_by_side_are_no_contradiction(body: str, lines: list[str]) -> None:
    raw = body.encode()
    edits = [parse(line, raw) for line in lines]
    assert conflicts(edits, raw) == ()
    assert apply(edits, raw) != raw


@given(UNIQUE, st.data())
def test_what_is_remembered_of_other_combinations_changes_nothing(
    body: bytes, data: st.DataObject
) -> None:
    edits = data.draw(some_edits(body))
    document, memory = JsonText(body), EditMemory()
    for size in range(len(edits) + 1):
        for subset in itertools.combinations(edits, size):
            afresh = apply(subset, body)
            assert apply(subset, document, memory) == afresh
            assert apply(subset, document, memory) == afresh


def test_of_many_combinations_in_one_list_not_all_are_remembered(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(plan, "KEPT_EFFECTS", 20)
    document, memory = JsonText(b'{"list": [1, 2]}'), EditMemory()
    edits = [parse(f"insert /list/1 {number}") for number in range(9)]
    for size in range(1, 10):
        for subset in itertools.combinations(edits, size):
            assert apply(subset, document, memory) == apply(subset, document)
    kept = memory.patches._kept
    assert 3 <= len(kept) <= 20
    assert sum(len(effects) for _, effects in kept) <= 3 * 9


@given(UNIQUE, st.data())
def test_any_subset_means_the_same_as_inside_the_whole(
    body: bytes, data: st.DataObject
) -> None:
    edits = data.draw(some_edits(body))
    for size in range(len(edits) + 1):
        for subset in itertools.combinations(edits, size):
            result = apply(subset, body)
            expected = model(json.loads(body, object_pairs_hook=tuple), subset)
            assert json.loads(result, object_pairs_hook=tuple) == expected


@given(UNIQUE, st.data())
def test_the_order_of_edits_in_different_places_does_not_matter(
    body: bytes, data: st.DataObject
) -> None:
    edits = data.draw(some_edits(body))
    shuffled = data.draw(st.permutations(edits))

    def by_place(order: list[Edit]) -> dict[str, list[Edit]]:
        places: dict[str, list[Edit]] = {}
        for edit in order:
            places.setdefault(edit.pointer.rpartition("/")[0], []).append(edit)
        return places

    assume(by_place(shuffled) == by_place(edits))
    assert apply(shuffled, body) == apply(edits, body)


@given(ANYTHING, st.data())
def test_broken_bodies_are_edited_where_the_path_is_intact(
    body: bytes, data: st.DataObject
) -> None:
    document = JsonText(body)
    assume(document.encoding.is_utf8)
    node = data.draw(st.sampled_from(nodes(document)))
    edit = Edit(op=Op.SET, pointer=document.pointer(node), value="7")
    assert apply([edit], body) == body[: node.start] + b"7" + body[node.end :]
    for op in (Op.DROP, Op.INSERT):
        try:
            apply([Edit(op=op, pointer=edit.pointer, value="7")], body)
        except EditError:
            continue


def test_torn_text_keeps_its_torn_end() -> None:
    torn = '{"a": [1, 2], "b": "cut o'
    assert edited(torn, "drop /a/0") == '{"a": [2], "b": "cut o'
    assert edited(torn, "set /b 1") == '{"a": [1, 2], "b": 1'
    assert edited(torn, "drop /b") == '{"a": [1, 2]'
    assert edited("[1 2 3]", "set /1 9") == "[1 9 3]"


def test_a_utf16_body_stays_one() -> None:
    raw = '{"é": 1}'.encode("utf-16")
    assert apply([parse("set /é 2")], raw) == '{"é": 2}'.encode("utf-16")
    with pytest.raises(EditError, match="damaged UTF-16"):
        apply([parse("set /é 2")], raw + b"\x00\xd8")


def test_bytes_that_are_not_utf8_travel_with_their_value() -> None:
    body = b'{"a":"\xff","b\xfe":1}'
    assert apply([parse("copy /a /c")], body) == b'{"a":"\xff","b\xfe":1,"c":"\xff"}'
    assert apply([parse("move /a /x\udcfd")], body) == b'{"b\xfe":1,"x\xfd":"\xff"}'


# --- Requests -------------------------------------------------------------------------


def request(body: bytes = b'{"a":1}', *headers: tuple[str, str]) -> Request:
    return Request(url="https://a.example/v1", headers=headers, body=Body(body))


def test_a_request_without_edits_is_the_same_object() -> None:
    sent = request(b'{"a":1}', ("content-length", "7"))
    assert apply_to_request([], sent) is sent
    assert apply_to_request([parse("move /a /a")], sent) is sent


def test_the_length_follows_a_changed_body() -> None:
    sent = request(b'{"a":1}', ("Content-Length", "7"), ("X", "y"))
    changed = apply_to_request([parse("set /a 100")], sent)
    assert changed.body.raw == b'{"a":100}'
    assert changed.headers == (("Content-Length", "9"), ("X", "y"))
    assert sent.headers[0] == ("Content-Length", "7")
    without = apply_to_request([parse("set /a 100")], request())
    assert without.headers == ()
    forced = apply_to_request(
        [parse("set /a 100"), parse("header content-length: 3")], sent
    )
    assert forced.headers[0] == ("Content-Length", "3")


def test_an_encoded_body_has_to_be_decoded_before_it_is_edited() -> None:
    sent = request(
        b"\x1f\x8b...", ("Content-Encoding", "gzip"), ("content-length", "5")
    )
    with pytest.raises(EditError, match="gzip"):
        apply_to_request([parse("set /a 2")], sent)
    changed = apply_to_request([parse("set /a 22")], sent, decoded=b'{"a":1}')
    assert changed.body.raw == b'{"a":22}'
    assert changed.headers == (("content-length", "8"),)
    # Nothing that changes the body: it travels as it was recorded.
    assert apply_to_request([], sent, decoded=b'{"a":1}') is sent
    only_header = apply_to_request([parse("header X: y")], sent, decoded=b'{"a":1}')
    assert only_header.body is sent.body
    assert only_header.headers == (*sent.headers, ("X", "y"))


def test_identity_is_no_encoding() -> None:
    sent = request(b'{"a":1}', ("content-encoding", "identity"))
    assert apply_to_request([parse("set /a 2")], sent).body.raw == b'{"a":2}'


def test_url_and_headers_are_edited_with_the_body() -> None:
    sent = request(b'{"a":1}', ("Accept", "*/*"))
    edits = [
        parse("url https://b.example/v2"),
        parse("unheader accept"),
        parse("header X-Test: 1"),
        parse("drop /a"),
    ]
    changed = apply_to_request(edits, sent)
    assert changed.url == "https://b.example/v2"
    assert changed.headers == (("X-Test", "1"),)
    assert changed.body.raw == b"{}"
    assert changed.method == sent.method


def test_header_edits_that_contradict_each_other_are_named() -> None:
    edits = [parse("header A: 1"), parse("unheader a"), parse("url x"), parse("url y")]
    assert conflicts(edits, b"{}") == ((edits[0], edits[1]), (edits[2], edits[3]))
    with pytest.raises(EditError, match="contradict"):
        apply_to_request(edits[:2], request())
