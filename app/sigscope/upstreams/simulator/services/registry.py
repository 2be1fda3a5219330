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


def known_paths() -> tuple[str, ...]:
    """For the user who asked for another one."""
    asked = [path for service in SERVICES for path in service.paths]
    return (*asked, *(service.models_path for service in SERVICES), LOG)


def find_route(path: str, pinned: str) -> Route | None:
    """The route of a path, or None.

    With `any` a path must be a service's own; a pinned service is asked by the end of
    the path, and after it those of the same provider.
    """
    if service := named(pinned):
        same = (one for one in SERVICES if one.provider == service.provider)
        meant = (service, *(same if service.provider else ()))
        found = (one.route(path, is_pinned=True) for one in meant)
        return next((route for route in found if route), None)
    routes = (service.route(path, is_pinned=False) for service in SERVICES)
    return next((route for route in routes if route), None)
