"""Send a step again with edits, and say whether the error is gone.

  sigscope replay FILE --step 2                          reproduce it in the simulator
  sigscope replay FILE --step 2 --apply-fix CPC-1        with the fix of a finding
  sigscope replay FILE --step 2 --apply-fix all --confirm 5
  sigscope replay FILE --step 2 --run 3 --confirm 5       what run 3 had changed
  sigscope replay FILE --step 2 --edit 'set /messages/2/content null'
  sigscope replay FILE --step 2 --ready copilot.final-fix
  sigscope replay FILE --step 2 --to https://api.example.com --key-env MY_KEY

--confirm N goes on for N turns after a run that was accepted, with the simulator: the
fix is made in every later request of a client that makes the recorded mistake again,
streamed and whole, with single, parallel and sequential calls.

Exit code 0 if the request was accepted (or, without edits, the recorded outcome came
again), 1 if not (with --confirm: if it breaks again, or that is unclear), 3 if no
answer came. The run is appended to the session.
"""

from __future__ import annotations

import argparse
import asyncio
from typing import Any

from sigscope.cli.console import Console
from sigscope.cli.interruption import run_async
from sigscope.cli.options import (
    add_edits,
    add_file,
    add_json,
    add_sending,
    add_step,
    add_target,
)

HELP = "resend a step with edits; predicted and actual status, verdict"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """FILE, --step, the edits, the target."""
    add_file(parser)
    add_step(parser, is_chosen=True)
    _add_edits(parser.add_argument_group("edits"))
    where = parser.add_argument_group("target")
    add_target(where)
    _add_sending(where)
    add_json(parser, ": one for each run, one for --confirm")


def _add_edits(edits: argparse._ArgumentGroup) -> None:
    add_edits(edits)
    edits.add_argument(
        "--run",
        type=int,
        metavar="N",
        help="edit the request of this run instead of the step's",
    )


def _add_sending(where: argparse._ArgumentGroup) -> None:
    add_sending(where)
    where.add_argument(
        "--repeat",
        type=int,
        default=1,
        metavar="N",
        help="send it N times: some answers are flaky",
    )
    where.add_argument(
        "--confirm",
        type=int,
        metavar="N",
        help="after an accepted run: does the fix hold over N turns, in six shapes?",
    )
    where.add_argument(
        "--dry-run",
        action="store_true",
        help="predict only; send nothing, keep nothing",
    )


def run(args: argparse.Namespace, console: Console) -> int:
    """Send and print; 1 if the verdict is against the edits."""
    from sigscope.cli.configured import configure
    from sigscope.cli.confirmations import check_confirm, print_confirmation
    from sigscope.cli.documents import choose_step, open_document
    from sigscope.cli.edits import (
        collect_edits,
        list_ready,
        title_of,
        warn_of_the_uncured,
    )
    from sigscope.cli.targets import choose_target, confirm, with_token
    from sigscope.cli.unkept import rescued
    from sigscope.engine.engine import Engine
    from sigscope.engine.sending.sender import Order
    from sigscope.errors import UsageError

    configure(args, console)
    document = open_document(args, console)
    choose_step(args, document, console)
    if args.ready == ["list"]:
        list_ready(document, args.step, console)
        return 0
    if args.repeat < 1:
        raise UsageError("--repeat takes a positive number")
    order = Order(
        step=args.step,
        edits=collect_edits(document, args),
        parent=args.run,
        title=title_of(document, args),
    )
    check_confirm(args, order.edits)
    warn_of_the_uncured(document, args, console)
    target, profile = choose_target(args, has_key=not args.dry_run)
    engine = Engine()
    if args.dry_run:
        return _predict(engine, document, order, target, args, console)
    confirm(target, f"step {args.step}", args, console)
    target = with_token(target, profile)
    code = 0
    for _ in range(args.repeat):
        sent = _send(engine, document, order, target, args, console)
        with rescued(document, target, console):
            code = max(code, run_async(sent))
    if args.confirm is None:
        return code
    if code:
        console.talk("the run was not accepted: nothing to confirm over turns")
        return code
    return print_confirmation(document, order, args, target, console)


def _predict(
    engine: Any,
    document: Any,
    order: Any,
    target: Any,
    args: argparse.Namespace,
    console: Console,
) -> int:
    from sigscope.cli.runs import rules_row

    judgement = engine.predict(document, order, target.simulator)
    voice = engine.rules_voice(document, order)
    is_accepted = judgement is not None and judgement.status < 400
    doubt = engine.doubt_of(document, order.step, target.simulator, order.edits)
    doubt = doubt if is_accepted else ""
    table = {
        "format": 1,
        "run": None,
        "predicted": judgement.status if judgement else None,
        "rule": judgement.rule or None if judgement else None,
        "error": judgement.error if judgement else None,
        "rules": rules_row(voice),
        "doubt": doubt or None,
    }
    if args.json:
        console.json(table)
    elif judgement is None:
        console.data(
            "no prediction: the simulator does not know this service. If the step"
            " speaks a known dialect, say so with --dialect NAME; else ask the service"
            " with --to URL"
        )
    else:
        console.data(f"predicted {judgement.status}  {judgement.error or ''}".rstrip())
    status = judgement.status if judgement else None
    if not args.json and voice and (status is None or voice.differs_from(status)):
        console.data(f"the rules on their own: {voice.words}")
    if doubt and not args.json:
        console.data(f"which tells nothing: {doubt}")
    return 0 if judgement is None or (is_accepted and not doubt) else 1


async def _send(
    engine: Any,
    document: Any,
    order: Any,
    target: Any,
    args: argparse.Namespace,
    console: Console,
) -> int:
    from dataclasses import replace

    from sigscope.cli.keymask import KeyMask
    from sigscope.cli.runs import outcome_code, print_run, run_row
    from sigscope.engine.engine import pause_after
    from sigscope.engine.sending.sender import is_worth_repeating
    from sigscope.errors import InputError
    from sigscope.runs import Run
    from sigscope.upstreams.target import without_password

    code = 0
    known = len(document.runs)

    mask = KeyMask(document)

    def show(run: Run) -> None:
        run = replace(
            run, reason=mask.text(run.reason), error=mask.text(run.error or "") or None
        )
        if args.json:
            console.json(run_row(run))
        else:
            print_run(run, document, console)

    if target.is_live:
        console.talk(f"sending step {order.step} to {without_password(target.url)} …")
    try:
        async for item in engine.replay(document, order, target):
            if isinstance(item, Run):
                known = len(document.runs)
                show(item)
                code = outcome_code(item, document)
                if not is_worth_repeating(item):
                    continue
                if target.is_live and item.attempt <= target.retries:
                    console.talk(
                        f"trying again in {pause_after(item.attempt):g} s"
                        f" ({target.retries - item.attempt + 1} left; --retries 0 for"
                        " none)"
                    )
    except (asyncio.CancelledError, InputError):
        # Interrupted, or not kept: what came is told all the same.
        for run in document.runs[known:]:
            show(run)
        raise
    return code
