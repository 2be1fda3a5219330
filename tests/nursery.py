"""Python processes that need not start: forks of one that has the program imported.

A process of the program takes 0.3 s of CPU to import what it needs, one with screens
twice that. `Nursed` is a `subprocess.Popen` whose `python -m sigscope` is made by a
nursery, one for each worker: a process that imported the program, and nothing of pytest
and our other tests, and has no thread. Whoever asks for one gets a child of his own,
with a pid, streams, signals and an exit code as any.

Where its start is the point, and on systems but Linux, it is one that starts.
"""

from __future__ import annotations

import atexit
import ctypes
import fcntl
import gc
import importlib
import inspect
import io
import json
import os
import pkgutil
import random
import resource
import runpy
import signal
import socket
import subprocess
import sys
import threading
import time
import traceback
import warnings
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, NoReturn

ROOT = Path(__file__).parents[1]
PATHS = (str(ROOT / "app"), str(ROOT))
IS_POSSIBLE = sys.platform == "linux"
MODULE = "sigscope"
LEFT_OUT = ("sigscope.tui", "sigscope.testkit", "sigscope.cli.mcp")
"""Not imported before it is wanted: dear, and few want it."""
WHEN_WANTED = {"mcp": "sigscope.cli.mcp.server"}
"""By verb, what is dear besides."""
_SUBREAPER = 36
"""PR_SET_CHILD_SUBREAPER of prctl(2): orphans of ours become our children."""
_MOST_FDS = 64
_PYTHON = sys.executable
_popen = subprocess.Popen


class Nursed(_popen):  # type: ignore[type-arg, misc]
    """A `Popen` that starts no Python to run a module of the program with."""

    _can_start = IS_POSSIBLE

    def __init__(self, *args: Any, file_size: int | None = None, **options: Any):
        """As a `Popen`. `file_size`: no file that it writes gets longer."""
        self._file_size = file_size
        if file_size is not None and not IS_POSSIBLE:
            options["preexec_fn"] = partial(_limit, file_size)
        super().__init__(*args, **options)

    def _execute_child(self, *args: Any) -> None:
        of = inspect.signature(_popen._execute_child).bind(self, *args).arguments
        words = [] if isinstance(of["args"], (str, bytes)) else list(of["args"])
        words = list(map(os.fspath, words))
        if not (self._can_start and _is_ours(words, of)):
            super()._execute_child(*args)
            return
        fds = [of["p2cread"], of["c2pwrite"], of["errwrite"]]
        streams = [own if fd == -1 else fd for own, fd in enumerate(fds)]
        kept = [int(fd) for fd in of["pass_fds"]]
        order = {
            "words": words[1:],
            "env": dict(os.environ if of["env"] is None else of["env"]),
            "cwd": os.fspath(of["cwd"] or os.getcwd()),
            "own_session": bool(of["start_new_session"]),
            "group": of["process_group"],
            "file_size": self._file_size,
            "kept": kept,
        }
        try:
            self.pid = self._start(order, [*streams, *kept])
            self._child_created = True
        finally:
            self._close_pipe_fds(
                *(of[name] for name in ("p2cread", "p2cwrite", "c2pread", "c2pwrite")),
                *(of[name] for name in ("errread", "errwrite")),
            )

    def _start(self, order: Mapping[str, Any], fds: Sequence[int]) -> int:
        return nursery().start(order, fds)


class Forked(Nursed):
    """The same, of this very process, with what a test has put in its place here."""

    def _start(self, order: Mapping[str, Any], fds: Sequence[int]) -> int:
        with warnings.catch_warnings():  # of the threads that are not in the child
            warnings.simplefilter("ignore", DeprecationWarning)
            is_set, sets = os.pipe()
            pid = os.fork()
        if pid == 0:
            _become(order, list(map(os.dup, fds)), lambda: os.write(sets, b"!"))
        os.close(sets)
        with open(is_set, "rb") as file:
            file.read(1)
        return pid


class _Alone(Forked):
    """For who was nursed himself: as long as he has no threads."""

    @property
    def _can_start(self) -> bool:
        return threading.active_count() == 1


