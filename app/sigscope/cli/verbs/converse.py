"""Hold a conversation as a certain client does, against the simulator or a live API.

  sigscope converse --list                          the clients there are
  sigscope converse --policy zed-copilot-attempt-2 --out try.session.jsonl
  sigscope converse --dialect gemini --turns script.txt --out mine.session.jsonl
  sigscope converse --policy zoo-litellm-dummy --against zoo-litellm-per-call-echo
  sigscope converse --table --dialect gemini --markdown
  sigscope converse --from FILE --step 2 --apply-fix CPC-1 --out on.session.jsonl
  sigscope converse --policy my.toml --to https://openrouter.ai --key-env KEY --out f

A policy says what a client reads, keeps and sends back; your own is a TOML file, best
begun with `extends = "NAME"`. A script has one user turn a line (or is a JSON list, or
TOML with `turns`). --table holds each policy in six shapes (streamed or whole; single,
parallel, sequential calls): the turn and the rule it is first refused with, and the
turn from which reasoning fades. --from continues a recorded step: it is sent again,
with edits, and the policy writes what follows.
Exit code 1 if a request was refused, 3 if no answer came.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from sigscope.characters import printable
from sigscope.cli.console import Console
from sigscope.cli.interruption import run_async
from sigscope.cli.options import add_edits, add_json, add_step, add_target

HELP = "hold a conversation under a client's policy; compare two policies"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The policy, the script, the target, the output."""
    who = parser.add_argument_group("client")
    who.add_argument("--list", action="store_true", help="list the policies there are")
    who.add_argument(
        "--dialect", default="", metavar="NAME", help="API to speak (the policy's own)"
    )
    who.add_argument(
        "--policy",
        default="",
        metavar="NAME|FILE",
        help="the client (default: the faithful one of the dialect)",
    )
    who.add_argument(
        "--against",
        metavar="NAME|FILE",
        help="hold it under this policy too, and print both side by side",
    )
    who.add_argument(
        "--then",
        default="",
        metavar="NAME|FILE",
        help="after a refusal go on under this policy, as a mended client would",
    )
    what = parser.add_argument_group("conversation")
    what.add_argument(
        "--turns", metavar="FILE", help="what the user says (two turns if left out)"
    )
    what.add_argument("--model", default="", metavar="NAME", help="model to ask for")
    what.add_argument(
        "--seed", default="sigscope", help="drives ids, signatures and wording"
    )
    fork = parser.add_argument_group("continuing a recorded step")
    fork.add_argument(
        "--from",
        dest="file",
        metavar="FILE",
        help="a session or recording; the policy goes on from one of its steps",
    )
    add_step(parser, is_chosen=True)
    add_edits(fork)
    _add_table(parser.add_argument_group("table"))
    add_target(parser.add_argument_group("target"))
    out = parser.add_argument_group("output")
    out.add_argument("--out", metavar="FILE", help="session file to write")
    out.add_argument(
        "--force", action="store_true", help="replace FILE if it is there already"
    )
    add_json(parser)


def _add_table(table: argparse._ArgumentGroup) -> None:
    table.add_argument(
        "--table",
        action="store_true",
        help="policies × dialects × shapes: where each breaks first (simulator)",
    )
    table.add_argument(
        "--length",
        type=int,
        metavar="N",
        help="turns of each conversation, or of one that is continued (5)",
    )
    table.add_argument(
        "--markdown", action="store_true", help="print the table as Markdown"
    )


def run(args: argparse.Namespace, console: Console) -> int:
    """Hold it and tell; 1 if a request was refused."""
    from sigscope.cli.configured import configure
    from sigscope.cli.targets import confirm_paid
    from sigscope.engine.engine import Target
    from sigscope.errors import UsageError

    if args.list:
        return _list(args, console)
    configure(args, console)
    if args.table:
        from sigscope.cli.policytable import print_table

        return print_table(args, console)
    _refuse_options(args)
    if not args.file and not args.policy and not args.dialect:
        raise UsageError("give --policy or --dialect; --list shows the policies")
    if args.against and args.out:
        raise UsageError("--against compares, --out keeps one: give one of the two")
    if not args.timeout > 0:
        raise UsageError("--timeout takes a positive number")
    question = f"Hold this conversation with {args.to}?"
    confirm_paid(Target(url=args.to), question, args, console)
    names = [args.policy, *([args.against] if args.against else [])]
    held = [_hold(args, name, console) for name in names]
    if args.json:
        console.json(_table(held, args))
    elif args.against:
        _print_beside(held, console)
    else:
        holding, told = held[0]
        _print_steps(holding, told, console)
        if args.out:
            console.talk(f"written to {args.out}")
    for holding, _ in held:
        for turn in holding.given_up:
            console.talk(f"turn {turn} was given up: the model kept calling tools")
    return max(_code(holding) for holding, _ in held)


