"""What is known of model names: vendor, generation, what they need and speak.

Names are read by pattern, not from a list: new members of a family behave like it.
"""

from __future__ import annotations

import re

from sigscope.records import dataclass
from sigscope.upstreams.simulator.vendors import GOOGLE, VENDORS, vendor_named

OFFERED = (
    "gemini-3-pro-preview",
    "gemini-3-flash-preview",
    "gemini-3.1-pro-preview",
    "gemini-3.5-flash",
    "gemini-3.7-flash",
    "gemini-2.5-pro",
    "gemini-2.5-flash",
    "claude-sonnet-4.5",
    "gpt-5.2",
    "gpt-5.3-codex",
    "grok-4.1-fast",
)
"""Names in the model lists, a few of each family; others of these are answered too."""

_VERSION = re.compile(r"gemini-(\d+(?:\.\d+)?)")


@dataclass(frozen=True, slots=True, kw_only=True)
class Model:
    """One model as the simulator understands its name."""

    name: str
    """As the request spelled it, vendor and gateway prefixes off."""
    vendor: str
    """Name of its maker; "other" where nobody knows it."""
    version: tuple[int, ...] = ()
    """Gemini's generation, (2, 5); empty for others and for names without one."""

    @property
    def family(self) -> str:
        """What may open one another's signatures (GEM-14)."""
        if self.vendor != GOOGLE.name:
            return vendor_named(self.vendor).family or self.name
        if not self.version:
            return "gemini-3"
        if self.version[0] >= 3:
            return f"gemini-{self.version[0]}"
        return "gemini-" + ".".join(str(part) for part in self.version)

    @property
    def demands(self) -> bool:
        """Whether calls without a signature are refused: Gemini 3 and newer."""
        return self.vendor == "google" and (not self.version or self.version[0] >= 3)

    @property
    def makes_images(self) -> bool:
        return self.vendor == "google" and "image" in self.name

    @property
    def binds_thoughts(self) -> bool:
        """Whether a changed thought text breaks its signature (GEM-16)."""
        return self.name.startswith("gemini-3.7-flash")

    @property
    def says_invalid(self) -> bool:
        """Newer models say "Invalid" where older ones say "Corrupted" (GEM-4)."""
        return self.version >= (3, 7)


def read_model(name: str) -> Model | None:
    """The model of that name, or None for a name that tells nothing (an alias)."""
    bare = name.removeprefix("models/").rsplit("/", 1)[-1].split(":")[0]
    for vendor in VENDORS:
        if re.match(vendor.models, bare):
            found = _VERSION.match(bare)
            version = tuple(int(n) for n in found[1].split(".")) if found else ()
            if vendor is GOOGLE and not found and "latest" not in bare:
                return None
            return Model(name=bare, vendor=vendor.name, version=version)
    if "/" in name and not name.startswith("models/"):
        return Model(name=bare, vendor="other")
    return None


def choose_model(asked: str, fallback: str) -> Model:
    """The model a request gets: the asked one if its name is known."""
    return (
        read_model(asked)
        or read_model(fallback)
        or Model(name=fallback or "gemini-3-pro-preview", vendor="google")
    )
