"""Who is served on loopback."""

from __future__ import annotations

import pytest

from sigscope.wire.access import Access, is_loopback

OURS = "127.0.0.1:8910"


@pytest.mark.parametrize(
    ("host", "loopback"),
    [
        ("127.0.0.1", True),
        ("127.8.8.8", True),
        ("localhost", True),
        ("::1", True),
        ("[::1]", True),
        ("0.0.0.0", False),
        ("::", False),
        ("192.168.0.4", False),
        ("example.org", False),
    ],
)
def test_only_loopback_is_loopback(host: str, loopback: bool) -> None:
    assert is_loopback(host) is loopback


@pytest.mark.parametrize(
    "headers",
    [
        (),
        (("host", ""),),
        (("Host", OURS),),
        (("host", "localhost:8910"),),
        (("Host", "LOCALHOST"),),
        (("Host", "[::1]:8910"),),
        (("Host", "localhost:9000"),),
        (("Host", OURS), ("Origin", f"http://{OURS}")),
        (("Host", OURS), ("Sec-Fetch-Site", "none")),
        (("Host", OURS), ("Sec-Fetch-Mode", "cors")),
    ],
)
def test_programs_of_this_machine_are_served(
    headers: tuple[tuple[str, str], ...],
) -> None:
    assert Access().maybe_refuse(headers) is None


@pytest.mark.parametrize(
    ("headers", "words"),
    [
        ((("Host", "evil.example:8910"),), "--allow-host evil.example"),
        ((("Host", "evil.example"),), "--allow-host evil.example"),
        ((("Host", "127.0.0.1.evil.example"),), "evil"),
        ((("Host", "127.0.0.1@evil.example"),), "evil"),
        ((("Host", "localhost:8910, evil.example"),), "evil"),
        ((("Host", OURS), ("Host", "evil.example")), "evil"),
        ((("Host", "192.168.0.4:8910"),), "192.168.0.4"),
        ((("Host", OURS), ("Origin", "https://evil.example")), "--allow-origin https:"),
        ((("Host", OURS), ("Origin", "http://localhost:3000")), "--allow-origin http:"),
        ((("Host", OURS), ("Origin", "null")), "--allow-origin null"),
        ((("Origin", f"http://{OURS}"),), "another web page"),
        ((("Host", OURS), ("Sec-Fetch-Site", "cross-site")), "web page"),
        ((("Host", OURS), ("Sec-Fetch-Site", "same-site")), "web page"),
    ],
)
def test_web_pages_and_other_hosts_are_not(
    headers: tuple[tuple[str, str], ...], words: str
) -> None:
    reason = Access().maybe_refuse(headers)
    assert reason is not None
    assert words in reason


def test_what_is_allowed_is_served() -> None:
    access = Access(
        hosts=("host.docker.internal", "box.example:81"),
        origins=("http://localhost:3000", "vscode-webview://*", "null"),
    )

    def is_served(host: str, origin: str | None = None) -> bool:
        origins = () if origin is None else (("Origin", origin),)
        return access.maybe_refuse((("Host", host), *origins)) is None

    assert is_served("host.docker.internal:8910")
    assert is_served("box.example:81")
    assert not is_served("box.example:82")
    assert is_served(OURS, "http://localhost:3000")
    assert is_served(OURS, "vscode-webview://0abc")
    assert is_served(OURS, "null")
    assert not is_served(OURS, "http://localhost:3001")
    assert not is_served("evil.example", "http://localhost:3000")


def test_brackets_of_an_address_are_no_signs() -> None:
    access = Access(hosts=("[fd00::1]",), origins=("http://[fd00::1]:3000", "a?://b"))

    def is_served(host: str, origin: str | None = None) -> bool:
        origins = () if origin is None else (("Origin", origin),)
        return access.maybe_refuse((("Host", host), *origins)) is None

    assert is_served("[fd00::1]:8910")
    assert is_served(OURS, "http://[fd00::1]:3000")
    assert not is_served("f:8910")
    assert not is_served("[fd00::2]:8910")
    assert not is_served(OURS, "http://f:3000")
    assert not is_served(OURS, "ab://b")


def test_no_second_origin_hides_behind_ours() -> None:
    evil, ours = ("Origin", "https://evil.example"), ("Origin", f"http://{OURS}")
    for both in ((evil, ours), (ours, evil)):
        reason = Access().maybe_refuse((("Host", OURS), *both))
        assert reason is not None
        assert "evil" in reason


@pytest.mark.parametrize(
    ("host", "advice"),
    [("[fd00::1]", "[fd00::1]"), ("[fd00::1]:80", "[fd00::1]"), ("box", "box")],
)
def test_the_advice_names_what_would_let_it_in(host: str, advice: str) -> None:
    reason = Access().maybe_refuse((("Host", host),))
    assert reason is not None
    assert reason.endswith(f"--allow-host {advice}")
    assert Access(hosts=(advice,)).maybe_refuse((("Host", host),)) is None


@pytest.mark.parametrize("name", ["Host", "Origin"])
def test_a_name_without_end_is_not_told_whole(name: str) -> None:
    reason = Access().maybe_refuse((("Host", OURS), (name, "a" * 100_000)))
    assert reason is not None
    assert len(reason) < 1000


@pytest.mark.parametrize(
    "host",
    [
        "localhost.evil.example", "evil.localhost", "127.1", "0x7f.0.0.1", "2130706433",
        "0", "0.0.0.0", "[::]", "[::1%25lo]", "::1", "[::1", "user@localhost",
        "localhost#.evil.example", "localhost\xa0.evil.example", "xn--lcalhost-04a",
        "loc\xe0lhost", "localhost:80:80", "localhost:+80", "localhost,", "\xe9",
    ],
)  # fmt: skip
def test_no_name_passes_for_this_machine(host: str) -> None:
    assert Access().maybe_refuse((("Host", host),)) is not None


def test_an_allowed_page_may_say_that_it_is_one() -> None:
    headers = (("Host", OURS), ("Origin", "app://e"), ("Sec-Fetch-Site", "cross-site"))
    assert Access(origins=("app://e",)).maybe_refuse(headers) is None
    assert Access().maybe_refuse(headers) is not None


def test_a_server_of_pages_takes_links_and_only_its_port() -> None:
    access = Access(port=8920, takes_links=True)
    link = ("Sec-Fetch-Site", "cross-site")
    assert access.maybe_refuse((("Host", "localhost:8920"), link)) is None
    assert access.maybe_refuse((("Host", "localhost:8921"),)) is not None
    assert access.maybe_refuse((("Host", "localhost"),)) is not None


def test_a_server_for_other_machines_takes_any_host_but_no_page() -> None:
    access = Access(is_open=True)
    assert access.maybe_refuse((("Host", "box.example"),)) is None
    page = (("Host", "box.example"), ("Origin", "https://evil.example"))
    assert access.maybe_refuse(page) is not None
