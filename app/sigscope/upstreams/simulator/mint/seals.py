"""Which form and size a service's signatures have."""

from __future__ import annotations

from dataclasses import dataclass

from sigscope.upstreams.simulator.mint.draws import Draws
from sigscope.upstreams.simulator.mint.shapes import Form
from sigscope.upstreams.simulator.models import Model

_SIZES = {
    "google": (180, 260, 360, 480, 640, 820, 1040),
    "anthropic": (220, 340, 480, 700),
    "openai": (420, 620, 860, 1200),
    "xai": (520, 800, 1100),
    "other": (240,),
}
"""Sealed bytes, by vendor; recorded ones spread alike."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Seal:
    """How the signatures look that leave a service."""

    envelope: int = 0
    """Sealed bytes, at least, of an envelope of the service's own; 0: it hands on what
    the vendor gives."""
    through_vertex: Form = "field-1"
    """The form of Gemini 3's on Vertex."""

    def choose(self, model: Model, surface: str, draws: Draws) -> tuple[Form, int]:
        """Form and sealed bytes of one signature."""
        if self.envelope:
            return "padded", self.envelope + draws.below(45)
        form = self._form(model, surface)
        return form, draws.pick(_SIZES[model.vendor]) + draws.below(60)

    def _form(self, model: Model, surface: str) -> Form:
        if model.vendor != "google":
            forms: dict[str, Form] = {"anthropic": "claude", "openai": "fernet"}
            return forms.get(model.vendor, "unpadded")
        if not model.demands:
            return "field-1"
        return "field-2" if surface == "ai-studio" else self.through_vertex


VENDORS = Seal()
"""Signatures as the vendors make them."""
