"""Edits as JSON data: what session files, `--json` and `--edit` hold.

    {"op": "set", "pointer": "/messages/2/content", "value": null}

The form is stable; new fields may be added.
"""

from __future__ import annotations

import base64
import binascii
import json
from collections.abc import Mapping
from typing import Any, NoReturn

from sigscope import pointer as pointers
from sigscope.edits.records import Edit, Op
from sigscope.edits.words import shortened, unknown_word
from sigscope.errors import EditError, PointerError
from sigscope.jsontext import dumps
from sigscope.utf8 import to_text

_NEEDS: Mapping[Op, tuple[str, ...]] = {
    Op.DROP: ("pointer",),
    Op.SET: ("pointer", "value"),
    Op.INSERT: ("pointer", "value"),
    Op.MOVE: ("source", "pointer"),
    Op.COPY: ("source", "pointer"),
    Op.HEADER: ("name", "value"),
    Op.UNHEADER: ("name",),
    Op.URL: ("value",),
}

_STRINGS = ("pointer", "source", "name", "label", "origin", "text", "base64")
_FIELDS = frozenset({"op", "value", *_STRINGS})


def to_json(edit: Edit) -> dict[str, Any]:
    """The edit as JSON data, without what it does not use.

    `value` is the value itself. Where that does not tell how it is spelled (`1.0`,
    white space, repeated keys), `text` has the spelling too; one that is not UTF-8
    is in `base64`.
    """
    data: dict[str, Any] = {"op": edit.op.value}
    for name in _NEEDS[edit.op]:
        if name == "value":
            data |= _value_data(edit.op, edit.value or "")
        else:
            data[name] = getattr(edit, name) or ""
    if edit.label:
        data["label"] = edit.label
    if edit.origin != "user":
        data["origin"] = edit.origin
    return data


def _value_data(op: Op, text: str) -> dict[str, Any]:
    if op in (Op.HEADER, Op.URL):
        return {"value": text}
    data: dict[str, Any] = {}
    try:
        value = json.loads(text, parse_constant=_refuse)
        # Half a surrogate pair is a value that few can store.
        json.dumps(value, ensure_ascii=False).encode()
        data["value"] = value
        if dumps(value) == text:
            return data
    except (ValueError, RecursionError):
        pass
    try:
        text.encode()
        return data | {"text": text}
    except UnicodeEncodeError:
        pass
    try:
        raw = text.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        # No bytes are spelled so: such an edit cannot be applied, only shown.
        return {"text": text}
    return {"base64": base64.b64encode(raw).decode()}


def _refuse(constant: str) -> NoReturn:
    raise ValueError(f"{constant} is not JSON")


def from_json(data: object) -> Edit:
    """The inverse of `to_json`. Raises EditError for data that is no edit."""
    if not isinstance(data, Mapping):
        raise EditError(f"an edit is a JSON object, not {shortened(repr(data))}")
    op = _op(data)
    unknown = set(data) - _FIELDS
    if unknown:
        raise EditError(
            f"an edit has no {', '.join(map(repr, sorted(unknown)))}; it may have "
            f"{', '.join(sorted(_FIELDS))}"
        )
    for name in _STRINGS:
        if not isinstance(data.get(name, ""), str):
            raise EditError(f"the {name!r} of an edit is a string")
    value = _value_text(op, data)
    for name in _NEEDS[op]:
        if value is None if name == "value" else name not in data:
            raise EditError(f"a {op.value!r} edit needs {name!r}")
    _check_pointers(op, data)
    return Edit(
        op=op,
        pointer=data.get("pointer", ""),
        value=value,
        source=data.get("source"),
        name=data.get("name"),
        label=data.get("label", ""),
        origin=data.get("origin", "user"),
    )


def _op(data: Mapping[str, Any]) -> Op:
    word = data.get("op", "")
    try:
        return Op(word)
    except ValueError:
        raise EditError(unknown_word(str(word))) from None


def _value_text(op: Op, data: Mapping[str, Any]) -> str | None:
    if "base64" in data:
        try:
            raw = base64.b64decode(data["base64"], validate=True)
        except (binascii.Error, ValueError):
            raise EditError("the 'base64' of an edit is not base64") from None
        return to_text(raw)
    if "text" in data:
        return str(data["text"])
    if "value" not in data:
        return None
    value = data["value"]
    if op not in (Op.HEADER, Op.URL):
        return dumps(value)
    if not isinstance(value, str):
        raise EditError(f"the 'value' of a {op.value!r} edit is a string")
    return value


def _check_pointers(op: Op, data: Mapping[str, Any]) -> None:
    for name in ("pointer", "source"):
        if name in _NEEDS[op]:
            try:
                pointers.parse(data[name])
            except PointerError as error:
                raise EditError(f"the {name} of a {op.value!r} edit: {error}") from None
