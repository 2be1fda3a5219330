"""Folders with one call in each file, as loggers keep them that write a file a call.

    logs/openai/openai-2026-01-31T10-00-00.000Z-1a2b3c4d.json
    expectations/0001-POST-_v1_messages-81e972a8.json

What a file holds is seen from its content, as where it is opened alone. The steps go by
the times of the calls where each has one, else by the names of the files, numbers by
their value. Files with several calls are recordings of their own, which are not put
together: what stands in one is not of the others' conversation.
Such are the logs of Qwen Code (its openaiLogger), those that LiteLLM puts into buckets,
and the expectations of MockServer in n8n-io/n8n (packages/testing/playwright).
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from pathlib import Path

from sigscope.capture.base import Imported, left_out
from sigscope.capture.numbered import in_order
from sigscope.capture.source import LARGEST, Source
from sigscope.errors import InputError
from sigscope.exchange import Exchange
from sigscope.session import Problem

_LOOKED_AT = 20
"""Files, from the first on."""
_MOST_FILES = 100_000
_LARGEST_CALL = 64 * 1024 * 1024
"""Bytes of a file that is looked at: a call with pictures has some millions."""
_ENDINGS = frozenset({".json", ".jsonl", ".log", ".txt", ".http"})
_NO_CALLS = frozenset({"agent", "bare", "history", "numbered", "session"})
"""Formats of what has no other side, or belongs to files beside it."""


def recognise(source: Source) -> bool:
    """Whether half of the first files, and two at least, are a call with its answer
    each, and none holds several."""
    if not source.is_folder:
        return False
    first = [call for _, call in islice(_calls(source.path), _LOOKED_AT)]
    whole = [
        call
        for call in first
        if isinstance(call, Exchange) and call.request and call.response
    ]
    none = [call for call in first if call == ""]
    is_half = len(whole) >= max(2, len(none))
    return is_half and len(whole) + len(none) == len(first)


def read(source: Source) -> Imported:
    """Read the call of every file. Raises InputError where there is none."""
    found: list[Exchange] = []
    others: list[str] = []
    problems: list[Problem] = []
    for path, call in _calls(source.path):
        if isinstance(call, Exchange):
            found.append(call)
        elif call:
            problems.append(Problem(message=f"{call}; left out", where=path.name))
        else:
            others.append(path.name)
    if not found:
        raise InputError("none of its files holds one call", path=source.name)
    if others:
        problems.append(left_out(others, "without a call left out"))
    if all(each.began is not None for each in found):
        found.sort(key=lambda each: each.began or 0.0)
    title = source.path.resolve().name
    return Imported(exchanges=tuple(found), title=title, problems=tuple(problems))


def _calls(folder: Path) -> Iterator[tuple[Path, Exchange | str]]:
    """The call of each file; else why it is none that can be read, empty where it is
    something else."""
    # The table of formats has this one in it.
    from sigscope.capture.detect import detect
    from sigscope.capture.detect import read as read_file

    room = LARGEST
    for path in _files(folder):
        each = Source(path)
        try:
            size = path.stat().st_size
            if size > _LARGEST_CALL:
                yield path, ""
                continue
            room -= size
            if room < 0:
                yield path, "it and all after it are more than 1 GiB together"
                return
            name = detect(each)
            imported = Imported() if name in _NO_CALLS else read_file(each, name)
        except InputError:
            yield path, ""
            continue
        except OSError as error:
            yield path, str(error)
            continue
        count = len(imported.exchanges)
        if count == 1:
            yield path, imported.exchanges[0]
        else:
            yield path, f"it holds {count} calls; open it alone" if count else ""


def _files(folder: Path) -> list[Path]:
    try:
        paths = islice(folder.iterdir(), _MOST_FILES)
        found = [
            path for path in paths if path.suffix.lower() in _ENDINGS and path.is_file()
        ]
    except OSError:
        return []
    return sorted(found, key=in_order)
