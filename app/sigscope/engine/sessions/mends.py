"""What a recorder mended in a session, and what it left alone, as tables."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import asdict
from typing import Any

from sigscope.engine.sessions.document import Document
from sigscope.recorder.mend import UNMENDED


def mend_rows(
    document: Document, steps: Collection[int] | None = None
) -> list[dict[str, Any]]:
    """{"step": 2, "words": "1 signature put back (CPC-1)", "remedies": [...]}

    `steps`: only these; None for all.
    """
    return [
        {
            "step": step.number,
            "words": mended.words,
            "remedies": [asdict(remedy) for remedy in mended.remedies],
        }
        for step in document.steps
        if (mended := step.exchange.mended) is not None
        and (steps is None or step.number in steps)
    ]


def unmended_rows(
    document: Document, steps: Collection[int] | None = None
) -> list[dict[str, Any]]:
    """{"step": 4, "reason": "its body is signed"}: of those that --mend left alone
    although something was wrong with them, or could not be judged."""
    return [
        {"step": step.number, "reason": remark.removeprefix(UNMENDED)}
        for step in document.steps
        if steps is None or step.number in steps
        for remark in step.exchange.remarks
        if remark.startswith(UNMENDED)
    ]
