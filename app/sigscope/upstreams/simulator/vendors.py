"""Who makes the models: how theirs are called, and how their signatures look."""

from __future__ import annotations

from sigscope.records import dataclass
from sigscope.upstreams.simulator.mint.shapes import Form


@dataclass(frozen=True, slots=True, kw_only=True)
class Vendor:
    """One maker of models."""

    title: str
    """As it writes itself."""
    models: str
    """How the names of its models begin, as a regular expression."""
    family: str = ""
    """Models that may open one another's signatures; empty: told by their names."""
    sizes: tuple[int, ...] = (240,)
    """Sealed bytes; recorded ones spread alike."""
    form: Form = "unpadded"
    """The form of its signatures; Google's depends on model and surface."""

    @property
    def name(self) -> str:
        """As models and origins have it."""
        return self.title.lower()


GOOGLE = Vendor(
    title="Google",
    models=r"gemini.*",
    sizes=(180, 260, 360, 480, 640, 820, 1040),
    form="field-1",
)
OTHER = Vendor(title="Other", models=r"")
VENDORS = (
    GOOGLE,
    Vendor(
        title="Anthropic",
        models=r"claude",
        family="claude",
        sizes=(220, 340, 480, 700),
        form="claude",
    ),
    Vendor(
        title="OpenAI",
        models=r"gpt|codex|o[1345](-|$)",
        family="gpt",
        sizes=(420, 620, 860, 1200),
        form="fernet",
    ),
    Vendor(title="xAI", models=r"grok", family="grok", sizes=(520, 800, 1100)),
    Vendor(title="Meta", models=r"muse", family="muse"),
)


def vendor_named(name: str) -> Vendor:
    """The vendor of that name; `OTHER` where none is known."""
    return next((vendor for vendor in VENDORS if vendor.name == name), OTHER)
