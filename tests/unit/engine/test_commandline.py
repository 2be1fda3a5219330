from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sigscope.engine.recording.clients import plan, table
from sigscope.engine.recording.commandline import Launcher, names, read_command

URL = "http://127.0.0.1:9"
CODEX = ["-c", f'openai_base_url="{URL}/openai"']


@pytest.mark.parametrize(
    ("command", "client"),
    [
        ("codex exec", "codex"),
        ("/opt/bin/codex exec", "codex"),
        ("env OPENAI_API_KEY=x codex", "codex"),
        ("/usr/bin/env -i -u HOME PATH=/bin codex", "codex"),
        ("A=b C=d codex", "codex"),
        ("npx codex", "codex"),
        ("npx -y @openai/codex@0.9 exec", "@openai/codex"),
        ("npx --yes --package=@openai/codex -- codex", "codex"),
        ("npx -p @openai/codex codex", "codex"),
        ("npm exec -- @openai/codex", "@openai/codex"),
        ("npm --prefix x exec codex", "codex"),
        ("pnpm dlx @openai/codex", "@openai/codex"),
        ("pnpm --filter web exec codex", "codex"),
        ("yarn dlx @openai/codex", "@openai/codex"),
        ("bunx @openai/codex@latest", "@openai/codex"),
        ("bun x @openai/codex", "@openai/codex"),
        ("node node_modules/@openai/codex/bin/main.js exec", "@openai/codex"),
        ("node --no-warnings --import tsx /opt/codex.js", "codex"),
        ("deno run -A npm:@openai/codex@1", "@openai/codex"),
        ("python -m codex --help", "codex"),
        ("python3.12 -X dev -m codex.main", "codex"),
        ("python /opt/venv/bin/codex", "codex"),
        ("python -W ignore tools/codex.py", "codex"),
        ("uv run codex", "codex"),
        ("uv --quiet run --with rich --python 3.12 -- python -m codex", "codex"),
        ("uv run -m codex", "codex"),
        ("uv tool run codex==1.0", "codex"),
        ("uvx --from git+https://x.example/codex codex[all]==1.0", "codex"),
        ("pipx run --spec x codex", "codex"),
        ("poetry run codex", "codex"),
        ("poetry -C sub run python -m codex", "codex"),
        ("timeout -k 5 60 nice -n 10 codex", "codex"),
        ("op run --env-file .env -- npx codex", "codex"),
        ("direnv exec . codex", "codex"),
    ],
)
def test_the_client_is_found_behind_what_starts_it(command: str, client: str) -> None:
    words = command.split()
    made = plan(words, {})
    assert client in made.line.names
    started = made.command({}, URL)
    at = started.index(CODEX[1])
    assert started[at - 1] == "-c"
    word = made.line.words[made.line.at]
    assert started[at - 2] == word
    behind = words[words.index(word) + 1 :]
    assert started[at + 1 :] == behind


@pytest.mark.parametrize(
    "command",
    [
        "python -c print(1) codex",
        "node -e 1 codex",
        "npm run codex",
        "uv pip install codex",
        "poetry install codex",
        "python agent.py codex",
        "env",
        "timeout 5",
        "cat codex",
        "sh start.sh codex",
    ],
)
def test_what_only_names_a_client_does_not_start_it(command: str) -> None:
    made = plan(command.split(), {})
    assert made.command({}, URL) == command.split()


def test_a_script_of_a_checkout_goes_by_its_package(tmp_path: Path) -> None:
    script = tmp_path / "packages" / "cli" / "dist" / "cli.js"
    script.parent.mkdir(parents=True)
    package = {"name": "@openai/codex", "bin": {"codex": "dist/cli.js"}}
    (script.parents[1] / "package.json").write_text(json.dumps(package))
    assert plan(["node", str(script), "exec"], {}).command({}, URL) == [
        *("node", str(script)),
        *CODEX,
        "exec",
    ]


@pytest.mark.parametrize("text", ["[1]", "{", '{"name": 1}', '{"bin": "a.js"}'])
def test_a_package_file_that_says_nothing_is_passed_over(
    tmp_path: Path, text: str
) -> None:
    (tmp_path / "package.json").write_text(text)
    assert names(str(tmp_path / "cli.js")) >= {"cli.js", "cli"}


def test_env_can_neither_take_our_variables_away_nor_overwrite_them() -> None:
    mine = ("env", "-i", "OPENAI_BASE_URL=http://localhost:4000/v1", "opencode", "run")
    made = plan(mine, {})
    started = made.command({}, URL)
    assert started[:3] == list(mine[:3])
    assert started[-2:] == ["opencode", "run"]
    added = dict(word.split("=", 1) for word in started[3:-2])
    prefix = added["OPENAI_BASE_URL"].removeprefix(URL)
    (route,) = [route for route in made.routes if route.prefix == prefix]
    assert f"{route.origin}{route.base}" == "http://localhost:4000/v1"
    assert URL in added["OPENCODE_CONFIG_CONTENT"]
    assert added["NO_PROXY"] == "127.0.0.1,localhost"


def test_a_client_in_a_shells_string_gets_variables_and_a_word_about_arguments() -> (
    None
):
    made = plan(["bash", "-lc", "cd x && codex exec 'hi'"], {})
    assert made.command({}, URL) == list(made.line.words)
    assert made.client == "codex"
    assert any("shell's string" in note for note in made.notes)
    made = plan(["sh", "-c", "npx opencode-ai run"], {})
    assert "OPENCODE_CONFIG_CONTENT" in made.environment({}, URL)
    assert plan(["sh", "-c", "echo 'unbalanced"], {}).client == "sh"


def test_programs_that_keep_variables_away_are_named() -> None:
    assert "sudo" in plan(["sudo", "-u", "me", "codex"], {}).notes[0]
    assert "container" in plan(["docker", "run", "img", "codex"], {}).notes[0]


def test_every_launcher_says_what_it_takes() -> None:
    launchers = table().launchers
    programs = [each.program for each in launchers]
    assert len(set(programs)) == len(programs)
    for each in launchers:
        assert each.program == each.program.rstrip(".0123456789")
        assert all(option.startswith("-") for option in (*each.valued, *each.module))
        assert each.subcommands or each.is_launcher_alone


def test_a_launcher_that_starts_itself_ends_the_walk() -> None:
    again = [Launcher(program="env", assigns=True)]
    line = read_command(["env", "env", "env"], again, known=frozenset())
    assert line.client == "env"
    assert line.at == 2


WORDS = st.one_of(
    st.sampled_from([each.program for each in table().launchers]),
    st.sampled_from(["-c", "-m", "-p", "--", "run", "exec", "x", "A=b", "codex", ""]),
    st.text(max_size=8).filter(lambda text: "\0" not in text),
)


@given(st.lists(WORDS, min_size=1, max_size=8))
def test_no_command_line_loses_a_word(words: list[str]) -> None:
    started = plan(words, {}).command({}, URL)
    kept = iter(started)
    assert all(word in kept for word in words)


def test_a_leading_assignment_may_be_long() -> None:
    assert plan(["A=" + "x" * 9000, "codex"], {}).client == "codex"
