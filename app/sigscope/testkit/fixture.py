"""What a test of a client gets: an upstream, and the question it came for."""

from __future__ import annotations

import io
import re
from collections.abc import Collection, Iterator, Sequence
from pathlib import Path

from sigscope.cli.clientverdict import print_verdict
from sigscope.cli.console import Console
from sigscope.engine.harness.surroundings import KEY
from sigscope.engine.harness.upstream import (
    TURNS,
    StrictUpstream,
    UpstreamOrder,
    moves,
)
from sigscope.engine.harness.verdict import ClientVerdict, Measure, judge
from sigscope.errors import SigscopeError
from sigscope.rules.findings import Finding


class SignatureLost(AssertionError):
    """A client did not give back what it was given, or nothing shows that it did."""

    def __init__(self, text: str, verdict: ClientVerdict) -> None:
        super().__init__(text)
        self.verdict = verdict


class ServedUpstream:
    """One strict upstream of a test."""

    key = KEY
    """For SDKs that insist on one; any other is taken as well."""

    def __init__(self, served: StrictUpstream) -> None:
        self._served = served
        self.was_asked = False
        """Whether the test has asked what it came for."""

    @property
    def dialect(self) -> str:
        return self._served.order.dialect

    @property
    def base_url(self) -> str:
        """What the client takes for the address of its API, as its SDK wants it."""
        return self._served.base_url

    @property
    def model(self) -> str:
        """A model that it answers for with signatures."""
        return self._served.surroundings.model

    @property
    def environment(self) -> dict[str, str]:
        """Variables for a client that is a process: address, key and model, by the
        names that SDKs read and by SIGSCOPE_BASE_URL, _API_KEY and _MODEL."""
        return self._served.environment

    @property
    def session(self) -> Path:
        """The session file: all that was said so far."""
        return self._served.session

    @property
    def findings(self) -> tuple[Finding, ...]:
        """All that the rules say so far."""
        return self._served.document().findings

    def verdict(
        self,
        *,
        at_least: int = 1,
        strict: bool = False,
        ignore: Collection[str] = (),
    ) -> ClientVerdict:
        """The same as the assertion, without raising."""
        measure = Measure(
            at_least=at_least, strict=strict, ignored=ignore, address=self.base_url
        )
        return judge(self._served.document(), measure)

    def assert_no_signature_lost(
        self,
        *,
        at_least: int = 1,
        strict: bool = False,
        ignore: Collection[str] = (),
    ) -> None:
        """Raises SignatureLost with the findings, their nodes and their fixes; also
        where nothing is shown, because fewer signatures than `at_least` came back.

        `strict`: all warnings count, not only those about a lost signature. `ignore`:
        rules whose findings do not.
        """
        __tracebackhide__ = True
        self.was_asked = True
        verdict = self.verdict(at_least=at_least, strict=strict, ignore=ignore)
        if not verdict.is_fine:
            raise SignatureLost(said_of(verdict, self.session), verdict)

    def close(self) -> None:
        """No more requests; the session file is whole."""
        self._served.close()


class UpstreamFactory:
    """Makes upstreams, and ends them with the test."""

    def __init__(self, folder: Path, test: str, *, is_kept: bool = False) -> None:
        """`test`: its name. `is_kept`: the folder is shared with other tests."""
        self._folder = folder
        self._test = test
        self._is_kept = is_kept
        self._made: list[ServedUpstream] = []

    def __call__(
        self,
        dialect: str,
        *,
        turns: Sequence[str] = TURNS,
        model: str = "",
        seed: str = "sigscope",
    ) -> ServedUpstream:
        """A strict upstream of a dialect, ready to be asked.

        `turns`: what its replies are, one after the other: "calls" (one tool call),
        "parallel" (two at once), "text", "long"; after the last one it answers. Empty:
        what the user's words ask for ("Read a.md and b.md, then list the files").
        Raises UsageError for a dialect or a turn that is not known.
        """
        order = UpstreamOrder(
            dialect=dialect,
            session=self._file(dialect),
            turns=moves(turns),
            model=model,
            seed=seed,
            title=f"{dialect}, as {self._test} spoke to it",
            force=self._is_kept,
        )
        made = ServedUpstream(StrictUpstream(order))
        self._made.append(made)
        return made

    def __repr__(self) -> str:
        # Shown by pytest in each failed test that has it.
        made = ", ".join(each.dialect for each in self._made)
        return f"<strict upstreams of this test: {made or 'none yet'}>"

    def _file(self, dialect: str) -> Path:
        name = re.sub(r"[^\w.-]+", "-", self._test).strip("-.") if self._is_kept else ""
        same = sum(1 for each in self._made if each.dialect == dialect)
        number = str(same + 1) if same else ""
        stem = "-".join(filter(None, [name, dialect, number]))
        return self._folder / f"{stem}.session.jsonl"

    def remarks(self) -> Iterator[tuple[str, str]]:
        """Title and text of what was seen by those that nobody asked."""
        for made in self._made:
            if made.was_asked:
                continue
            try:
                text = said_of(made.verdict(at_least=0), made.session)
            except SigscopeError as error:
                text = str(error)
            yield f"sigscope upstream {made.dialect}", text

    def close(self) -> None:
        """End all of them."""
        for made in self._made:
            made.close()


def said_of(verdict: ClientVerdict, session: Path) -> str:
    """A verdict in words, without colours."""
    out = io.TextIOWrapper(io.BytesIO(), encoding="utf-8")
    print_verdict(verdict, session, Console(out))
    out.flush()
    buffer = out.buffer
    assert isinstance(buffer, io.BytesIO)
    return buffer.getvalue().decode("utf-8").rstrip()