def _refuse_options(args: argparse.Namespace) -> None:
    """Those of another way of holding conversations."""
    from sigscope.errors import UsageError

    if args.markdown or (args.length is not None and not args.file):
        name = "--markdown" if args.markdown else "--length"
        raise UsageError(f"{name} belongs to --table")
    edits = (args.edit, args.apply_fix, args.ready, args.step)
    if any(edits) and not args.file:
        raise UsageError("--step and edits belong to --from FILE, which they are of")
    if args.file and (args.model or (args.turns and args.length is not None)):
        raise UsageError(
            "--from takes the recorded model, and --turns or --length, not both"
        )


def _hold(args: argparse.Namespace, policy: str, console: Console) -> Any:
    from dataclasses import replace

    from sigscope.cli.unkept import put_elsewhere
    from sigscope.engine.engine import Target, key_from
    from sigscope.engine.sending.conversations import (
        ConversationOrder,
        HeldConversation,
    )
    from sigscope.engine.sessions.story import retell
    from sigscope.errors import SigscopeError
    from sigscope.store.room import expect_new
    from sigscope.upstreams.simulator import SimConfig

    target = Target(
        url=args.to,
        key=key_from(args.key_env),
        timeout=args.timeout,
        simulator=SimConfig(enforce=args.enforce),
    )
    fork = _fork(args, console) if args.file else None
    order = ConversationOrder(
        policy=policy,
        dialect="" if fork else args.dialect,
        turns=_turns(args, fork),
        fork=fork,
        model=args.model,
        seed=args.seed,
        then=args.then,
        target=target,
    )
    holding = HeldConversation(order)
    out = Path(args.out) if args.out else None

    async def hold() -> None:
        async for taken in holding.steps(out, force=args.force):
            if target.is_live:
                console.talk(f"step {taken.step.number}: {taken.status or 'no answer'}")

    if out and target.is_live:
        expect_new(args.out)
    try:
        run_async(hold())
    except SigscopeError:
        if out and target.is_live and holding.session.steps:
            put_elsewhere(replace(holding.session, path=args.out), console)
        raise
    return holding, retell(holding)


def _fork(args: argparse.Namespace, console: Console) -> Any:
    """The step to go on from. Raises UsageError."""
    from sigscope.cli.documents import choose_step, open_document
    from sigscope.cli.edits import collect_edits, warn_of_the_uncured
    from sigscope.engine.sending.fork import Fork

    own = argparse.Namespace(**vars(args))
    own.dialect = [args.dialect] if args.dialect else []
    own.run = None
    document = open_document(own, console)
    choose_step(own, document, console)
    args.step = own.step
    warn_of_the_uncured(document, own, console)
    return Fork(document, args.step, collect_edits(document, own))


def _turns(args: argparse.Namespace, fork: Any) -> tuple[str, ...]:
    from sigscope.converse.shapes import TURNS
    from sigscope.converse.turns import DEFAULT, read_turns
    from sigscope.engine.sending.fork import LONGEST
    from sigscope.errors import UsageError

    if args.turns:
        return read_turns(Path(args.turns))
    if fork is None:
        return DEFAULT
    length = TURNS if args.length is None else args.length
    if not 1 <= length <= LONGEST:
        raise UsageError(f"--length takes 1 to {LONGEST} turns")
    turns: tuple[str, ...] = fork.turns(length)
    return turns


def _code(holding: Any) -> int:
    if not holding.taken or holding.taken[-1].status is None:
        return 3
    return 1 if any(taken.is_refused for taken in holding.taken) else 0


# --- Output --------------------------------------------------------------------------


