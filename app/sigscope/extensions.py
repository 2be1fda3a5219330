"""What installed packages of others add: dialects, rules, formats, edits, exports.

A package declares entry points (docs/extensions.md); each registry takes those of its
group when it is built, which is when it is first asked for. Nobody who asks for no
registry pays.

    [project.entry-points."sigscope.rules"]
    acme = "acme_sigscope.rules:RULES"

What cannot be used is left out and told (`faults`): a faulty package never costs
anybody their own session. SIGSCOPE_EXTENSIONS=off leaves all of them out.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache
from importlib import import_module
from types import TracebackType
from typing import TypeVar

from sigscope.records import dataclass

GROUPS = ("dialects", "rules", "formats", "edits", "exports")
SWITCH = "SIGSCOPE_EXTENSIONS"
STAGES: Mapping[str, tuple[str, str]] = {
    "read": ("dialect", "DIALECT"),
    "follow": ("policy", "POLICY"),
    "refusals": ("wording", "WORDING"),
    "simulate": ("service", "SERVICE"),
    "converse": ("speech", "SPEECH"),
}
"""Stage → module of a dialect's package, and what is in it. All but the first may be
missing."""
_PREFIX = "sigscope."
_INFO = (".dist-info", ".egg-info")

T = TypeVar("T")


@dataclass(frozen=True, slots=True, kw_only=True)
class Extension:
    """One entry point."""

    group: str
    """Without "sigscope."."""
    name: str
    value: str
    """ "module:attribute"; a package for dialects."""
    distribution: str
    """What was installed: "acme_sigscope-1.2"."""

    @property
    def module(self) -> str:
        return self.value.partition(":")[0].strip()

    @property
    def package(self) -> str:
        """The outermost package of its code."""
        return self.module.partition(".")[0]

    def __str__(self) -> str:
        return f"{_PREFIX}{self.group} {self.name} ({self.distribution})"


_faults: dict[Extension, str] = {}
_makers: dict[int, Extension] = {}
"""Id of an object that was taken → who brought it."""
_kept: list[object] = []
"""Those objects: an id is of use while its object lives."""


def faults() -> tuple[str, ...]:
    """What is left out, each with the reason, in the order in which it was asked for.
    Only registries that were asked for tell."""
    return tuple(
        f"{extension} is left out: {why}" for extension, why in _faults.items()
    )


def faulty() -> Mapping[Extension, str]:
    """The same, by extension."""
    return dict(_faults)


def loaded(
    group: str, kind: type[T], refuse: Callable[[T], str] = lambda item: ""
) -> tuple[T, ...]:
    """What the entry points of a group bring, one or several each. `refuse` says why
    one of them cannot be taken; then nothing of that entry point is."""
    found: list[T] = []
    for extension in declared(group):
        taken = _taken(extension, extension.value, kind, refuse)
        found.extend(taken)
    return tuple(found)


def stage(
    name: str, kind: type[T], refuse: Callable[[T], str] = lambda item: ""
) -> tuple[T, ...]:
    """What the dialects of others have for one stage."""
    module, attribute = STAGES[name]
    found: list[T] = []
    for extension in declared("dialects"):
        if extension in _faults:
            continue
        value = f"{extension.module}.{module}:{attribute}"
        if name != "read" and not _is_there(f"{extension.module}.{module}"):
            continue
        found.extend(_taken(extension, value, kind, refuse))
    return tuple(found)


def folders(name: str) -> tuple[str, ...]:
    """Folders of that name in the packages of others' dialects, as paths."""
    found: list[str] = []
    for extension in declared("dialects"):
        if extension in _faults:
            continue
        try:
            package = import_module(extension.module)
        except Exception as error:  # noqa: BLE001 - code of others
            _faults.setdefault(extension, _words(error))
            continue
        places = (os.path.join(each, name) for each in package.__path__)
        found.extend(filter(os.path.isdir, places))
    return tuple(found)


def blamed(item: object, error: BaseException) -> bool:
    """Whether an object that failed is of an extension; then it is told from now on.

    A dialect that was made anew with more carriers is known by its class.
    """
    extension = maker(item)
    if extension is None:
        return False
    _faults.setdefault(extension, _words(error))
    return True


