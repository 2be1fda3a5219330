"""Stand-ins that were sent where a genuine signature is known (dialects.md 1(f))."""

from __future__ import annotations

from sigscope import opaque
from sigscope.opaque import Bypass
from sigscope.rules.base import Subject
from sigscope.rules.subject import Loss
from sigscope.rules.wording import stand_in, told


def replacement(subject: Subject, loss: Loss) -> tuple[str, str]:
    """The place of the stand-in, and what it took the place of, in words."""
    name = told(loss.signature)
    for sighting in subject.placed(loss.signature):
        bypass = opaque.maybe_bypass(sighting.value)
        if bypass is not None:
            said = f"{name} was replaced by {stand_in(bypass)}; {effect_of(bypass)}"
            return sighting.pointer, said
    return subject.messages[loss.index].pointer, f"{name} was replaced by a stand-in"


def is_misspelt(subject: Subject, loss: Loss) -> bool:
    """Whether what was sent in its place is no base64: refused wherever it stands."""
    found = (opaque.maybe_bypass(s.value) for s in subject.placed(loss.signature))
    return any(bypass and opaque.decode(bypass.literal) is None for bypass in found)


def effect_of(bypass: Bypass) -> str:
    """What a stand-in brings about where a genuine signature is known."""
    if opaque.decode(bypass.literal) is None:
        return "it is misspelt and no base64, which Google refuses (GEM-6)"
    return "the request passes, and the model starts its reasoning anew"
