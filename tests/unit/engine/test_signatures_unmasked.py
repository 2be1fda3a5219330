"""Masking never touches a signature: of bundled sessions, and of recordings if they are
at hand (SIGSCOPE_CORPUS names their folder)."""

from __future__ import annotations

import base64
import json
import os
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sigscope.engine.sessions.document import Document
from sigscope.engine.sessions.opener import open_file
from sigscope.engine.sessions.runkeeper import redactor_for, signature_texts
from sigscope.engine.settings.places import shipped
from sigscope.errors import SigscopeError
from sigscope.store.secrets.masker import Masker

_CORPUS = Path(os.environ.get("SIGSCOPE_CORPUS", "/nowhere"))
FILES = [
    *sorted(shipped("sessions").glob("*.session.jsonl")),
    *sorted(path for path in _CORPUS.glob("*/*") if path.suffix in (".yaml", ".json")),
]


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_a_saved_session_holds_every_signature_it_was_made_of(path: Path) -> None:
    try:
        document = Document(open_file(path))
    except SigscopeError:
        pytest.skip("no recording")
    texts = [text.encode() for text in signature_texts(document) if len(text) >= 8]
    redactor = redactor_for(document)
    for step in document.steps:
        again = redactor.step(step)[0]
        for old, new in (
            (step.exchange.request, again.exchange.request),
            (step.exchange.response, again.exchange.response),
        ):
            if old is None or new is None or old.body.raw == new.body.raw:
                continue
            for text in texts:
                assert old.body.raw.count(text) == new.body.raw.count(text)


CARRIERS = (
    '{"thoughtSignature":%s}',
    '{"reasoning_opaque":%s,"content":null}',
    '{"type":"thinking","thinking":"","signature":%s}',
    '{"type":"reasoning","encrypted_content":%s}',
    '{"thought_signatures":["AAAA",%s]}',
)


@settings(max_examples=100, deadline=None)
@given(
    st.binary(min_size=12, max_size=600),
    st.sampled_from(CARRIERS),
    st.booleans(),
    st.sampled_from(["", "AKIA", "sk-", "fw_", "eyJ", "EAAC", "LTAI", "re_", "AQVN"]),
)
def test_no_base64_in_a_carrier_is_masked(
    data: bytes, carrier: str, is_url_safe: bool, begins: str
) -> None:
    encode = base64.urlsafe_b64encode if is_url_safe else base64.b64encode
    text = begins + encode(data).decode()
    body = (carrier % json.dumps(text)).encode()
    assert Masker().mask(body)[0] == body
