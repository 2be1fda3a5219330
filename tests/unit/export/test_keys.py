"""Variables in the place of what was removed."""

from __future__ import annotations

import pytest

from sigscope.dialects.services import Variable
from sigscope.export.keys import (
    header_text,
    key_variable,
    merged,
    url_text,
    variables,
)
from sigscope.store.secrets import marker

KEY = Variable("API_KEY", "your key")


@pytest.mark.parametrize(
    ("url", "dialect", "name"),
    [
        ("https://openrouter.ai/api/v1", None, "OPENROUTER_API_KEY"),
        ("https://api.githubcopilot.com/x", None, "GITHUB_COPILOT_TOKEN"),
        ("https://api.business.githubcopilot.com/x", None, "GITHUB_COPILOT_TOKEN"),
        ("https://us-central1-aiplatform.googleapis.com", None, "GOOGLE_ACCESS_TOKEN"),
        ("https://generativelanguage.googleapis.com/", None, "GEMINI_API_KEY"),
        ("http://localhost:4000/v1", "litellm", "LITELLM_API_KEY"),
        ("", "gemini", "GEMINI_API_KEY"),
        ("https://notopenrouter.ai/", None, "API_KEY"),
    ],
)
def test_the_service_names_the_variable(
    url: str, dialect: str | None, name: str
) -> None:
    assert key_variable(url, dialect).name == name


@pytest.mark.parametrize(
    ("name", "value", "expected"),
    [
        ("Authorization", "Bearer [removed]", ("Bearer ", KEY)),
        ("x-goog-api-key", "[removed]", (KEY,)),
        ("X-Plain", "a b", ("a b",)),
        ("X-Empty", "", ()),
    ],
)
def test_header_marks_become_variables(
    name: str, value: str, expected: tuple[object, ...]
) -> None:
    assert header_text(name, value, KEY) == expected


def test_other_secrets_have_a_variable_of_their_own() -> None:
    (found,) = header_text("X-GitHub-Token", "[removed]", KEY)
    assert isinstance(found, Variable)
    assert found.name == "X_GITHUB_TOKEN"


def test_url_marks_become_variables() -> None:
    text = url_text("https://REMOVED@h/p?alt=sse&key=REMOVED&sig=REMOVED&a=b", KEY)
    assert [v.name for v in variables(text)] == ["URL_USER", "API_KEY", "SIG"]
    spelled = "".join(p if isinstance(p, str) else f"${p.name}" for p in text)
    assert spelled == "https://$URL_USER@h/p?alt=sse&key=$API_KEY&sig=$SIG&a=b"


def test_a_value_that_only_looks_like_the_mark_stays() -> None:
    assert url_text("https://h/REMOVED?q=REMOVEDx", KEY) == (
        "https://h/REMOVED?q=REMOVEDx",
    )


def test_what_the_redactor_leaves_is_what_is_looked_for() -> None:
    url, _ = marker.mark_url("https://h/p?key=AIzaSyA-1234567890123456789012345678901")
    assert KEY in url_text(url, KEY)
    value = marker.mark_header("authorization", "Bearer sk-123456789012345678901234")
    assert header_text("authorization", value, KEY) == ("Bearer ", KEY)


def test_plain_neighbours_are_joined() -> None:
    assert merged(("a", "b", KEY, "c", "d")) == ("ab", KEY, "cd")
