"""A class is inherited from to be one kind of a thing, not to cut it for size: one that
has a single subclass of ours says here why it is a class of its own."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterator, Mapping

from tests.unit.ourclasses import classes

_READ_FIRST = "a line of a file is read without its bodies first, by this alone"

WITH_ONE_SUBCLASS: Mapping[str, str] = {
    "ChatAssembler": "puts together all chat streams but those of OpenRouter's kind",
    "ChatService": "simulates four services as it is; LiteLLM answers in other words",
    "ChatSpeech": "four speakers are records of it; Copilot's headers tell who began",
    "DebuggerScreen": "the debugger; recording is the debugger with another source",
    "ErrorText": "most texts are of it; many share one code, which has a name",
    "EventList": "the events in the JSON pane; while stepping, those to come are faint",
    "OpenRouterAssembler": "that of OpenRouter; LiteLLM passes on more",
    "PaneBox": "the frame of three panes of step-through; the raw event takes keys",
    "PaneFrame": "arranges step-through; the debugger has more to arrange",
    "Prompt": "the line that asks in the JSON pane; elsewhere it also searches",
    "RunHead": _READ_FIRST,
    "StepHead": _READ_FIRST,
    "StoredBody": "of a request; that of a response also says when it arrived",
    "ThoughtChecks": "for whoever wants readable reasoning back"
    " (docs/how-to-add-a-dialect.md); DeepSeek does",
}


def bases() -> Iterator[tuple[str, str]]:
    """Classes of ours, and the names they inherit from."""
    for _, node in classes():
        for base in node.bases:
            name = base.value if isinstance(base, ast.Subscript) else base
            if isinstance(name, ast.Name):
                yield node.name, name.id


def with_one_subclass() -> set[str]:
    ours = {node.name for _, node in classes()}
    found: dict[str, set[str]] = defaultdict(set)
    for name, base in bases():
        found[base].add(name)
    return {base for base, names in found.items() if base in ours and len(names) == 1}


def test_a_class_with_one_subclass_is_not_cut_for_size() -> None:
    new = with_one_subclass() - set(WITH_ONE_SUBCLASS)
    assert not new, "merge them, or let one have the other; else write the reason"


def test_a_reason_is_written_for_none_that_has_more_or_none() -> None:
    assert set(WITH_ONE_SUBCLASS) <= with_one_subclass()