def _is_ours(words: list[str], of: Mapping[str, Any]) -> bool:
    """Whether it is `python [-P] -m sigscope...`, and nothing that a Python is told at
    its start is other than here."""
    if words[:1] != [_PYTHON] or of["preexec_fn"] or of["shell"]:
        return False
    if _told(os.environ if of["env"] is None else of["env"]) != _TOLD:
        return False
    rest = words[2:] if words[1:2] == ["-P"] else words[1:]
    return rest[:1] == ["-m"] and rest[1].partition(".")[0] == MODULE


def _told(env: Mapping[str, str]) -> dict[str, str]:
    return {
        name: value
        for name, value in env.items()
        if name.startswith("PYTHON") and name != "PYTHONPATH"
    }


_TOLD = _told(os.environ)


class Nursery:
    """The process that the others are forks of, seen from outside."""

    def __init__(self) -> None:
        self._socket, theirs = socket.socketpair()
        self._lock = threading.Lock()
        self._made_by = os.getpid()
        with theirs:
            theirs.set_inheritable(True)
            words = [_PYTHON, "-P", "-m", "tests.nursery", str(theirs.fileno())]
            variables = {**os.environ, **_TOLD, "TERM": "xterm-256color"}
            variables["PYTHONPATH"] = os.pathsep.join(PATHS)
            for name in _told(variables).keys() - _TOLD.keys():
                del variables[name]
            os.posix_spawn(_PYTHON, words, variables)

    def close(self) -> None:
        """It ends."""
        self._socket.close()

    @property
    def is_ours(self) -> bool:
        return self._made_by == os.getpid()

    def start(self, order: Mapping[str, Any], fds: Sequence[int]) -> int:
        """The pid of a child of this process. Between its birth and its adoption no
        other thread's orphan may come, or it would be ours to wait for."""
        text = json.dumps(order).encode("ascii")
        with self._lock:
            _set_subreaper(True)
            try:
                socket.send_fds(self._socket, [len(text).to_bytes(4, "big")], fds)
                self._socket.sendall(text)
                pid = int.from_bytes(self._read(4), "big")
                self._read(1)
            finally:
                _set_subreaper(False)
        return pid

    def _read(self, size: int) -> bytes:
        data = self._socket.recv(size, socket.MSG_WAITALL)
        if len(data) < size:
            raise OSError("the nursery has ended")
        return data


_NURSERIES: list[Nursery] = []
_MAKING = threading.Lock()


def nursery() -> Nursery:
    """That of this process; made when it is first asked for."""
    with _MAKING:
        if not _NURSERIES or not _NURSERIES[-1].is_ours:
            _NURSERIES.append(Nursery())
        return _NURSERIES[-1]


def close() -> None:
    """That of this process, if it was made, ends."""
    while _NURSERIES:
        _NURSERIES.pop().close()


def start_on(
    fd: int, words: Sequence[str], env: Mapping[str, str], *, ignores_hangup: bool
) -> int:
    """The pid of a process whose terminal this is: its session and its streams."""
    order = {
        "words": list(words[1:]),
        "env": dict(env),
        "cwd": os.getcwd(),
        "own_session": True,
        "terminal": True,
        "ignores_hangup": ignores_hangup,
        "group": -1,
        "kept": [],
    }
    return nursery().start(order, [fd, fd, fd])


def _set_subreaper(is_one: bool) -> None:
    ctypes.CDLL(None).prctl(_SUBREAPER, int(is_one), 0, 0, 0)


def serve(fd: int) -> None:
    """Fork until the other side is gone."""
    _prepare()
    with socket.socket(fileno=fd) as there:
        while True:
            head, fds, _, _ = socket.recv_fds(there, 4, _MOST_FDS)
            if not head:
                return
            size = int.from_bytes(head, "big")
            order = json.loads(there.recv(size, socket.MSG_WAITALL))
            if order.get("terminal"):
                _import_all("sigscope.tui")
            for verb in order["words"][2:3]:
                if verb in WHEN_WANTED:
                    importlib.import_module(WHEN_WANTED[verb])
            between = os.fork()
            if between == 0:
                between = os.getpid()
                pid = os.fork()
                if pid == 0:
                    while os.getppid() == between:  # programs look who theirs is
                        time.sleep(0.0002)
                    _become(order, fds, lambda: there.sendall(b"!"))
                there.sendall(pid.to_bytes(4, "big"))
                os._exit(0)  # which leaves it to the one outside
            os.waitpid(between, 0)
            for each in fds:
                os.close(each)


