"""A strict simulator of several services, as an ASGI application.

It mints signatures of its own, sealed so that it can tell genuine from altered, cut,
misplaced, foreign and bypassed ones; it judges the history it is sent as the real
services do, with their texts, wrapping and positions; it streams with their chunks;
and its reasoning fades where a gateway's does. It is an independent voice: it knows
no rules, ledger or dialects of sigscope, and stands on docs/wire alone.

    request -> services (whose path) -> checks (read, translate, judge) -> speech

`judge` is the prediction without sending; `create_app` the service; `exchange` calls
it in process, piece by piece; `Server` puts it on a port.

A service is a record in `services`, found through one registry; what the speakers of
one API share is its family in `families`. Both say how to add one more.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sigscope.lazyimport import from_modules

if TYPE_CHECKING:
    from sigscope.upstreams.simulator.app import Simulator, create_app
    from sigscope.upstreams.simulator.config import Anchor, SimConfig
    from sigscope.upstreams.simulator.judgement import Judge, judge
    from sigscope.upstreams.simulator.records import (
        Judgement,
        SignatureJudgement,
        Standing,
    )
    from sigscope.upstreams.simulator.transport import ResponseStart, exchange, fetch
else:
    __getattr__ = from_modules(
        __name__,
        {
            "app": ("Simulator", "create_app"),
            "config": ("Anchor", "SimConfig"),
            "judgement": ("Judge", "judge"),
            "records": ("Judgement", "SignatureJudgement", "Standing"),
            "transport": ("ResponseStart", "exchange", "fetch"),
        },
    )

__all__ = [
    "Anchor",
    "Judge",
    "Judgement",
    "ResponseStart",
    "SignatureJudgement",
    "SimConfig",
    "Simulator",
    "Standing",
    "create_app",
    "exchange",
    "fetch",
    "judge",
]
