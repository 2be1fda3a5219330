"""Which form and size a service's signatures have."""

from __future__ import annotations

from sigscope.records import dataclass
from sigscope.upstreams.simulator.mint.draws import Draws
from sigscope.upstreams.simulator.mint.shapes import Form
from sigscope.upstreams.simulator.models import Model
from sigscope.upstreams.simulator.vendors import vendor_named


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
        vendor = vendor_named(model.vendor)
        form = vendor.form
        if model.demands:
            form = "field-2" if surface == "ai-studio" else self.through_vertex
        return form, draws.pick(vendor.sizes) + draws.below(60)


AS_MADE = Seal()
"""Signatures as the vendors make them."""