def _prepare() -> None:
    _import_all(MODULE)
    for name in ("uvicorn", "httpx", "h11", "uvicorn.protocols.http.h11_impl"):
        importlib.import_module(name)
    gc.collect()
    gc.freeze()


def _import_all(package: str) -> None:
    """All modules below it that are not there yet."""
    above = importlib.import_module(package)
    for found in pkgutil.iter_modules(above.__path__, f"{package}."):
        name = found.name
        if name in LEFT_OUT or name.rpartition(".")[2] == "__main__":
            continue
        if found.ispkg:
            _import_all(name)
        else:
            importlib.import_module(name)


def _become(
    order: Mapping[str, Any], fds: list[int], tell: Callable[[], object]
) -> NoReturn:
    """What the order says, until it ends. Tells once a signal would meet it as one that
    was just started."""
    code = 1
    try:
        signal.set_wakeup_fd(-1)
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, signal.SIG_DFL)
        if order.get("ignores_hangup"):
            signal.signal(signal.SIGHUP, signal.SIG_IGN)
        if order["own_session"]:
            os.setsid()
        if order["group"] >= 0:
            os.setpgid(0, order["group"])
        tell()
        _take(fds, (0, 1, 2, *order["kept"]))
        if order.get("terminal"):
            import termios

            fcntl.ioctl(0, termios.TIOCSCTTY, 0)
        _begin(order)
        code = _run(list(order["words"]))
    except BaseException:  # noqa: BLE001 - it has no one above it
        traceback.print_exc()
    finally:
        os._exit(code)


def _take(fds: Sequence[int], numbers: Sequence[int]) -> None:
    """Has these files at these numbers, and no others."""
    above = max((*fds, *numbers)) + 1
    high = [fcntl.fcntl(fd, fcntl.F_DUPFD, above) for fd in fds]
    for fd, number in zip(high, numbers, strict=True):
        os.dup2(fd, number, inheritable=number < 3)
    below = 3
    for number in sorted(numbers[3:]):
        os.closerange(below, number)
        below = number + 1
    os.closerange(below, os.sysconf("SC_OPEN_MAX"))


def _begin(order: Mapping[str, Any]) -> None:
    """As a Python that was just started."""
    os.chdir(order["cwd"])
    os.environ.clear()
    os.environ.update(order["env"])
    paths = order["env"].get("PYTHONPATH", "").split(os.pathsep)
    sys.path[:0] = [path for path in paths if path and path not in sys.path]
    random.seed()
    if (size := order.get("file_size")) is not None:
        _limit(size)
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        raw = open(number, "wb" if number else "rb", closefd=False)  # noqa: SIM115
        stream = io.TextIOWrapper(
            raw,
            encoding="utf-8",
            errors="backslashreplace" if number == 2 else "strict",
            line_buffering=number == 2 or os.isatty(number),
        )
        setattr(sys, name, stream)
        setattr(sys, f"__{name}__", stream)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    subprocess.Popen = _Alone  # type: ignore[misc]


def _limit(size: int) -> None:
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))


def _run(words: list[str]) -> int:
    if words[0] == "-P":
        del words[0]
    _, module, *rest = words
    sys.argv = [module, *rest]
    code = 1
    try:
        with warnings.catch_warnings():  # that it is imported already
            warnings.simplefilter("ignore", RuntimeWarning)
            runpy.run_module(module, run_name="__main__", alter_sys=True)
        code = 0
    except SystemExit as ended:
        code = ended.code if isinstance(ended.code, int) else int(bool(ended.code))
        if isinstance(ended.code, str):
            print(ended.code, file=sys.stderr)  # noqa: T201 - as Python does
    except KeyboardInterrupt:
        traceback.print_exc()
        code = 128 + signal.SIGINT
    except BaseException:  # noqa: BLE001 - told as Python does
        traceback.print_exc()
    threading._shutdown()  # type: ignore[attr-defined]
    atexit._run_exitfuncs()
    try:
        sys.stdout.flush()
        sys.stderr.flush()
    except (OSError, ValueError):
        code = 120
    return code


if __name__ == "__main__":
    serve(int(sys.argv[1]))
