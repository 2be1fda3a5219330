"""A real LiteLLM proxy between two hops of one recorder:

openai SDK → recorder → LiteLLM → recorder → simulator (gemini)
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from tests.peers import peering
from tests.peers.peering import dialects, rows, statuses

from sigscope.engine.sessions.document import Document

MASTER_KEY = "sk-0123456789abcdefghijklmnopqrstuvwxyz"
MODEL = "gemini-3-pro-preview"


@contextmanager
def litellm(folder: Path, port: int, google: str) -> Iterator[None]:
    """The proxy on a port, its one model at this address."""
    config = {
        "model_list": [
            {
                "model_name": MODEL,
                "litellm_params": {
                    "model": f"gemini/{MODEL}",
                    "api_base": google,
                    "api_key": peering.KEYS["GOOGLE_API_KEY"],
                },
            }
        ],
        "litellm_settings": {"telemetry": False},
    }
    path = folder / "litellm.yaml"
    path.write_text(json.dumps(config))  # JSON is YAML
    words = ["--config", str(path), "--host", "127.0.0.1", "--port", str(port)]
    variables = peering.peer_variables(
        folder,
        LITELLM_MASTER_KEY=MASTER_KEY,
        LITELLM_LOCAL_MODEL_COST_MAP="True",
        DISABLE_ADMIN_UI="True",
    )
    program = peering.tool("litellm", "litellm")
    with peering.running(folder, [program, *words], variables, chatty=True):
        peering.wait_for(f"http://127.0.0.1:{port}/health/liveliness", seconds=120)
        yield


@pytest.fixture(scope="module")
def hops(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[int, int]]:
    """The ports of a running proxy, and of the recorder that it goes through: starting
    a proxy takes twenty seconds."""
    peering.tool("openai", "python")
    folder = tmp_path_factory.mktemp("litellm")
    gateway, recorder = peering.free_ports(2)
    google = f"http://127.0.0.1:{recorder}/google"
    with litellm(folder, gateway, google):
        yield gateway, recorder


def loop(folder: Path, hops: tuple[int, int], how: str) -> Document:
    gateway, port = hops
    with (
        peering.simulating(folder, "gemini") as simulator,
        peering.recording(
            folder,
            *("--map", f"/gateway=http://127.0.0.1:{gateway}"),
            *("--map", f"/google={simulator}"),
            port=port,
        ) as recorder,
    ):
        said = peering.talk(
            folder,
            "openai",
            "openai_tools.py",
            MODEL,
            how,
            OPENAI_BASE_URL=f"{recorder.url}/gateway/v1",
            OPENAI_API_KEY=MASTER_KEY,
        )
        document = recorder.document()
    assert said["status"] == 200
    assert statuses(document) == [200] * 6
    assert dialects(document) == ["litellm", "gemini"] * 3
    assert document.hops == {2: 1, 4: 3, 6: 5}
    assert [t.steps for t in document.ledger.threads] == [(1, 3, 5), (2, 4, 6)]
    return document


OUTER = [
    (1, ((3, "exact", "optional"), (5, "exact", "optional"))),
    (3, ((5, "exact", "optional"),)),
    (5, ()),
]
INNER = [
    (2, ((4, "exact", "required"), (6, "exact", "required"))),
    (4, ((6, "exact", "required"),)),
    (6, ()),
]


@pytest.mark.parametrize("how", ["all", "known"])
def test_ids_carry_signatures_through_both_hops(
    tmp_path: Path, hops: tuple[int, int], how: str
) -> None:
    """Even for a client that knows nothing of them: the proxy hides them in ids."""
    document = loop(tmp_path, hops, how)
    assert rows(document) == [*OUTER, *INNER]
    assert document.hop_losses == ()
    assert document.findings == ()


def test_a_client_that_tidies_ids_loses_them_without_an_error(
    tmp_path: Path, hops: tuple[int, int]
) -> None:
    document = loop(tmp_path, hops, "tidy")
    assert rows(document) == [
        (1, ((3, "dropped", "optional"), (5, "dropped", "optional"))),
        (3, ((5, "dropped", "optional"),)),
        (5, ()),
        (2, ((4, "bypass", "optional"), (6, "bypass", "optional"))),
        (4, ((6, "bypass", "optional"),)),
        (6, ()),
        (
            None,
            ((4, "bypass", "not applicable"), (6, "bypass", "not applicable")),
        ),
    ]
    assert {loss.loser for loss in document.hop_losses} == {"client"}
    assert [(loss.outer, loss.inner) for loss in document.hop_losses] == [
        (3, 4),
        (5, 6),
        (5, 6),
    ]
    assert {(f.step, f.rule) for f in document.findings} == {
        (3, "LLM-1"),
        (4, "GEM-14"),
        (5, "LLM-1"),
        (6, "GEM-14"),
    }
