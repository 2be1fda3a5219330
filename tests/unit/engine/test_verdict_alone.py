"""Who asks the simulator for its verdict alone hears the same verdict."""

from __future__ import annotations

from pathlib import Path

from sigscope.engine.sending.simulation import config_for, default_path, predict
from sigscope.engine.sessions.document import Document
from sigscope.engine.sessions.opener import open_file
from sigscope.errors import UsageError
from sigscope.upstreams.simulator import Judge

SESSIONS = Path(__file__).parents[3] / "sessions"


def test_a_verdict_alone_is_that_of_the_whole_judgement() -> None:
    dialects: set[str] = set()
    refused: set[str] = set()
    for path in sorted(SESSIONS.glob("*.session.jsonl")):
        document = Document(open_file(path))
        for reading in document.readings[-2:]:
            request = reading.exchange.request
            try:
                judge = Judge(config_for(document, reading))
            except UsageError:
                continue
            if request is None:
                continue
            where = default_path(reading)
            whole = predict(judge, request, where)
            alone = predict(judge, request, where, is_verdict=True)
            assert (whole is None) == (alone is None)
            if whole is None or alone is None:
                continue
            for name in ("status", "rule", "error", "body", "pointer", "lost_turns"):
                assert getattr(alone, name) == getattr(whole, name), (path.name, name)
            dialects.add(whole.dialect)
            if whole.rule:
                refused.add(whole.dialect)
    assert len(dialects) >= 6
    assert len(refused) >= 4
