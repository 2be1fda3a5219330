"""Held requests as steps: which there are, and what their rows say."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from sigscope.engine.recording.holds import HeldRequest
from sigscope.session import Step
from sigscope.tui import figures
from sigscope.tui.views.facts import StepFacts


class HeldSteps:
    """Requests that were held and are not in the file yet."""

    def __init__(self) -> None:
        self._held: dict[int, HeldRequest] = {}
        self._steps: dict[int, Step] = {}

    @property
    def steps(self) -> tuple[Step, ...]:
        """As steps, by number."""
        return tuple(self._steps[number] for number in sorted(self._steps))

    def take(
        self, held: Iterable[HeldRequest], recorded: frozenset[int]
    ) -> list[HeldRequest]:
        """Note what is held now, forget what the file has; gives what is new."""
        for number in recorded & self._held.keys():
            del self._held[number], self._steps[number]
        new = [h for h in held if h.step not in self._held and h.step not in recorded]
        for each in new:
            self._held[each.step] = each
            self._steps[each.step] = each.shown()
        return new

    def held(self, step: int | None) -> HeldRequest | None:
        """The request of a step, if it still waits for a decision."""
        found = self._held.get(step) if step is not None else None
        return found if found is not None and found.is_waiting else None

    def oldest(self) -> HeldRequest | None:
        """That which has waited longest."""
        waiting = [held for held in self._held.values() if held.is_waiting]
        return max(waiting, key=lambda held: held.waited, default=None)

    def facts(self, facts: Iterable[StepFacts]) -> tuple[StepFacts, ...]:
        """Rows as they were read; those of waiting steps with what they wait for."""
        return tuple(self._row(fact) for fact in facts)

    def _row(self, fact: StepFacts) -> StepFacts:
        held = self._held.get(fact.number)
        if held is None or fact.status is not None:
            return fact
        note = "held, not sent yet" if held.is_waiting else "not sent"
        if held.is_sent:
            note = "sent, no answer yet"
        return replace(
            fact,
            lane=replace(fact.lane, note=note) if fact.lane else None,
            word=words_of(held),
            is_waiting=held.is_waiting or held.is_sent,
            is_held=held.is_waiting,
            is_accepted=None,
            duration_ms=float(int(held.waited)) * 1000 if held.is_waiting else None,
        )


def words_of(held: HeldRequest) -> str:
    """ "held, 3:46 left"; "sent on" or "not sent" when that is so."""
    if not held.is_waiting:
        return "sent on …" if held.is_sent else "not sent"
    if held.limit is None:
        return "held"
    return f"held, {figures.clock(max(0.0, held.limit - held.waited))} left"
