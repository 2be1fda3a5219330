"""List the services that requests can be sent to, and check them without spending.

  sigscope profiles                    names, addresses, whether the key is set
  sigscope profiles check copilot      key, its exchange, and an answer that is free
  sigscope profiles check --offline    the keys alone

Your own stand in profiles.toml of the config folder (`sigscope doctor` names it):

  [work]
  url = "https://llm.example.com/v1/chat/completions"
  dialect = "NAME"
  key_env = "WORK_LLM_KEY"
  headers = { x-team = "editors" }

NAME is what --dialect takes. Keys come from the environment when something is
sent, and are written nowhere.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import TYPE_CHECKING

from sigscope.cli.console import Console
from sigscope.cli.interruption import run_async
from sigscope.cli.options import add_json

if TYPE_CHECKING:
    from sigscope.engine.settings.profiles import Profile

HELP = "list and check the services that requests can be sent to"
_STYLES = {"fine": "good", "wrong": "bad", "unknown": "warn"}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """ACTION (list or check), NAME, --offline, --json."""
    parser.add_argument(
        "action",
        nargs="?",
        default="list",
        choices=("list", "check"),
        metavar="ACTION",
        help="list (the default) or check",
    )
    parser.add_argument("names", metavar="NAME", nargs="*", help="only these")
    parser.add_argument(
        "--offline", action="store_true", help="check without sending anything"
    )
    add_json(parser)


def run(args: argparse.Namespace, console: Console) -> int:
    """List, or check; 1 if something that was checked is wrong."""
    from sigscope.cli.keymask import mask_data
    from sigscope.engine.settings.profiles import find_profile, load_profiles
    from sigscope.store.secrets.masker import mask_text

    profiles = [find_profile(name) for name in args.names] or [
        *load_profiles().values()
    ]
    if args.action == "check":
        return run_async(_check(profiles, args, console))
    if args.json:
        listed = mask_data([each.row() for each in profiles], ())
        console.json({"format": 1, "profiles": listed})
        return 0
    width = max(len(each.name) for each in profiles)
    speech = max(len(each.dialect or "") for each in profiles)
    for each in profiles:
        state = "set" if each.key else "not set"
        named = mask_text(each.key_env or "")[0]  # a key that is there in its place
        key = f"{named} {state}" if named else "no key"
        console.data(
            f"{console.style(f'{each.name:{width}}', 'bold')}"
            f"  {each.dialect or '':{speech}}  {key:28}  {each.shown_url}"
        )
        if each.source != "shipped":
            console.data(f"{'':{width}}  from {each.source}")
    return 0


async def _check(
    profiles: Sequence[Profile], args: argparse.Namespace, console: Console
) -> int:
    from sigscope.cli.keymask import mask_data
    from sigscope.engine.sending.reachability import knock

    code = 0
    rows = []
    for profile in profiles:
        answers = await knock(profile, offline=args.offline)
        is_wrong = any(answer.outcome == "wrong" for answer in answers)
        code = max(code, int(is_wrong))
        texts = mask_data([answer.text for answer in answers], ())
        rows.append(
            {
                "name": profile.name,
                "answers": [
                    {"what": a.what, "outcome": a.outcome, "text": text}
                    for a, text in zip(answers, texts, strict=True)
                ],
            }
        )
        if args.json:
            continue
        console.data(console.style(profile.name, "bold"))
        for answer, text in zip(answers, texts, strict=True):
            outcome = console.style(f"{answer.outcome:7}", _STYLES[answer.outcome])
            console.data(f"  {answer.what:8} {outcome}  {text}")
    if args.json:
        console.json({"format": 1, "profiles": rows})
    return code
