from __future__ import annotations

import pytest

from sigscope.recorder.heads import parse_response
from sigscope.recorder.rewrites import response_head


@pytest.mark.parametrize("length_first", [False, True])
def test_no_length_stands_beside_chunks(length_first: bool) -> None:
    lines = [b"Transfer-Encoding: chunked\r\n", b"Content-Length: 3\r\n"]
    lines = lines[::-1] if length_first else lines
    head = parse_response(b"HTTP/1.1 200 OK\r\n" + b"".join(lines) + b"\r\n")
    assert response_head(head, closes=False, unchunked=False) == (
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
    )
