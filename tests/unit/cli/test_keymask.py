"""What an answer says of a key stays JSON when it is masked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest
from tests import builders as b

from sigscope.cli.keymask import KeyMask
from sigscope.edits.notation import parse
from sigscope.engine.sessions.document import Document
from sigscope.rules.base import Confidence, Severity
from sigscope.rules.findings import Finding
from sigscope.session import Session, Step
from sigscope.store.secrets import masker

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


def test_edits_that_many_findings_share_are_looked_at_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A client that loses all has as many edits in its last finding as steps."""
    looked: list[str] = []
    mask_text = masker.mask_text

    def counted(text: str, known: Sequence[str] = ()) -> object:
        looked.append(text)
        return mask_text(text, known)

    monkeypatch.setattr(masker, "mask_text", counted)
    steps = 20
    edits = [replace(parse(f"set /a{n} {n}"), label=f"restore {n}") for n in range(20)]
    edits[3] = replace(edits[3], label=f"restore {KEY}")
    exchange = b.exchange("copilot-chat", b.request_body("copilot-chat", []), {})
    made = [Step(number=n, id=f"s{n}", exchange=exchange) for n in range(1, steps + 1)]
    document = Document(Session(id="all", title="all", steps=tuple(made)))
    findings = [
        Finding(
            rule="CPC-1",
            severity=Severity.ERROR,
            confidence=Confidence.DOCUMENTED,
            step=number,
            pointer="",
            message=f"{number} are lost",
            fix=tuple(edits[:number]),
        )
        for number in range(1, steps + 1)
    ]
    masked = KeyMask(document).findings(findings)
    assert len(looked) == 2 * steps
    assert [len(one.fix or ()) for one in masked] == [*range(1, steps + 1)]
    assert KEY not in str(masked)
    told = [edit.label for edit in masked[-1].fix or ()]
    hidden = f"restore {KEY[:7]}" + "*" * len(KEY[7:])
    assert told == [hidden if n == 3 else f"restore {n}" for n in range(20)]