def maker(item: object) -> Extension | None:
    """Who brought an object; None for those of sigscope."""
    return _makers.get(id(item)) or _makers.get(id(type(item)))


def culprit(trace: TracebackType | None) -> Extension | None:
    """The extension in whose code something was raised, however deep; None if it was
    in none."""
    if _declared.cache_info().currsize == 0:
        return None
    names: set[str] = set()
    while trace is not None:
        names.add(str(trace.tb_frame.f_globals.get("__name__", "")).partition(".")[0])
        trace = trace.tb_next
    every = (each for group in GROUPS for each in declared(group))
    return next((each for each in every if each.package in names), None)


def _taken(
    extension: Extension, value: str, kind: type[T], refuse: Callable[[T], str]
) -> list[T]:
    try:
        items = list(_items(value, kind))
        for item in items:
            if problem := refuse(item):
                raise ValueError(problem)
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # noqa: BLE001 - code of others, up to sys.exit()
        _faults.setdefault(extension, _words(error))
        return []
    for item in items:
        _makers[id(item)] = extension
        _kept.append(item)
        if type(item).__module__.partition(".")[0] == extension.package:
            _makers[id(type(item))] = extension
    return items


def _items(value: str, kind: type[T]) -> Iterator[T]:
    module, _, attribute = value.partition(":")
    found: object = import_module(module.strip())
    for part in filter(None, attribute.strip().split(".")):
        found = getattr(found, part)
    if isinstance(found, type) and issubclass(found, kind):
        found = found()
    items: Iterable[object] = found if isinstance(found, tuple | list) else (found,)
    for item in items:
        if not isinstance(item, kind):
            raise TypeError(f"{value} is {type(item).__name__}, not {kind.__name__}")
        yield item


def _is_there(module: str) -> bool:
    from importlib.util import find_spec

    try:
        return find_spec(module) is not None
    except (ImportError, ValueError):
        return False
    except Exception:  # noqa: BLE001 - its package fails, which loading it will tell
        return True


def _words(error: BaseException) -> str:
    from textwrap import shorten

    said = shorten(str(error), 300, placeholder=" …")  # within no word: it may be a key
    return f"{type(error).__name__}: {said}" if said else type(error).__name__


# --- Entry points ---------------------------------------------------------------------


def declared(group: str) -> tuple[Extension, ...]:
    """The entry points of a group, by name."""
    if os.environ.get(SWITCH, "").lower() in ("off", "0", "no", "false"):
        return ()
    return _declared(tuple(sys.path)).get(group, ())


@cache
def _declared(path: tuple[str, ...]) -> dict[str, tuple[Extension, ...]]:
    """Every entry point of ours. `importlib.metadata` would tell the same, but takes 60
    ms to import; this takes one look at each installed package."""
    found: dict[str, list[Extension]] = {}
    seen: set[str] = set()
    for folder in path:
        for distribution, text in _infos(folder):
            name = distribution.partition("-")[0].lower()
            if name not in seen:
                seen.add(name)
                for extension in _parsed(text, distribution):
                    found.setdefault(extension.group, []).append(extension)
    return {
        group: tuple(sorted(each, key=lambda one: (one.name, one.value)))
        for group, each in found.items()
    }


def _infos(folder: str) -> Iterator[tuple[str, str]]:
    """Installed packages of a folder that have entry points, with their text."""
    try:
        names = sorted(os.listdir(folder or "."))
    except OSError:
        return
    for name in names:
        if not name.endswith(_INFO):
            continue
        try:
            with open(
                os.path.join(folder, name, "entry_points.txt"), encoding="utf-8"
            ) as file:
                text = file.read()
        except (OSError, UnicodeDecodeError):
            continue
        yield name.rpartition(".")[0], text


def _parsed(text: str, distribution: str) -> Iterator[Extension]:
    """[sigscope.rules] and the lines below it (packaging.python.org, entry points)."""
    group = ""
    for line in map(str.strip, text.splitlines() if _PREFIX in text else ()):
        if line.startswith("["):
            group = line.strip("[]").strip()
        elif group.startswith(_PREFIX) and "=" in line and line[0] not in "#;":
            name, _, value = line.partition("=")
            yield Extension(
                group=group.removeprefix(_PREFIX),
                name=name.strip(),
                value=value.strip(),
                distribution=distribution,
            )
