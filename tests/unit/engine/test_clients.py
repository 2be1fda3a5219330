from __future__ import annotations

import json
from datetime import date

import pytest

from sigscope.engine.recording.clients import plan, table
from sigscope.errors import UsageError

URL = "http://127.0.0.1:9"
CONFIDENCE = {"documented", "observed", "reported", "inferred"}


def test_every_row_has_a_source_and_a_service_that_exists() -> None:
    known = table()
    for row in known.variables:
        assert row.source
        assert row.readers
        assert row.confidence in CONFIDENCE
        assert row.service in known.services
        assert not row.path or row.path.startswith("/")
    for client in known.clients:
        assert client.source
        assert client.confidence in CONFIDENCE
        assert client.arguments or client.variables
    names = [row.name for row in known.variables]
    assert len(set(names)) == len(names)


def test_an_untouched_environment_gets_the_usual_places() -> None:
    made = plan(["/usr/bin/python3", "-x"], {})
    env = made.environment({"PATH": "/bin"}, URL)
    assert env["OPENAI_BASE_URL"] == f"{URL}/openai"
    assert env["ANTHROPIC_BASE_URL"] == f"{URL}/anthropic"
    assert env["PATH"] == "/bin"
    routes = {route.prefix: f"{route.origin}{route.base}" for route in made.routes}
    assert routes["/openai"] == "https://api.openai.com/v1"
    assert routes["/anthropic"] == "https://api.anthropic.com"
    assert made.command({}, URL) == ["/usr/bin/python3", "-x"]


def test_a_variable_that_is_set_keeps_its_destination() -> None:
    mine = {"OPENAI_BASE_URL": "http://localhost:4000/v1/"}
    made = plan(["x"], mine)
    env = made.environment(mine, URL)
    routes = {route.prefix: f"{route.origin}{route.base}" for route in made.routes}
    prefix = env["OPENAI_BASE_URL"].removeprefix(URL)
    assert routes[prefix] == "http://localhost:4000/v1"
    assert env["OPENAI_API_BASE"] == f"{URL}/openai"
    assert routes["/openai"] == "https://api.openai.com/v1"


def test_variables_that_are_switches_are_only_moved() -> None:
    assert "COPILOT_PROVIDER_BASE_URL" not in plan(["x"], {}).environment({}, URL)
    mine = {"COPILOT_PROVIDER_BASE_URL": "http://localhost:1/v1"}
    env = plan(["x"], mine).environment(mine, URL)
    assert env["COPILOT_PROVIDER_BASE_URL"].startswith(URL)


def test_a_named_upstream_beats_what_was_set() -> None:
    mine = {"OPENAI_BASE_URL": "http://old/v1"}
    made = plan(["x"], mine, upstreams=["openai=http://localhost:8901/v1"])
    assert made.environment(mine, URL)["OPENAI_BASE_URL"] == f"{URL}/openai"
    (route,) = [route for route in made.routes if route.prefix == "/openai"]
    assert f"{route.origin}{route.base}" == "http://localhost:8901/v1"


def test_more_variables_can_be_named() -> None:
    env = plan(["x"], {}, extra=["MINE=anthropic/v1", "B=gemini"]).environment({}, URL)
    assert env["MINE"] == f"{URL}/anthropic/v1"
    assert env["B"] == f"{URL}/gemini"


def test_a_variable_can_hold_an_address_among_other_words() -> None:
    text = 'CONFIG={"baseURL": "{openai}/x", "a": {"b": 1}}'
    env = plan(["x"], {}, extra=[text]).environment({}, URL)
    assert json.loads(env["CONFIG"]) == {"baseURL": f"{URL}/openai/x", "a": {"b": 1}}


def test_a_named_variable_beats_the_recipe() -> None:
    made = plan(["copilot"], {}, extra=["COPILOT_API_URL=openai"])
    assert made.environment({}, URL)["COPILOT_API_URL"] == f"{URL}/openai"


def test_every_library_says_what_to_name_for_it() -> None:
    known = table()
    for library in known.libraries:
        assert library.source
        assert library.argument
        assert library.confidence in CONFIDENCE
        services = {place.partition("/")[0] for place in library.places}
        assert services <= set(known.services)


def test_days_of_checking_are_days() -> None:
    known = table()
    rows = [*known.variables, *known.clients, *known.libraries]
    days = [row.checked for row in rows if row.checked]
    assert days
    assert all(date.fromisoformat(day) for day in days)


def test_each_client_and_library_that_needs_a_recipe_says_when_it_was_checked() -> None:
    known = table()
    assert all(client.checked and client.source for client in known.clients)
    assert all(library.checked and library.source for library in known.libraries)
    days = {variable.name: variable.checked for variable in known.variables}
    for name in ("OPENAI_BASE_URL", "ANTHROPIC_BASE_URL", "COPILOT_PROVIDER_BASE_URL"):
        assert days[name]


def test_a_place_that_is_named_for_anthropic_speaks_messages() -> None:
    made = plan(["claude"], {}, upstreams=["anthropic=http://localhost:8901"])
    assert [spoken.dialect for spoken in made.named] == ["anthropic"]
    env = made.environment({}, URL)
    assert env["ANTHROPIC_BASE_URL"] == f"{URL}/anthropic"


def test_codex_is_told_on_its_command_line() -> None:
    made = plan(["/opt/bin/codex", "exec"], {})
    assert made.command({}, URL) == [
        "/opt/bin/codex",
        "-c",
        f'openai_base_url="{URL}/openai"',
        "exec",
    ]
    assert "chatgpt.com" in made.notes[0]


def test_opencode_is_told_in_its_configuration_unless_it_has_one() -> None:
    config = plan(["opencode"], {}).environment({}, URL)["OPENCODE_CONFIG_CONTENT"]
    provider = json.loads(config)["provider"]
    assert provider["anthropic"]["options"]["baseURL"] == f"{URL}/anthropic/v1"
    mine = {"OPENCODE_CONFIG_CONTENT": "{}"}
    made = plan(["opencode"], mine)
    assert made.environment(mine, URL)["OPENCODE_CONFIG_CONTENT"] == "{}"
    assert "left alone" in made.notes[0]


def test_proxies_are_kept_away_from_loopback() -> None:
    env = plan(["x"], {}).environment({"NO_PROXY": "corp", "HTTP_PROXY": "p"}, URL)
    assert env["NO_PROXY"] == "corp,127.0.0.1,localhost"
    assert env["HTTP_PROXY"] == "p"


@pytest.mark.parametrize("text", ["openai", "what=http://x", "openai=ftp://x"])
def test_a_wrong_upstream_is_refused(text: str) -> None:
    with pytest.raises(UsageError):
        plan(["x"], {}, upstreams=[text])


@pytest.mark.parametrize("text", ["A", "=openai", "A=nobody/v1", "A={nobody}"])
def test_a_wrong_variable_is_refused(text: str) -> None:
    with pytest.raises(UsageError):
        plan(["x"], {}, extra=[text])
