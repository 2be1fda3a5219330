"""The bundled sessions: that they are what the code makes, and what they show."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

from sigscope.converse.scenario import scenarios
from sigscope.edits.records import Edit
from sigscope.engine.sending.sender import Order, foretell, prepare, send
from sigscope.engine.sending.simulation import Simulated, config_for, default_path
from sigscope.engine.sessions import document
from sigscope.engine.sessions.bundle import SUFFIX, make_all
from sigscope.engine.sessions.document import Document
from sigscope.engine.sessions.opener import open_file
from sigscope.rules.base import Finding, Severity
from sigscope.runs import Run, Verdict
from sigscope.wire.urls import Url, split_url

FOLDER = Path(__file__).parents[3] / "sessions"
NAMES = tuple(scenario.name for scenario in scenarios())


def opened(name: str) -> Document:
    return Document(open_file(FOLDER / f"{name}{SUFFIX}"))


def replayed(document: Document, step: int, edits: Sequence[Edit] = ()) -> Run:
    """A step sent to the simulator again."""
    order = Order(step=step, edits=tuple(edits))
    request, reading = prepare(document, order)
    config = config_for(document, document.reading(step))
    upstream = Simulated(config, lambda: 0.0, default_path(reading))
    predicted = foretell(document, order)

    async def go() -> Run:
        items = [
            item
            async for item in send(
                document,
                order,
                upstream,
                request,
                predicted=predicted,
                at=lambda: "2026-01-01T00:00:00Z",
            )
        ]
        assert isinstance(items[-1], Run)
        return items[-1]

    run = asyncio.run(go())
    assert run.predicted == run.status, "the prediction is what is done"
    return run


# --- Made by the code ----------------------------------------------------------------


def test_the_files_are_what_the_code_makes(tmp_path: Path) -> None:
    """`make sessions` after a change of client or simulator mends this."""
    made = {path.name: path.read_bytes() for path in make_all(tmp_path)}
    kept = {path.name: path.read_bytes() for path in FOLDER.glob(f"*{SUFFIX}")}
    assert sorted(made) == sorted(kept)
    different = [name for name in made if made[name] != kept[name]]
    assert not different, "run: make sessions"


def test_nothing_was_taken_out_on_the_way_to_the_file() -> None:
    from sigscope.converse.scenario import perform

    for scenario in scenarios():
        performed = asyncio.run(perform(scenario))
        read = opened(scenario.name).session
        assert [s.exchange for s in read.steps] == [s.exchange for s in performed.steps]
        assert read.problems == ()
        assert (read.title, read.story) == (performed.title, performed.story)
        assert read.notes == performed.notes


def test_they_name_nothing_secret_and_nothing_of_this_machine() -> None:
    for path in FOLDER.glob(f"*{SUFFIX}"):
        text = path.read_text(encoding="utf-8")
        assert "Bearer [removed]" in text or '"[removed]"' in text
        for word in ("/home/", "/root/", "/work/", "/tmp/", "sk-"):
            assert word not in text, (path.name, word)


# --- What they show ------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True)
class Shown:
    """What one session is there to show."""

    statuses: str
    errors: Mapping[int, tuple[str, ...]]
    """Rules of error findings, by step."""
    others: Mapping[int, tuple[str, ...]]
    """Rules of warnings and remarks, by step."""
    fates: tuple[str, ...]
    """Of the first signature received, request by request."""


LOST_ANSWER = ("LLM-1",)
SHOWN: dict[str, Shown] = {
    "anthropic-thinking-dropped": Shown(
        statuses="200 400 200 200",
        errors={2: ("ANT-2",)},
        others={},
        fates=("dropped!", "exact", "exact"),
    ),
    "anthropic-thinking-shortened": Shown(
        statuses="200 400 200 200",
        errors={2: ("ANT-3",)},
        others={},
        fates=("exact", "exact", "exact"),
    ),
    "claude-code-tool-loop": Shown(
        statuses="200 200 200 200",
        errors={},
        others={},
        fates=("exact", "exact", "exact"),
    ),
    "codecompanion-merged": Shown(
        statuses="200 200 200 200",
        errors={},
        others={},
        fates=("exact", "exact", "exact"),
    ),
    "codecompanion-unmerged": Shown(
        statuses="200 400", errors={2: ("CPC-1",)}, others={}, fates=("moved!",)
    ),
    "copilot-missing-signature": Shown(
        statuses="200 400 200 200",
        errors={2: ("CPC-1", "CPC-2")},
        others={},
        fates=("dropped!", "exact", "exact"),
    ),
    "deepseek-reasoning-dropped": Shown(
        statuses="200 400 200 200",
        errors={2: ("DSK-2",)},
        others={},
        fates=("dropped!", "exact", "exact"),
    ),
    "gemini-openai-typed-client": Shown(
        statuses="200 400 200 200",
        errors={2: ("GOC-1",)},
        others={},
        fates=("dropped!", "exact", "exact"),
    ),
    "gemini-parallel": Shown(
        statuses="200 200 200", errors={}, others={}, fates=("exact", "exact")
    ),
    "gemini-sequential": Shown(
        statuses="200 200 200 200",
        errors={},
        others={},
        fates=("exact", "exact", "exact"),
    ),
    "gemini-split-calls": Shown(
        statuses="200 400", errors={2: ("GEM-8",)}, others={}, fates=("exact",)
    ),
    "responses-dropped-reasoning": Shown(
        statuses="200 400 200 200",
        errors={2: ("RSP-2",)},
        others={},
        fates=("dropped!", "exact", "exact"),
    ),
    "responses-early-blob": Shown(
        statuses="200 400 200 200",
        errors={2: ("RSP-3",)},
        others={},
        fates=("dropped", "exact", "exact"),
    ),
    "responses-gemini-on-copilot": Shown(
        statuses="400", errors={1: ("CPC-4",)}, others={}, fates=()
    ),
    "responses-ids-without-blobs": Shown(
        statuses="200 404 200 200",
        errors={2: ("RSP-4",)},
        others={},
        fates=("dropped", "exact", "exact"),
    ),
    "vscode-copilot-four-requests": Shown(
        statuses="200 200 200 200",
        errors={},
        others={4: ("CPC-7",)},
        fates=("exact", "dropped"),
    ),
    "zed-copilot-attempt-1": Shown(
        statuses="200 400",
        errors={2: ("CPC-1", "CPC-2", "CPC-2")},
        others={},
        fates=("moved!",),
    ),
    "zed-copilot-attempt-2": Shown(
        statuses="200 400",
        errors={2: ("CPC-1", "CPC-2", "CPC-2")},
        others={},
        fates=("moved!",),
    ),
    "zed-copilot-attempt-3": Shown(
        statuses="200 400",
        errors={2: ("CPC-1", "CPC-2", "CPC-2")},
        others={},
        fates=("moved!",),
    ),
    "zed-copilot-content-empty-list": Shown(
        statuses="200 400", errors={2: ("CPC-2",)}, others={}, fates=("exact",)
    ),
    "zed-copilot-final-fix": Shown(
        statuses="200 200 200 200 200",
        errors={},
        others={3: ("CPC-7",)},
        fates=("exact", "exact", "exact", "exact"),
    ),
    "zed-openrouter-fixed": Shown(
        statuses="200 200 200 200 200",
        errors={},
        others={3: ("ORT-7",)},
        fates=("exact", "exact", "exact", "exact"),
    ),
    "zed-openrouter-never-emitted": Shown(
        statuses="200 400", errors={2: ("ORT-1",)}, others={}, fates=("dropped!",)
    ),
    "zoo-litellm-dummy": Shown(
        statuses=" ".join(["200"] * 16),
        errors={},
        others=dict.fromkeys((2, 3, 4, 6, 8, 10, 12, 14, 16), ("LLM-1",))
        | {6: ("LLM-1", "SES-1")},
        fates=("bypass",) * 15,
    ),
    "zoo-litellm-message-echo": Shown(
        statuses=" ".join(["200"] * 8),
        errors={},
        others=dict.fromkeys((2, 4, 6, 8), ("LLM-1",)) | {6: ("LLM-1", "SES-1")},
        fates=("moved",) * 7,
    ),
    "zoo-litellm-per-call-echo": Shown(
        statuses=" ".join(["200"] * 16),
        errors={},
        others={},
        fates=("exact",) * 15,
    ),
}


def rules(found: Sequence[Finding], *, errors: bool) -> dict[int, tuple[str, ...]]:
    by_step: dict[int, list[str]] = {}
    for finding in found:
        if (finding.severity is Severity.ERROR) == errors:
            by_step.setdefault(finding.step, []).append(finding.rule)
    return {step: tuple(sorted(codes)) for step, codes in by_step.items()}


def test_every_session_is_described_here() -> None:
    assert set(SHOWN) == set(NAMES)


@pytest.mark.parametrize("name", NAMES)
def test_steps_findings_and_fates_are_the_expected_ones(name: str) -> None:
    document, shown = opened(name), SHOWN[name]
    assert " ".join(str(r.status) for r in document.readings) == shown.statuses
    assert rules(document.findings, errors=True) == dict(shown.errors)
    assert rules(document.findings, errors=False) == dict(shown.others)
    brought = (s for s in document.ledger.received_in(1) if not s.is_provisional)
    first = next(brought, None)
    told = first.fates if first else ()
    fates = tuple(f"{f.fate}{'!' if f.is_lost else ''}" for f in told)
    assert fates == shown.fates


@pytest.mark.parametrize("name", NAMES)
def test_every_step_replays_as_it_was_recorded(name: str) -> None:
    document = opened(name)
    for step in document.steps:
        run = replayed(document, step.number)
        recorded = document.reading(step.number).status
        assert run.status == recorded
        expected = Verdict.REPRODUCED
        assert run.verdict is expected, (step.number, run.error)


FAILING = [name for name in NAMES if SHOWN[name].errors]


@pytest.mark.parametrize("name", FAILING)
def test_all_fixes_together_are_confirmed(name: str) -> None:
    document = opened(name)
    for step in SHOWN[name].errors:
        found = [f for f in document.findings_of(step) if f.severity is Severity.ERROR]
        fixes = [f.fix for f in found]
        assert all(fixes)
        together = tuple(dict.fromkeys(e for fix in fixes if fix for e in fix))
        run = replayed(document, step, together)
        assert (run.status, run.verdict) == (200, Verdict.GONE)


@pytest.mark.parametrize(
    ("name", "enough"),
    [
        ("copilot-missing-signature", []),
        ("zed-copilot-attempt-1", []),
        ("zed-copilot-attempt-2", []),
        ("zed-copilot-attempt-3", []),
        ("zed-copilot-content-empty-list", ["CPC-2"]),
        ("codecompanion-unmerged", ["CPC-1"]),
        ("gemini-split-calls", ["GEM-8"]),
        ("zed-openrouter-never-emitted", ["ORT-1"]),
    ],
)
def test_where_two_things_are_wrong_no_fix_is_enough_alone(
    name: str, enough: list[str]
) -> None:
    document = opened(name)
    cures = [
        finding.rule
        for finding in document.findings_of(2)
        if finding.fix and replayed(document, 2, finding.fix).status == 200
    ]
    assert cures == enough


def test_both_fixes_of_the_demo_are_needed() -> None:
    """ "2 edits: reasoning_opaque on the message, content null"; one is not enough."""
    document = opened("copilot-missing-signature")
    one, two = document.findings_of(2)
    assert [e.pointer for e in (*(one.fix or ()), *(two.fix or ()))] == [
        "/messages/2/reasoning_opaque",
        "/messages/2/content",
    ]
    alone = [replayed(document, 2, finding.fix or ()) for finding in (one, two)]
    assert [run.status for run in alone] == [400, 400]
    assert "missing a `thought_signature`" in (alone[1].error or "")
    assert alone[0].error == "invalid request body"


def test_the_title_request_of_vs_code_is_a_thread_of_its_own() -> None:
    ledger = opened("vscode-copilot-four-requests").ledger
    assert [(t.kind, t.steps) for t in ledger.threads] == [
        ("main", (1, 2, 4)),
        ("side", (3,)),
    ]


@pytest.mark.parametrize("name", [n for n in NAMES if not n.startswith("vscode")])
def test_the_others_are_one_conversation(name: str) -> None:
    (thread,) = opened(name).ledger.threads
    assert thread.kind == "main"


def share(document: Document, step: int) -> float:
    message = document.reading(step).reply.message
    assert message is not None
    return len(message.thoughts) / (len(message.thoughts) + len(message.text))


def test_reasoning_fades_under_the_dummy_and_stays_under_the_echo() -> None:
    dummy, echo = opened("zoo-litellm-dummy"), opened("zoo-litellm-per-call-echo")
    calls = range(1, 17, 2)
    fading = [share(dummy, step) for step in calls]
    assert fading == sorted(fading, reverse=True)
    assert (fading[0], fading[-1]) == (1.0, 0.0)
    assert all(share(echo, step) == 1.0 for step in calls)


def test_gemini_s_third_content_is_the_one_it_names() -> None:
    refusal = opened("gemini-split-calls").refusals[2]
    assert "position 3" in refusal.text


def test_an_address_is_taken_apart_once_for_all_findings_of_a_step(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    taken: list[str] = []

    def counted(url: str) -> Url:
        taken.append(url)
        return split_url(url)

    monkeypatch.setattr(document, "split_url", counted)
    found = opened("zed-copilot-attempt-2").findings
    steps = {finding.step for finding in found}
    assert len(taken) == len(steps) < len(found)
