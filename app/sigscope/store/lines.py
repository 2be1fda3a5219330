"""How a line is laid out, so that most of it need not be looked at.

    {"type":"step", ... ,"bodies":{...},"sum":"5f1d0c2a"}

`sum` is the CRC-32 of all that stands before it. A line that ends in the right sum is
as it was written, wherever the file has been since; it needs no other check, and its
head ends where `,"bodies":` begins. No string can hold that text, for in a JSON string
the quotes would be escaped. A line without a sum was made by another hand: it is read
and checked whole.
"""

from __future__ import annotations

import json
import re
import zlib
from base64 import b64decode, b64encode
from typing import Any

BODIES = b',"bodies":'
_SUM = re.compile(rb',"sum":"([0-9a-f]{8})"\}\Z')
_SUM_SIZE = len(',"sum":"00000000"}')
_SURROGATE = re.compile("[\ud800-\udfff]")


def crc(data: bytes) -> str:
    """CRC-32 as 8 hex digits."""
    return f"{zlib.crc32(data):08x}"


def encode_line(value: dict[str, Any]) -> bytes:
    """One line with its sum, and the newline. `bodies` has to be the last member.

    A lone surrogate, which UTF-8 cannot hold, becomes U+FFFD.
    """
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    try:
        data = text.encode()
    except UnicodeEncodeError:
        data = _SURROGATE.sub("\ufffd", text).encode()
    data = data[:-1]
    return data + f',"sum":"{crc(data)}"}}\n'.encode()


def is_as_written(line: bytes) -> bool | None:
    """Whether a line still has its sum; None if it never had one."""
    match = _SUM.search(line, max(0, len(line) - _SUM_SIZE))
    if match is None:
        return None
    return zlib.crc32(memoryview(line)[: match.start()]) == int(match[1], 16)


def has_sum(end: bytes) -> bool:
    """Whether a line that ends so has a sum, right or wrong."""
    return _SUM.search(end) is not None


def head_of(line: bytes) -> bytes:
    """What stands before the bodies, as an object. Only for lines as written."""
    end = line.find(BODIES)
    return (line[:-_SUM_SIZE] if end < 0 else line[:end]) + b"}"


def bodies_of(line: bytes) -> dict[str, Any]:
    """The `bodies` member, parsed. Raises `ValueError` if there is none to parse."""
    import pydantic_core  # quick to parse, dear to import

    start = line.find(BODIES)
    tail = line if start < 0 else b"{" + line[start + 1 :]
    value = pydantic_core.from_json(tail)
    bodies = value.get("bodies") if isinstance(value, dict) else None
    return bodies if isinstance(bodies, dict) else {}


def pack(rest: bytes) -> dict[str, str]:
    """New bytes as text where they are UTF-8, else as base64."""
    if not rest:
        return {}
    try:
        return {"text": rest.decode()}
    except UnicodeDecodeError:
        return {"base64": b64encode(rest).decode()}


def unpack(stored: dict[str, Any]) -> bytes:
    """The new bytes. Raises `ValueError` where they are not what they should be."""
    text, coded = stored.get("text"), stored.get("base64")
    if coded is not None:
        return b64decode(coded, validate=True)
    return (text or "").encode()
