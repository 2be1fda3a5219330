"""Which services the simulator imitates, and whom a path means."""

from __future__ import annotations

from sigscope import extensions
from sigscope.upstreams.simulator.families.base import Route, SimulatedService
from sigscope.upstreams.simulator.services import (
    anthropic,
    copilot_chat,
    deepseek,
    gemini,
    gemini_openai,
    litellm,
    openrouter,
    responses,
)

SERVICES: tuple[SimulatedService, ...] = (
    copilot_chat.SERVICE,
    openrouter.SERVICE,
    litellm.SERVICE,
    gemini.SERVICE,
    responses.SERVICE,
    anthropic.SERVICE,
    gemini_openai.SERVICE,
    deepseek.SERVICE,
    *extensions.stage("simulate", SimulatedService),  # type: ignore[type-abstract]
)
"""Where two have the same path, the first is meant unless the other is pinned."""

LOG = "/_sim/log"


def names() -> tuple[str, ...]:
    """What a simulator can be pinned to."""
    return tuple(service.name for service in SERVICES)


def named(name: str) -> SimulatedService | None:
    """The service of that name; None if there is none."""
    return next((service for service in SERVICES if service.name == name), None)


def known_paths(pinned: str = "any") -> tuple[str, ...]:
    """For the user who asked for another one: those of `find_route`, each once."""
    meant = _meant(pinned) or SERVICES
    asked = [path for service in meant for path in service.paths]
    listed = (service.models_path for service in meant)
    return tuple(dict.fromkeys((*asked, *listed, LOG)))


def _meant(pinned: str) -> tuple[SimulatedService, ...]:
    """A pinned service and those of the same provider; none where none is pinned."""
    service = named(pinned)
    if service is None:
        return ()
    same = (one for one in SERVICES if one.provider == service.provider)
    return (service, *(same if service.provider else ()))


def find_route(path: str, pinned: str) -> Route | None:
    """The route of a path, or None.

    With `any` a path must be a service's own; a pinned service is asked by the end of
    the path, and after it those of the same provider.
    """
    if meant := _meant(pinned):
        found = (one.route(path, is_pinned=True) for one in meant)
        return next((route for route in found if route), None)
    routes = (service.route(path, is_pinned=False) for service in SERVICES)
    return next((route for route in routes if route), None)
