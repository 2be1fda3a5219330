"""One target, steered by coverage: libFuzzer's search with our mutations.

    python -m tests.fuzz.guided TARGET INPUTS SECONDS SEED FOLDER

Needs atheris (github.com/google/atheris), which has to see our modules before anything
imports them; so this is a process of its own. Its last line is the row of the campaign.
"""

from __future__ import annotations

import json
import os
import sys
import time
from pathlib import Path
from typing import NoReturn

import atheris  # type: ignore[import-not-found,unused-ignore]

with atheris.instrument_imports(include=["sigscope"]):
    from tests.fuzz.campaign import row_of
    from tests.fuzz.judge import Judge, arm
    from tests.fuzz.mutator import LARGEST, Mutator
    from tests.fuzz.targets import TARGETS, clear

SLACK = 10.0
"""How much slower instrumented code may be."""
STUCK = 1200
"""Seconds of the clock after which libFuzzer ends a process that one input occupies.
The judge counts CPU and gives up far sooner; with 0 a second would be enough on a busy
machine, before the first input too."""


def main(name: str, inputs: int, seconds: float, seed: int, keep: Path) -> None:
    target = next(each for each in TARGETS if each.name == name)
    judge = Judge(run=target.run, slack=SLACK * target.passes)
    pool = target.seeds()
    mutator = Mutator(seed, pool)
    arm()
    began = time.monotonic()
    with atheris.instrument_imports(include=["sigscope"]):
        for data in pool:  # what is imported late is imported now
            judge.try_input(data)

    def tell() -> NoReturn:
        """libFuzzer ends a process without a word; so we do it first."""
        judge.keep(keep, f"{target.name}-guided")
        row = row_of(target, judge, time.monotonic() - began, guided=True)
        clear()
        print("\n" + json.dumps(row), flush=True)
        os._exit(0)

    def try_one(data: bytes) -> None:
        judge.try_input(data)
        if judge.inputs >= inputs or time.monotonic() - began > seconds:
            tell()

    def mutate(data: bytes, most: int, seed: int) -> bytes:
        if seed % 4 == 0:
            plain: bytes = atheris.Mutate(data, most)
            return plain
        return mutator.mutated(data)[:most]

    folder = keep / "seeds" / target.name
    folder.mkdir(parents=True, exist_ok=True)
    for number, data in enumerate(pool):
        (folder / str(number)).write_bytes(data)
    options = [
        *(sys.argv[0], str(folder), f"-max_len={LARGEST}", f"-seed={seed}"),
        *("-rss_limit_mb=0", f"-timeout={STUCK}", "-len_control=0", "-verbosity=0"),
    ]
    atheris.Setup(options, try_one, custom_mutator=mutate)
    atheris.Fuzz()


if __name__ == "__main__":
    main(
        sys.argv[1],
        int(sys.argv[2]),
        float(sys.argv[3]),
        int(sys.argv[4]),
        Path(sys.argv[5]),
    )
