"""Settings: what can be set, and who has the last word.

    flag  >  environment  >  project file  >  user file  >  default

In a file `send.timeout` is the key `timeout` of the table `[send]`, in the environment
it is `SIGSCOPE_SEND_TIMEOUT`. To add a setting: a line in `SETTINGS`; `sources`
reads it from every source.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum

from sigscope.records import dataclass
from sigscope.upstreams.target import SIMULATOR

PREFIX = "SIGSCOPE_"

Value = str | bool | int | float


class SettingSource(StrEnum):
    """Where a value comes from; the first that has one wins."""

    FLAG = "flag"
    ENVIRONMENT = "environment"
    PROJECT = "project file"
    USER = "user file"
    DEFAULT = "default"


@dataclass(frozen=True, slots=True, kw_only=True)
class Setting:
    name: str
    """ "send.timeout": table and key of the files."""
    default: Value
    """Its type is the setting's type."""
    words: str
    """What it does, for `doctor` and for a file to begin with."""
    flag: str = ""
    """The option of the command line that sets it, if there is one."""
    choices: tuple[str, ...] = ()
    """All that a text may be; empty for any text."""
    least: float | None = None
    """The smallest number that makes sense."""
    most: float | None = None
    """The largest."""
    is_personal: bool = False
    """Not taken from a project's file: a repository somebody cloned must not decide
    where requests and keys are sent."""

    @property
    def variable(self) -> str:
        """Its name in the environment."""
        return PREFIX + self.name.replace(".", "_").upper()

    @property
    def option(self) -> str:
        """The attribute of the parsed command line; empty where there is no flag."""
        return self.flag.removeprefix("--no-").removeprefix("--").replace("-", "_")


SETTINGS: tuple[Setting, ...] = (
    Setting(
        name="theme",
        default="",
        words="colours of the screens, by name; empty: the one chosen last",
        flag="--theme",
    ),
    Setting(
        name="ascii",
        default=False,
        words="draw with plain ASCII symbols",
        flag="--ascii",
    ),
    Setting(
        name="mouse",
        default=True,
        words="let the mouse click, choose and scroll",
        flag="--no-mouse",
    ),
    Setting(
        name="hint",
        default=True,
        words="show three lines of advice on the very first start",
    ),
    Setting(
        name="send.to",
        default=SIMULATOR,
        words="where requests go: simulator, or a URL",
        flag="--to",
        is_personal=True,
    ),
    Setting(
        name="send.key_env",
        default="",
        words="name of the environment variable that holds the key",
        flag="--key-env",
        is_personal=True,
    ),
    Setting(
        name="send.timeout",
        default=120.0,
        words="seconds of silence after which an answer is given up",
        flag="--timeout",
        least=0.1,
    ),
    Setting(
        name="send.retries",
        default=2,
        words="how often to try again after 429, 5xx, timeout",
        flag="--retries",
        least=0,
        most=10,
    ),
    Setting(
        name="send.enforce",
        default="strict",
        words="how the simulator takes rules that sources dispute",
        flag="--enforce",
        choices=("strict", "lenient"),
    ),
    Setting(
        name="sessions.older_than",
        default="",
        words="age from which `sessions prune` deletes, as 30d; empty: none",
        flag="--older-than",
        is_personal=True,
    ),
    Setting(
        name="sessions.max_size",
        default="",
        words="room for all kept sessions, as 2GB, for `sessions prune`; empty: any",
        flag="--max-size",
        is_personal=True,
    ),
    Setting(
        name="decode.most",
        default=512,
        words="MiB that a compressed body or file may decode to",
        least=1,
        is_personal=True,
    ),
    Setting(
        name="decode.ratio",
        default=100,
        words="times its own size that one above 8 MiB may decode to",
        least=1,
        is_personal=True,
    ),
    Setting(
        name="serve.port",
        default=8920,
        words="port of `sigscope serve` on loopback; 0 takes a free one",
        flag="--port",
        least=0,
        most=65535,
    ),
)
"""In the order they are shown."""

BY_NAME = {setting.name: setting for setting in SETTINGS}
TABLES = frozenset(name.partition(".")[0] for name in BY_NAME if "." in name)


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundSetting:
    """A value, and where it was found."""

    value: Value
    source: SettingSource
    where: str
    """The flag, the variable, or the file with its line; empty for a default."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """Every setting, with all the sources that have a value for it."""

    found: Mapping[str, tuple[FoundSetting, ...]]
    """By name; the first one counts, the others were overruled."""
    problems: tuple[str, ...] = ()
    """What could not be taken: a sentence each, naming file, line and setting."""

    def winner(self, name: str) -> FoundSetting:
        """The value that counts."""
        return self.found[name][0]

    def text(self, name: str) -> str:
        return str(self.winner(name).value)

    def switch(self, name: str) -> bool:
        """A setting that is on or off."""
        return bool(self.winner(name).value)

    def number(self, name: str) -> float:
        return float(self.winner(name).value)

    def count(self, name: str) -> int:
        """A setting that is a whole number."""
        return int(self.winner(name).value)

    @property
    def key_env(self) -> str | None:
        """The variable that holds the key for `send.to`; None for no key.

        A key that a weaker source names belongs to the target of that source: with
        another `--to` it is not sent along. The simulator needs none.
        """
        order = list(SettingSource)
        target, key = self.winner("send.to"), self.winner("send.key_env")
        if key.source is not SettingSource.FLAG and target.value == SIMULATOR:
            return None
        is_meant = order.index(key.source) <= order.index(target.source)
        return str(key.value) or None if is_meant else None