def _list(args: argparse.Namespace, console: Console) -> int:
    """The user's own first, and those of packages."""
    from sigscope.converse.loader import added_policies, load_added, shipped_policies
    from sigscope.tomlfile import shortened

    own, problems = load_added()
    files = added_policies()
    for problem in problems:
        console.talk(problem)
    policies = [
        policy
        for policy in (*own, *shipped_policies())
        if args.dialect in ("", *policy.dialects)
    ]
    if args.json:
        rows = [
            {
                "name": policy.name,
                "about": policy.about,
                "dialects": list(policy.dialects),
                "source": policy.source,
                "file": str(files[policy.name]) if policy.name in files else None,
            }
            for policy in policies
        ]
        console.json({"format": 1, "policies": rows})
        return 0
    width = max((len(policy.name) for policy in policies), default=0)
    for policy in policies:
        file = files.get(policy.name)
        whose = f" (own: {printable(shortened(file))})" if file else ""
        name = console.style(f"{policy.name:{width}}", "bold")
        console.data(f"{name}  {policy.about}{whose}")
    return 0


def _table(held: list[Any], args: argparse.Namespace) -> dict[str, Any]:
    from sigscope.engine.sessions.story import FORMAT, by_turn

    conversations = [
        {
            "policy": holding.policy.name,
            "dialect": holding.client.dialect,
            "model": holding.client.model,
            "refused": any(taken.is_refused for taken in holding.taken),
            "steps": [one.row() for one in told],
            "turns": [turn.row() for turn in by_turn(told)],
        }
        for holding, told in held
    ]
    return {"format": FORMAT, "out": args.out, "conversations": conversations}


def _print_steps(holding: Any, told: Any, console: Console) -> None:
    client = holding.client
    console.data(
        f"{console.style(holding.policy.name, 'bold')}: {holding.policy.about}"
    )
    console.data(f"{client.dialect}, {client.model}")
    console.data("step  turn  status     time  thoughts   text")
    for one in told:
        taken = one.taken
        turn = "side" if taken.is_title else f"{taken.turn}.{taken.round}"
        status = f"{taken.status or '—':>6}"
        seconds = (taken.step.exchange.duration_ms or 0) / 1000
        status = console.style(status, "bad" if taken.is_refused else "good")
        console.data(
            f"{taken.step.number:>4}  {turn:>4}  {status}  {seconds:>5.1f} s"
            f"  {one.reasoning_chars:>8}  {one.text_chars:>5}  {_words(one, console)}"
        )
        if one.error:
            console.data(f"      {console.style(printable(one.error), 'bad')}")


def _words(one: Any, console: Console) -> str:
    """Calls, signatures, fates: "read_file · received 9f3a21 · 2 exact"."""
    from sigscope.ledger.records import LOST

    parts = [", ".join(one.calls)] if one.calls else []
    if one.received:
        parts.append("received " + ", ".join(s.id for s in one.received))
    counts: dict[str, int] = {}
    for signature, fate in one.fates:
        if fate.is_lost:
            parts.append(console.style(f"{signature.id} {fate.fate}", "bad"))
        else:
            words = f"{fate.fate} (not required)" if fate.fate in LOST else fate.fate
            counts[words] = counts.get(words, 0) + 1
    parts += [f"{count} {fate}" for fate, count in counts.items()]
    return " · ".join(parts)


def _print_beside(held: list[Any], console: Console) -> None:
    """One line a turn, a column a policy."""
    from sigscope.engine.sessions.story import by_turn

    columns = [{turn.number: turn for turn in by_turn(told)} for _, told in held]
    names = [holding.policy.name for holding, _ in held]
    cells = [
        [_cell(column.get(n)) for column in columns]
        for n in sorted({n for column in columns for n in column})
    ]
    width = max(len(text) for text in (names[0], *(row[0] for row in cells)))
    console.data(f"turn  {names[0]:{width}}  {names[1]}")
    for number, (left, right) in enumerate(cells, start=1):
        console.data(f"{number:>4}  {left:{width}}  {right}")
    for (_, told), name in zip(held, names, strict=True):
        for error in (one.error for one in told if one.error):
            console.data(f"{name}: {console.style(printable(error), 'bad')}")


def _cell(turn: Any) -> str:
    if turn is None:
        return "not reached"
    statuses = " ".join(str(status or "—") for status in turn.statuses)
    share = "" if turn.share is None else f" {turn.share:4.0%} thought"
    lost = f", {len(turn.lost)} lost" if turn.lost else ""
    return (
        f"{statuses:11} thoughts {turn.reasoning_chars:>5} text {turn.text_chars:>5}"
        f"{share}{lost}"
    )
