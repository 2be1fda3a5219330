"""Whether an input met a fault: an exception that is no `SigscopeError`, a broken
promise, more than a second of CPU per megabyte, memory out of proportion."""

from __future__ import annotations

import resource
import signal
import time
import traceback
from collections.abc import Callable, Hashable
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from types import FrameType

from sigscope.errors import SigscopeError

SECONDS = 1.0
"""CPU time that an input may take, and each megabyte of it."""
HANGS = 10.0
"""CPU seconds after which an input is given up."""
MEMORY = 300 * 1024
"""KiB by which the process may grow over one input, and over each megabyte of it."""


class Hang(BaseException):
    """The input was given up."""


@dataclass(kw_only=True)
class Fault:
    """One cause, with the shortest input that showed it."""

    kind: str
    """ "crash", "slow", "hang" or "memory"."""
    told: str
    data: bytes
    count: int = 1


@dataclass(kw_only=True)
class Judge:
    """Runs inputs, keeps the faults by cause."""

    run: Callable[[bytes], Hashable]
    slack: float = 1.0
    """How much longer everything may take: passes, coverage that is counted."""
    inputs: int = 0
    refused: int = 0
    """Inputs that ended in a `SigscopeError`, as broken ones should."""
    slowest: float = 0.0
    faults: dict[str, Fault] = field(default_factory=dict)

    def try_input(self, data: bytes) -> Hashable:
        """Run one input; what came of it, for the search. Never raises."""
        self.inputs += 1
        room = max(1.0, len(data) / 2**20)
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        began = time.process_time()
        outcome: Hashable = None
        signal.setitimer(signal.ITIMER_VIRTUAL, HANGS * self.slack * room)
        try:
            outcome = self.run(data)
        except SigscopeError as error:
            self.refused += 1
            outcome = (type(error).__name__, str(error)[:24])
        except Hang as error:
            outcome = self._note("hang", place(error), data)
        except Exception as error:  # noqa: BLE001 - this is what we are here for
            told = f"{type(error).__name__} {place(error)}: {str(error)[:160]}"
            key = f"{type(error).__name__} {place(error)}"
            outcome = self._note("crash", told, data, key)
        finally:
            signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        spent = time.process_time() - began
        self.slowest = max(self.slowest, spent / room)
        if spent > SECONDS * self.slack * room:
            self._note("slow", f"{spent:.1f} s for {len(data)} bytes", data, "slow")
        grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
        if grown > MEMORY * room:
            self._note("memory", f"{grown / 1024:.0f} MiB more", data, "memory")
        return outcome

    def _note(self, kind: str, told: str, data: bytes, key: str = "") -> str:
        key = key or f"{kind} {told}"
        known = self.faults.get(key)
        if known is None:
            self.faults[key] = Fault(kind=kind, told=told, data=data)
        else:
            known.count += 1
            if len(data) < len(known.data):
                known.data, known.told = data, told
        return key

    def keep(self, folder: Path, name: str) -> None:
        """Write each fault's input down, to be tried again."""
        folder.mkdir(parents=True, exist_ok=True)
        for number, fault in enumerate(self.faults.values(), start=1):
            (folder / f"{name}-{number}-{fault.kind}").write_bytes(fault.data)


def place(error: BaseException) -> str:
    """Where it was raised, and the innermost line of ours: "scan.py:120"."""
    frames = traceback.extract_tb(error.__traceback__)
    ours = [each for each in frames if "/sigscope/" in each.filename] or frames[-1:]
    names = [f"{Path(each.filename).name}:{each.lineno}" for each in ours[-2:]]
    return " < ".join(reversed(names))


def give_up(number: int, frame: FrameType | None) -> None:
    """The handler of the timer."""
    raise Hang(f"in {frame.f_code.co_name if frame else '?'}")


def arm() -> None:
    """Let hanging inputs be given up in this process."""
    with suppress(ValueError):  # not in the main thread: nothing can be given up there
        signal.signal(signal.SIGVTALRM, give_up)
