"""A recorded step that is continued under a policy of choice, and kept as a session.

    continuation = Continuation(Fork(document, 2, edits))
    holding = continuation.held_by(policy.name, turns=5)
    async for taken in holding.steps(): ...
    path = continuation.keep(engine, holding)

With the simulator alone: nothing leaves the machine, and nothing is written before all
is held.
"""

from __future__ import annotations

from functools import cached_property
from pathlib import Path

from sigscope.converse.loader import load_added, shipped_policies
from sigscope.converse.policy import Policy
from sigscope.engine.engine import Engine, Target
from sigscope.engine.sending.conversations import ConversationOrder, HeldConversation
from sigscope.engine.sending.fork import LONGEST, Fork
from sigscope.engine.sessions.creation import keep
from sigscope.errors import UsageError
from sigscope.records import dataclass
from sigscope.upstreams.simulator import SimConfig


@dataclass(frozen=True)
class Continuation:
    """Who can go on from a step, for how long, and what came of it."""

    fork: Fork
    base: SimConfig | None = None
    """How the simulator is set; None: as shipped."""

    @property
    def faithful(self) -> str:
        """The policy that makes no mistake."""
        return f"faithful-{self.fork.dialect}"

    @cached_property
    def policies(self) -> tuple[Policy, ...]:
        """Those of the step's dialect: the faithful one, then those that the user and
        packages add, then the shipped ones by name. Raises UsageError for a step that
        cannot be continued."""
        own, _ = self._added
        shipped = shipped_policies()
        spoken = [p for p in (*own, *shipped) if self.fork.dialect in p.dialects]
        return tuple(sorted(spoken, key=lambda policy: policy.name != self.faithful))

    @property
    def problems(self) -> tuple[str, ...]:
        """Of added policies that cannot be had: they are not offered."""
        return self._added[1]

    @cached_property
    def _added(self) -> tuple[tuple[Policy, ...], tuple[str, ...]]:
        return load_added()

    @staticmethod
    def problem_of(turns: str) -> str:
        """What is wrong with a number of turns as it was typed; empty: nothing."""
        is_number = turns.isascii() and turns.isdigit() and len(turns) < 10
        if is_number and 1 <= int(turns) <= LONGEST:
            return ""
        return f"a conversation goes on for 1 to {LONGEST} turns"

    def held_by(self, policy: str, turns: int) -> HeldConversation:
        """The conversation, to be held; `turns` counts the step itself.

        Raises UsageError and InputError for what cannot be held.
        """
        order = ConversationOrder(
            policy=policy,
            turns=self.fork.turns(turns),
            target=Target(simulator=self.base),
            fork=self.fork,
        )
        return HeldConversation(order)

    def keep(self, engine: Engine, holding: HeldConversation) -> Path:
        """Write it to the user's data folder under a free name. Raises InputError."""
        if not holding.taken:
            raise UsageError("nothing was sent yet: there is nothing to keep")
        return keep(engine, holding.session)


def outcome_words(holding: HeldConversation) -> str:
    """What came of it: "5 turns in 9 requests, all accepted"."""
    taken = holding.taken
    if not taken:
        return "nothing was sent"
    refused = next((one for one in taken if one.is_refused), None)
    if refused is not None:
        status = refused.status or "no answer"
        return f"refused in turn {refused.turn}, step {refused.step.number}: {status}"
    turns = len({one.turn for one in taken})
    said = (
        f"{turns} turn{'' if turns == 1 else 's'} in {len(taken)}"
        f" request{'' if len(taken) == 1 else 's'}, all accepted"
    )
    given_up = ", ".join(map(str, holding.given_up))
    if given_up:
        said += f"; given up, for the model kept calling tools: turn {given_up}"
    return said
