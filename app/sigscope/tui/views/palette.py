"""Which signature has which colour, and which id it is shown by."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import field
from functools import cached_property

from sigscope.conversation import SignatureKind
from sigscope.ledger import Signature
from sigscope.records import dataclass

COLOURS = 8


@dataclass(frozen=True)
class Palette:
    """Colours by SHA-256; in the order of arrival, so that neighbours differ."""

    inks: dict[str, str] = field(default_factory=dict)
    ids: dict[str, str] = field(default_factory=dict)

    @classmethod
    def of(cls, signatures: Iterable[Signature]) -> Palette:
        """Give every signature a colour. Bypasses get none: they are nobody's."""
        inks: dict[str, str] = {}
        ids: dict[str, str] = {}
        turn = 0
        for signature in signatures:
            ids[signature.sha256] = signature.id
            if signature.kind is SignatureKind.BYPASS:
                inks[signature.sha256] = "warn"
                continue
            inks[signature.sha256] = f"sig-{turn % COLOURS + 1}"
            turn += 1
        return cls(inks, ids)

    def ink(self, sha256: str) -> str:
        """Its ink; plain for one that the ledger does not know."""
        return self.inks.get(sha256, "dim")

    def id(self, sha256: str) -> str:
        return self.ids.get(sha256, sha256[:6])

    def named(self, name: str) -> str | None:
        """The SHA-256 of the signature of a name; None if there is none, or two."""
        return self._by_name.get(name)

    @cached_property
    def _by_name(self) -> dict[str, str | None]:
        found: dict[str, str | None] = {}
        for sha256, name in self.ids.items():
            found[name] = sha256 if name not in found else None
        return found
