"""Private keys, whole, cut, and as programs print their lines."""

from __future__ import annotations

import json
from itertools import product

import pytest
from tests.each import each

from sigscope.store.secrets.masker import mask_answer

LINE = "MIIEpAIBAAKCAQEAq7Zt0f3b9A7c5D1e8264/x+Kx9HF2wza0lU3ylFvEGA93dbQ="
PRINTED = (
    '{"line":9,"text":"-----BEGIN RSA PRIVATE KEY-----"}\n'
    '{"line":10,"text":"«"}\n{"line":11,"text":"«"}\n',
    "     9→-----BEGIN RSA PRIVATE KEY-----\n    10→«\n    11→«\n",
    "9\t-----BEGIN EC PRIVATE KEY-----\n10\t«\n11\t«\n12\t-----END EC PRIVATE KEY-----",
    "-+-----BEGIN PRIVATE KEY-----\n+«\n+«\n",
    "> -----BEGIN PRIVATE KEY-----\n> «\n> «\n> -----END PRIVATE KEY-----",
    '"-----BEGIN PRIVATE KEY-----\\n" +\n  "«\\n" +\n  "«\\n"',
    "'-----BEGIN PRIVATE KEY-----\\n' +\n  '«\\n' +\n  '«\\n'",
    '{"t":"-----BEGIN PRIVATE KEY-----"}\n{"t":"«"}\n{"t":"«"}\n'
    '{"t":"-----END PRIVATE KEY-----"}\n',
)


@each(product(PRINTED, range(4)))
def test_what_stands_before_each_line_stays(row: tuple[str, int]) -> None:
    text, depth = row
    said, stars = text.replace("«", LINE), text.replace("«", "*" * len(LINE))
    for _ in range(depth):
        said, stars = json.dumps({"c": said}), json.dumps({"c": stars})
    masked, removed = mask_answer(said.encode())
    assert LINE[:12].encode() not in masked
    assert removed["private key"] in (1, 2)
    if b"-----END" not in masked and "+«" not in text:  # of a diff a sign goes, too
        assert masked == stars.encode()


def test_a_signature_below_a_key_that_was_cut_stays() -> None:
    text = f"-----BEGIN PRIVATE KEY-----\n[cut]\nsignature: {LINE}\nand: {LINE}\n"
    assert mask_answer(text.encode())[0] == text.encode()


@pytest.mark.parametrize("times", [12, 5000])
@pytest.mark.parametrize(
    "between",
    [
        b"\\",
        b'\\\\\\"',
        b'\\\\\\":',
        b"\n",
        b'"',
        b"A",
        b" \\\\n",
        b'"}\\n{\\"a\\":\\"',
    ],
)
def test_what_is_no_key_at_last_is_not_tried_in_every_way(
    between: bytes, times: int
) -> None:
    """Backslashes in front of quotes took a minute for 300 bytes, where each could be
    taken for itself or for the quote's: this would not end."""
    text = b"-----BEGIN PRIVATE KEY-----" + between * times + b"-"
    assert len(mask_answer(text * 3)[0]) == 3 * len(text)


@pytest.mark.parametrize("newline", ["\n", "\r\n", "\\n", "\\\\n"])
def test_of_a_key_that_is_cut_all_lines_are_masked(newline: str) -> None:
    lines = newline.join([LINE[:64]] * 3)
    text = f"-----BEGIN PRIVATE KEY-----{newline}{lines}{newline}api_key_of it"
    masked = mask_answer(text.encode())[0].decode()
    assert LINE[:12] not in masked
    assert masked.endswith("api_key_of it")
