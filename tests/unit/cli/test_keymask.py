"""What an answer says of a key stays JSON when it is masked."""

from __future__ import annotations

from sigscope.cli.keymask import KeyMask
from sigscope.engine.sessions.document import Document
from sigscope.session import Session

KEY = "sk-ant-" + "api03-abcdefghijklmnopqrstuvwxyz0123"
MASK = KeyMask(Document(Session(id="none", title="none", steps=())))


def test_a_key_in_data_is_masked_by_its_name_or_its_looks() -> None:
    masked = MASK.data({"said": f"no such key: {KEY}", "api_key": "Zx81Qm40vLw27Tn9"})
    assert masked["said"] == "no such key: " + KEY[:7] + "*" * len(KEY[7:])
    assert masked["api_key"] == "*" * 16


def test_what_stands_beside_a_key_of_several_strings_is_masked_by_its_name() -> None:
    body = "MIIEowIBAAKCAQEAx7Yq2m3hQe9sKf0uJr4vT8wZ1xN6pLb5cD2aEgHi"
    ends = [f"-----{end} RSA PRIVATE KEY-----" for end in ("BEGIN", "END")]
    data = {"who": {"password": "Blue-Tree99x"}, "is": [[ends[0]], 1, [body, ends[1]]]}
    masked = MASK.data(data)
    assert masked["who"] == {"password": "*" * 12}
    assert masked["is"] == [[ends[0]], 1, ["*" * len(body), ends[1]]]


def test_a_key_that_goes_on_in_another_string_is_masked_in_each() -> None:
    begin = "-----BEGIN RSA PRIVATE KEY-----\n"
    data = {"said": begin + "MIIEpAIB" * 9, "more": ["a text -----END", KEY, 1, None]}
    masked = MASK.data(data)
    assert masked["said"] == begin + "*" * 72
    assert masked["more"][0] == "a text -----END"
    assert KEY not in masked["more"][1]
    assert masked["more"][2:] == [1, None]
