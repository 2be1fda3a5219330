"""What a refusal is about: the innermost layer that tells, the status last."""

from __future__ import annotations

import pytest

from sigscope.refusals.grounds import Ground, ground_of
from sigscope.refusals.layers import Layer


@pytest.mark.parametrize(
    ("layers", "wrappings", "status", "inner", "ground"),
    [
        ([Layer(text="no")], (), 400, None, "request"),
        ([Layer(text="no")], (), 503, None, "service"),
        ([Layer(text="no", code="INVALID_ARGUMENT")], (), 503, None, "request"),
        ([Layer(text="no", code="invalid_request_error")], (), 500, None, "request"),
        ([Layer(text="no", code="invalid_request_error")], (), 401, None, "access"),
        (
            [Layer(text="out", code="api_error"), Layer(code="RESOURCE_EXHAUSTED")],
            (),
            500,
            None,
            "limit",
        ),
        ([Layer(text="no")], ("litellm.RateLimitError",), 500, None, "limit"),
        ([Layer(text="no")], ("litellm.BadRequestError",), 503, None, "request"),
        ([Layer(text="no")], (), 200, 529, "service"),
        ([Layer(text="no")], (), 200, None, "request"),
        ([Layer(text="no")], (), 500, None, "service"),
        ([Layer(text="no")], (), 422, None, "request"),
        ([Layer(text="Invalid x-api-key")], (), None, None, "access"),
        ([], (), None, None, "request"),
    ],
)
def test_the_innermost_layer_that_tells_decides(
    layers: list[Layer],
    wrappings: tuple[str, ...],
    status: int | None,
    inner: int | None,
    ground: str,
) -> None:
    assert ground_of(layers, wrappings, status, inner) is Ground(ground)
