"""The fields of protobuf messages, which signatures of Google and Anthropic are."""

from __future__ import annotations

from sigscope.opaque import decode
from sigscope.records import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class ProtobufMessage:
    """The fields of one protobuf message, as far as they can be read."""

    fields: tuple[tuple[int, bytes], ...] = ()
    """Number and bytes; a varint comes as its bytes."""
    is_torn: bool = False
    """Whether the last field says that more should follow."""
    is_broken: bool = False
    """Whether something there is no field."""


def read_message(data: bytes) -> ProtobufMessage:
    """Read fields up to the end, a cut, or what is no field: groups and fixed fields
    end the reading. A field that was cut is left out."""
    fields: list[tuple[int, bytes]] = []
    at = 0
    while at < len(data):
        tag = read_varint(data, at)
        if tag is None or tag[0] >> 3 == 0 or tag[0] & 7 not in (0, 2):
            return ProtobufMessage(fields=tuple(fields), is_broken=True)
        key, at = tag
        size = read_varint(data, at)
        if size is None:
            is_torn = len(data) - at < 10
            return ProtobufMessage(
                fields=tuple(fields), is_torn=is_torn, is_broken=not is_torn
            )
        length, start = size
        end = start if key & 7 == 0 else start + length
        if end > len(data):
            return ProtobufMessage(fields=tuple(fields), is_torn=True)
        fields.append((key >> 3, data[at if key & 7 == 0 else start : end]))
        at = end
    return ProtobufMessage(fields=tuple(fields))


def read_varint(data: bytes, at: int) -> tuple[int, int] | None:
    value = shift = 0
    while at < len(data) and shift < 64:
        byte = data[at]
        value |= (byte & 0x7F) << shift
        at += 1
        if byte < 0x80:
            return value, at
        shift += 7
    return None


def is_whole(text: str) -> bool | None:
    """Whether a signature ends where its message does, so that what follows is another
    one; None where it is no message, or ends nowhere that could be told."""
    data = decode(text)
    if data is None:
        return False if decode(text[:-1]) is not None else None
    message = read_message(data)
    return None if message.is_broken or not data else not message.is_torn
