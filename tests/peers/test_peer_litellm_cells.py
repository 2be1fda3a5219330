"""The real LiteLLM proxy, cell by cell: what it sends upstream, how it wraps errors.

What is measured here is what `tests/unit/simulator/test_simulator_litellm_cells.py`
holds our simulator to.
"""

from __future__ import annotations

import json
from pathlib import Path

from tests.peers import peering
from tests.peers.litellm_cells import measure
from tests.unit.simulator import litellm_cells as cells


def test_the_measured_cells_are_what_the_real_proxy_makes(tmp_path: Path) -> None:
    program = peering.tool("litellm", "litellm")
    assert measure(tmp_path, program) == json.loads(cells.MEASURED.read_text())
