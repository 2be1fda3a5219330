"""For all tests: how properties are tried."""

from __future__ import annotations

import os

from hypothesis import HealthCheck, settings

# The same examples each time, so that a busy machine or a lucky draw does not decide
# whether a change is green. SIGSCOPE_EXPLORE=1 draws new ones.
settings.register_profile(
    "steady",
    derandomize=not os.environ.get("SIGSCOPE_EXPLORE"),
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("steady")
