"""What a service keeps of its answers, for later requests to name."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from sigscope.upstreams.simulator.records import Json, as_dict, as_text

KEPT = 512
"""Answers; the oldest goes first."""


class KeptAnswers:
    """Answers by their ids, each with all that was said before it."""

    def __init__(
        self, told: Mapping[str, tuple[Sequence[Json], Sequence[Json]]] | None = None
    ) -> None:
        """`told`: what a recording tells of, besides what is put here: id → what was
        said before, and the answer's own items."""
        self._answers: dict[str, tuple[Json, ...]] = {}
        self._asked: dict[str, tuple[Json, ...]] = {}
        self._whole: dict[str, Json] = {}
        self._items: dict[str, Json] = {}
        self._before: dict[str, str] = {}
        """Item → the reasoning item that stood right before it."""
        for name, (before, items) in (told or {}).items():
            self.put(name, before, items)

    def put(
        self,
        answer: str,
        before: Sequence[Json],
        items: Sequence[Json],
        whole: Json = None,
    ) -> None:
        """Keep an answer: the items of the history before it, its own, and the answer
        as it can be asked for again."""
        self._answers[answer] = (*before, *items)
        self._asked[answer] = tuple(before)
        self._whole[answer] = whole
        if len(self._answers) > KEPT:
            oldest = next(iter(self._answers))
            for kept in (self._answers, self._asked, self._whole):
                del kept[oldest]
        reasoning = ""
        for item in map(as_dict, items):
            name = as_text(item.get("id"))
            if item.get("type") == "reasoning":
                reasoning = name
            elif name and reasoning:
                self._before.setdefault(name, reasoning)
                reasoning = ""
            if name:
                self._items[name] = item

    def history(self, answer: str) -> tuple[Json, ...] | None:
        """All items up to an answer; None if it is not kept."""
        return self._answers.get(answer)

    def whole(self, answer: str) -> Json:
        """An answer as it was given; None if it is not kept, or not as it was given."""
        return self._whole.get(answer)

    def asked(self, answer: str) -> tuple[Json, ...] | None:
        """The items that were said before an answer; None if it is not kept."""
        return self._asked.get(answer)

    def item(self, name: str) -> Json:
        """A kept item; None if there is none of that id."""
        return self._items.get(name)

    def reasoning_before(self, name: str) -> str:
        """Id of the reasoning item that an item came right after; "" if of none."""
        return self._before.get(name, "")
