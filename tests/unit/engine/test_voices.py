"""The rules foretell on their own, whatever the simulator says."""

from __future__ import annotations

import pytest
from tests.unit.export.servers import bundled

from sigscope.edits.notation import parse
from sigscope.engine.sending.sender import Order
from sigscope.engine.sending.voices import rules_voice
from sigscope.runs import RulesVoice


def test_what_is_refused_is_refused_by_rules_and_what_is_mended_is_not() -> None:
    document = bundled("copilot-missing-signature")
    voice = rules_voice(document, Order(step=2))
    assert voice is not None
    assert voice.says == "refuses"
    assert {"CPC-1", "CPC-2"} & set(voice.codes)
    fix = dict.fromkeys(e for f in document.findings_of(2) for e in f.fix or ())
    mended = rules_voice(document, Order(step=2, edits=tuple(fix)))
    assert mended is not None
    assert mended.says != "refuses"


def test_an_edit_that_breaks_an_accepted_step_is_heard() -> None:
    document = bundled("zed-copilot-final-fix")
    assert rules_voice(document, Order(step=2)) == RulesVoice(says="accepts")
    broken = Order(step=2, edits=(parse("set /messages/2/content []"),))
    voice = rules_voice(document, broken)
    assert voice is not None
    assert voice.says == "refuses"


@pytest.mark.parametrize(
    ("says", "predicted", "differs"),
    [
        ("refuses", 200, True),
        ("refuses", 400, False),
        ("accepts", 400, True),
        ("accepts", 200, False),
        ("warns", 400, False),
        ("warns", 200, False),
        ("refuses", None, False),
    ],
)
def test_only_a_plain_word_differs(says, predicted, differs) -> None:  # type: ignore[no-untyped-def]
    assert RulesVoice(says=says).differs_from(predicted) is differs
