"""The verdict on a request before anything is sent: pure, no clock, no memory.

The server answers with the same function, so what it predicts is what it does.
"""

from __future__ import annotations

from sigscope.upstreams.simulator.arrival import (
    BadCodingError,
    Incoming,
    without_codings,
)
from sigscope.upstreams.simulator.checks.case import JudgedRequest
from sigscope.upstreams.simulator.config import SimConfig
from sigscope.upstreams.simulator.families.base import Inquiry, Route
from sigscope.upstreams.simulator.keptanswers import KeptAnswers
from sigscope.upstreams.simulator.mint.keyring import Keyring
from sigscope.upstreams.simulator.records import Judgement
from sigscope.upstreams.simulator.services.registry import find_route


def judge(
    config: SimConfig,
    target: str,
    body: bytes,
    *,
    method: str = "POST",
    headers: tuple[tuple[str, str], ...] = (),
) -> Judgement | None:
    """What the simulator would answer; None where it has no such path or method,
    or cannot read the body's content coding.

    `target` is a path, with or without query, or an absolute URL. Cost: one parse of
    the body, and about 0.2 ms per signature.
    """
    return Judge(config).judge(target, body, method=method, headers=headers)


class Judge:
    """The same for many requests: keys and kept answers are looked up once."""

    def __init__(self, config: SimConfig) -> None:
        self._config = config
        self._keyring = Keyring(config)
        self._shelf = KeptAnswers(config.stored)

    def judge(
        self,
        target: str,
        body: bytes,
        *,
        method: str = "POST",
        headers: tuple[tuple[str, str], ...] = (),
        is_verdict: bool = False,
    ) -> Judgement | None:
        """As the function of this name. `is_verdict`: only whether and why it is
        refused is told, of the signatures and what goes upstream nothing; for who asks
        thousands of times, it is half the cost."""
        incoming = Incoming.build(method, target, headers, body)
        try:
            incoming = without_codings(incoming)
        except BadCodingError:
            return None  # it is answered, but not in the words of a service
        route = find_route(incoming.path, self._config.dialect)
        if route is None or route.method != incoming.method:
            return None
        case = examine(
            route,
            incoming,
            self._config,
            self._keyring,
            self._shelf,
            is_verdict=is_verdict,
        )
        return case.judgement if case else None


def examine(
    route: Route,
    incoming: Incoming,
    config: SimConfig,
    keyring: Keyring,
    shelf: KeptAnswers,
    *,
    is_verdict: bool = False,
) -> JudgedRequest | None:
    """Judge by the service of the route; None for what is no model request."""
    if route.service is None or route.page is not None or route.shows is not None:
        return None
    inquiry = Inquiry(
        route=route,
        incoming=incoming,
        config=config,
        keyring=keyring,
        shelf=shelf,
        is_verdict=is_verdict,
    )
    return route.service.examine(inquiry)
