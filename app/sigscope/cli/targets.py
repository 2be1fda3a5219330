"""Where requests go, from the command line: the simulator, a URL, a profile."""

from __future__ import annotations

import argparse
import sys
from dataclasses import replace

from sigscope.cli.console import Console
from sigscope.cli.interruption import run_async
from sigscope.engine.engine import Target, key_from
from sigscope.engine.sending.reachability import exchange_key
from sigscope.engine.settings.profiles import Profile, find_profile
from sigscope.errors import UsageError
from sigscope.upstreams.simulator import SimConfig


def choose_target(
    args: argparse.Namespace, *, has_key: bool = True
) -> tuple[Target, Profile | None]:
    """What --to or --profile and the others say. Raises UsageError."""
    if args.retries < 0 or not args.timeout > 0:
        raise UsageError("--retries and --timeout take positive numbers")
    profile = find_profile(args.profile) if args.profile else None
    if profile is not None:
        args.to, args.key_env = profile.url, args.key_env or profile.key_env or None
    target = Target(
        url=args.to,
        key=key_from(args.key_env) if has_key else None,
        key_header=profile.key_header if profile else "",
        headers=profile.headers if profile else (),
        timeout=args.timeout,
        simulator=SimConfig(enforce=args.enforce),
        retries=args.retries,
    )
    return target, profile


def with_token(target: Target, profile: Profile | None) -> Target:
    """The target with the key that a profile's token service gives for the user's."""
    if profile is None or not profile.token_url:
        return target
    key, _ = run_async(exchange_key(profile))
    return replace(target, key=key)


def confirm(
    target: Target, what: str, args: argparse.Namespace, console: Console
) -> None:
    """Ask once before `what` is sent away from this machine. Raises UsageError for
    no."""
    confirm_paid(target, f"Send {what} to {args.to}?", args, console)


def confirm_paid(
    target: Target, question: str, args: argparse.Namespace, console: Console
) -> None:
    """The same in other words."""
    if target.is_loopback or args.yes:
        return
    if not sys.stdin.isatty():
        raise UsageError(
            f"sending to {args.to} may cost money; give --yes to send without asking"
        )
    console.talk(f"{question} It may cost money. [y/N]")
    if sys.stdin.readline().strip().lower() not in ("y", "yes"):
        raise UsageError("not sent")
