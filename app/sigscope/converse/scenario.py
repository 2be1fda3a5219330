"""The conversations of the bundled sessions: what is said, under which policy.

One TOML file each in `scenarios/`; the file's name is the session's. `perform` holds
the conversation on a stage and gives the session; writing it down is the engine's.
"""

from __future__ import annotations

from pathlib import Path

from sigscope.converse.client import Client
from sigscope.converse.loader import load_policy, read_toml
from sigscope.converse.loop import Talk, talk
from sigscope.converse.stage import Stage
from sigscope.converse.tables import TableError, build
from sigscope.errors import InputError
from sigscope.records import dataclass
from sigscope.session import Note, Session
from sigscope.upstreams.simulator import SimConfig

FOLDER = Path(__file__).parent / "scenarios"
MADE_HERE = (
    "Made by `sigscope converse` against its strict simulator: URLs and headers are"
    " those of the real service, but nothing was sent to it, and the model's words are"
    " the simulator's."
)
"""The end of every story."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Remark:
    """A note about a step."""

    step: int
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Scenario:
    """One bundled session before it is performed."""

    name: str
    title: str
    story: str
    """A paragraph that a stranger understands."""
    policy: str
    """Name of a shipped policy."""
    then: str = ""
    """The policy that goes on after a refusal; empty: it ends there."""
    model: str = ""
    """Empty: the policy's."""
    started: str
    """RFC 3339."""
    turns: tuple[str, ...]
    notes: tuple[Remark, ...] = ()


def scenarios() -> tuple[Scenario, ...]:
    """All of them, by name. Raises InputError for a file with a mistake."""
    return tuple(load_scenario(path) for path in sorted(FOLDER.glob("*.toml")))


def load_scenario(path: Path) -> Scenario:
    """One scenario from its file."""
    try:
        return build(Scenario, {"name": path.stem, **read_toml(path)})
    except TableError as error:
        raise InputError(str(error), path=str(path)) from None


async def perform(scenario: Scenario) -> Session:
    """Hold the conversation; the same session, to the byte, each time."""
    client = Client(load_policy(scenario.policy), model=scenario.model)
    config = SimConfig(
        dialect=client.dialect, service=client.policy.service, seed=scenario.name
    )
    stage = Stage(config, scenario.started)
    order = Talk(
        client=client,
        turns=scenario.turns,
        upstream=stage,
        world=stage,
        then=load_policy(scenario.then) if scenario.then else None,
    )
    steps = [taken.step async for taken in talk(order)]
    end = stage.at()
    return Session(
        id=f"bundled-{scenario.name}",
        title=scenario.title,
        story=f"{' '.join(scenario.story.split())} {MADE_HERE}",
        created_at=scenario.started,
        tool="sigscope",
        steps=tuple(steps),
        notes=[Note(text=note.text, at=end, step=note.step) for note in scenario.notes],
    )
