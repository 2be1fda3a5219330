"""Edits that were made and not sent, kept from one start to the next.

One small file for each session, in the state folder:

    {"format": 1, "session": "…", "drafts": [{"step": 2, "run": null, "edits": [{…}]}]}

Edits with a secret in them (a key typed into a header) are not written: half an edit is
none, and secrets reach no disk.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any

from sigscope.edits.asjson import from_json, to_json
from sigscope.edits.records import Edit
from sigscope.engine.places import state_dir
from sigscope.engine.writing import write_new
from sigscope.errors import SigscopeError
from sigscope.runs import Run
from sigscope.session import Session
from sigscope.store import Redactor
from sigscope.utf8 import to_bytes

FORMAT = 1
Base = tuple[int, int | None]
"""Step, and the run whose request is edited; None: as recorded."""
Edits = tuple[Edit, ...]


class Drafts:
    """Writes and reads them."""

    def __init__(self, folder: Path | None = None) -> None:
        self._folder = folder or state_dir() / "drafts"

    def keep(self, session: Session, drafts: Mapping[Base, Sequence[Edit]]) -> int:
        """Write them in place of what was kept for the session before; tell how many
        edits were left out for a secret. Raises InputError."""
        redactor = Redactor()
        rows: list[dict[str, Any]] = []
        left_out = 0
        for (step, run), edits in drafts.items():
            fit = [edit for edit in edits if not redactor.edit(edit)[1]]
            left_out += len(edits) - len(fit)
            if fit:
                data = [to_json(edit) for edit in fit]
                rows.append({"step": step, "run": run, "edits": data})
        if not rows:
            self.drop(session)
            return left_out
        whole = {"format": FORMAT, "session": session.id, "drafts": rows}
        text = json.dumps(whole, ensure_ascii=True, indent=1)
        write_new(self._path(session), text.encode(), force=True, private=True)
        return left_out

    def kept(self, session: Session) -> dict[Base, Edits]:
        """What was kept. A file that cannot be read, and drafts of what is not in the
        session any more, are as if they were not there."""
        try:
            found = json.loads(self._path(session).read_text(encoding="utf-8"))
            rows = [_read(row) for row in found["drafts"]]
        except (OSError, ValueError, TypeError, LookupError, SigscopeError):
            return {}
        steps = {step.number for step in session.steps}
        runs = {None, *(run.number for run in session.runs)}
        return {
            (step, run): edits
            for (step, run), edits in rows
            if step in steps and run in runs and edits
        }

    def drop(self, session: Session) -> None:
        """Keep nothing of the session."""
        try:
            self._path(session).unlink(missing_ok=True)
        except OSError:
            return

    def _path(self, session: Session) -> Path:
        told = to_bytes(f"{session.path}\n{session.id}")
        return self._folder / f"{sha256(told).hexdigest()[:16]}.json"


def _read(row: Any) -> tuple[Base, Edits]:
    run = row["run"]
    base = int(row["step"]), None if run is None else int(run)
    return base, tuple(from_json(edit) for edit in row["edits"])


def unsent(drafts: Mapping[Base, Edits], runs: Sequence[Run]) -> dict[Base, Edits]:
    """Those of these edits that no run has been made with."""
    sent = {(run.step, run.parent, frozenset(run.edits)) for run in runs}
    return {
        (step, run): edits
        for (step, run), edits in drafts.items()
        if edits and (step, run, frozenset(edits)) not in sent
    }
