"""What a bisect may cost where sends are paid for."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.unit.engine.test_bisection import HARMLESS
from tests.unit.export.servers import bundled

from sigscope.edits.notation import parse
from sigscope.edits.records import Edit
from sigscope.engine.engine import Engine, Target
from sigscope.engine.sending.bisection import (
    Certificate,
    Foreteller,
    bisect,
    plan_bisect,
)
from sigscope.engine.sending.factors import edit_factors, fix_factors
from sigscope.engine.sending.sender import Order, SendProgress
from sigscope.engine.sessions.document import Document
from sigscope.runs import Run

pytestmark = pytest.mark.slow

SESSIONS = (
    "copilot-missing-signature",
    "zed-copilot-attempt-1",
    "zed-copilot-attempt-2",
    "zed-copilot-attempt-3",
)


class PaidService(Engine):
    """Answers as the simulator does, and counts what it is sent."""

    def __init__(self) -> None:
        super().__init__(sleep=lambda _: None)
        self.asked: list[frozenset[Edit]] = []

    async def replay(
        self, document: Document, order: Order, target: Target
    ) -> AsyncGenerator[SendProgress | Run]:
        self.asked.append(frozenset(order.edits))
        async for item in super().replay(document, order, Target()):
            yield item


@settings(
    max_examples=12,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(st.sampled_from(SESSIONS), st.randoms())
async def test_a_double_fault_among_twelve_costs_four_requests_and_two_repeats(
    tmp_path: Path, session: str, random: object
) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SIGSCOPE_DATA_DIR", str(tmp_path))
        document = bundled(session)
        factors = [*edit_factors(map(parse, HARMLESS)), *fix_factors(document, 2)]
        assert len(factors) == 12
        random.shuffle(factors)  # type: ignore[attr-defined]
        plan = plan_bisect(document, 2, factors, Foreteller(document, 2))
        service, found = PaidService(), None
        live = Target(url="https://api.example.com")
        async for item in bisect(service, document, plan, live, reuse=False):
            found = item if isinstance(item, Certificate) else found
    assert found is not None
    assert found.is_proven
    minimal = found.proof.minimal if found.proof else None
    assert minimal is not None
    assert len(minimal) <= 2
    assert len({*service.asked}) <= len(minimal) + 2
    assert len(service.asked) <= len(minimal) + 4
