"""What a gateway hands on of what it got."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from tests import builders as b
from tests.unit.paths.test_pathmap import hop, without

from sigscope.ledger.hops import build_hop_ledger, find_hops, hop_losses
from sigscope.reader import read_steps

ISSUED = b.copilot(b.LS)
BARE = without(ISSUED, "reasoning_opaque")
SPELLED = b.OPAQUE.replace("+", "-").replace("/", "_").rstrip("=")


@pytest.mark.parametrize(
    ("told", "lost"),
    [
        pytest.param(ISSUED, [], id="as it came"),
        pytest.param(ISSUED | {"reasoning_opaque": SPELLED}, [], id="other alphabet"),
        pytest.param(BARE | {"x_kept": b.OPAQUE}, [], id="under another name"),
        pytest.param(BARE, [(1, 2, "to the client")], id="not at all"),
    ],
)
def test_what_the_client_got_in_any_form_is_not_lost_on_the_way_down(
    told: Any, lost: list[tuple[int, int, str]]
) -> None:
    steps = [
        hop("a.example", "00.000", 900, [b.user()], told),
        hop("b.example", "00.100", 700, [b.user()], ISSUED),
    ]
    readings = read_steps(replace(s, number=n) for n, s in enumerate(steps, start=1))
    hops = find_hops(readings)
    assert hops == {2: 1}
    found = hop_losses(readings, build_hop_ledger(readings, hops), hops)
    assert [(loss.outer, loss.inner, loss.direction) for loss in found] == lost
