"""The simulated model: what it calls, with which arguments, and what it says."""

from __future__ import annotations

from typing import Any

import pytest
from tests.effort import effort

from sigscope.upstreams.simulator.contents import Content, ContentPart, PartKind
from sigscope.upstreams.simulator.mint.draws import Draws
from sigscope.upstreams.simulator.speech.arguments import Material, build_arguments
from sigscope.upstreams.simulator.speech.prose import pieces, relevant_line, title
from sigscope.upstreams.simulator.speech.script import compose, is_title_request, plan
from sigscope.upstreams.simulator.talk import (
    HeardTalk,
    Result,
    Tool,
    gemini_tools,
    hear,
    openai_tools,
)

PATH = {"type": "object", "properties": {"path": {"type": "string"}}}
READ = Tool(name="read_file", description="Reads a file", schema=PATH)
LIST = Tool(name="list_directory", description="Lists a folder", schema=PATH)
SEARCH = Tool(
    name="file_search",
    description="Finds files by glob",
    schema={"properties": {"query": {"type": "string"}}, "required": ["query"]},
)
SHELL = Tool(
    name="exec_command",
    schema={"properties": {"cmd": {"type": "string"}}, "required": ["cmd"]},
)
GOAL = Tool(name="get_goal", schema={"type": "object", "properties": {}})
IMAGE = Tool(name="view_image", schema=PATH)
NUMBERS = {"a": {"type": "integer"}, "b": {"type": "integer"}}
ADD = Tool(name="add", schema={"properties": NUMBERS, "required": ["a", "b"]})
MULTIPLY = Tool(name="multiply", schema={"properties": NUMBERS, "required": ["a", "b"]})
WEATHER = Tool(
    name="get_weather",
    schema={"properties": {"city": {"type": "string"}}, "required": ["city"]},
)


def rounds(question: str, *tools: Tool, choice: str = "auto") -> Any:
    talk = HeardTalk(question=question, tools=tools, choice=choice)
    return [
        [(call.name, *call.arguments.values()) for call in calls]
        for calls in plan(talk)
    ]


@pytest.mark.parametrize(
    ("question", "tools", "expected"),
    [
        ("Read src/a.py", (LIST, READ), [[("read_file", "src/a.py")]]),
        ("What is in the README?", (READ,), [[("read_file", "README.md")]]),
        ("Read a.py", (IMAGE, SHELL), [[("exec_command", "cat a.py")]]),
        ("Read a.py", (GOAL, SHELL), [[("exec_command", "cat a.py")]]),
        ("Read a.py", (SHELL, READ), [[("read_file", "a.py")]]),
        ("Exec a command", (READ, SHELL), [[("exec_command", "ls")]]),
        (
            "Read both a.md and b.md",
            (READ,),
            [[("read_file", "a.md"), ("read_file", "b.md")]],
        ),
        (
            "Read a.md, then read b.md",
            (READ,),
            [[("read_file", "a.md")], [("read_file", "b.md")]],
        ),
        (
            "Read a.md and b.md one after the other",
            (READ,),
            [[("read_file", "a.md")], [("read_file", "b.md")]],
        ),
        (
            "List the folder, then read a.md",
            (READ, LIST),
            [[("list_directory", "README.md")], [("read_file", "a.md")]],
        ),
        (
            "Read a.md and b.md but only make ONE tool call",
            (READ,),
            [[("read_file", "a.md")]],
        ),
        (
            "Add and multiply 2 and 3 at the same time",
            (ADD, MULTIPLY),
            [[("add", 2, 3), ("multiply", 2, 3)]],
        ),
        (
            "What is the weather in Florence, Italy?",
            (READ, WEATHER),
            [[("get_weather", "Florence, Italy")]],
        ),
        (
            "Where is quotes.lua? Search for it",
            (SEARCH,),
            [[("file_search", "**/quotes.lua")]],
        ),
        ("Do something useful", (ADD,), [[("add", 1, 1)]]),
        (
            "Read both files at once",
            (READ,),
            [[("read_file", "a.md"), ("read_file", "b.md")]],
        ),
        ("Thanks!", (READ,), []),
        ("thank you very much", (READ,), []),
        ("Hello", (READ,), []),
        ("Thanks! Can you read a.md?", (READ,), [[("read_file", "a.md")]]),
        ("Read a.md", (), []),
        ("Version 3.5 of e.g. this, i.e. that?", (ADD,), [[("add", 3, 1)]]),
    ],
)
def test_the_plan_follows_the_words(
    question: str, tools: tuple[Tool, ...], expected: Any
) -> None:
    assert rounds(question, *tools) == expected


def test_the_tool_choice_is_obeyed() -> None:
    assert rounds("Read a.md", READ, choice="none") == []
    forced = rounds("Thanks!", READ, choice="required")
    assert forced == [[("read_file", "README.md")]]
    assert rounds("Read a.md", READ, WEATHER, choice="get_weather")[0][0][0] == (
        "get_weather"
    )


@pytest.mark.parametrize(
    ("schema", "expected"),
    [
        (None, {}),
        ({}, {}),
        ("nonsense", {}),
        ({"type": "object", "properties": {}}, {}),
        (
            {"properties": {"x": {"enum": ["b", "a"]}}, "required": ["x"]},
            {"x": "b"},
        ),
        ({"properties": {"x": {"const": 7}}, "required": ["x"]}, {"x": 7}),
        (
            {"properties": {"x": {"type": "array"}}, "required": ["x"]},
            {"x": ["a.md"]},
        ),
        (
            {
                "properties": {"files": {"type": "ARRAY", "items": {"type": "STRING"}}},
                "required": ["files"],
            },
            {"files": ["a.md"]},
        ),
        (
            {
                "properties": {
                    "o": {
                        "type": "object",
                        "properties": {"filePath": {"type": ["string", "null"]}},
                        "required": ["filePath"],
                    }
                },
                "required": ["o"],
            },
            {"o": {"filePath": "a.md"}},
        ),
        (
            {
                "properties": {
                    "startLine": {"type": "integer", "minimum": 1},
                    "endLine": {"type": "number"},
                    "deep": {"type": "boolean"},
                    "mode": {"type": "string", "default": "fast"},
                    "nothing": {"type": "null"},
                },
                "required": ["startLine", "endLine", "deep", "mode", "nothing"],
            },
            {
                "startLine": 1,
                "endLine": 100,
                "deep": False,
                "mode": "fast",
                "nothing": None,
            },
        ),
        (
            {
                "$defs": {"p": {"type": "string"}},
                "properties": {"path": {"$ref": "#/$defs/p"}},
                "required": ["path"],
            },
            {"path": "a.md"},
        ),
        (
            {
                "properties": {"x": {"anyOf": [{"type": "integer"}, {"type": "null"}]}},
                "required": ["x"],
            },
            {"x": 1},
        ),
        ({"properties": {"dir": {}}, "required": ["dir"]}, {"dir": "."}),
        ({"properties": {"y": {}}, "required": ["y", "unlisted"]}, None),
    ],
)
def test_arguments_fit_the_schema(schema: Any, expected: Any) -> None:
    built = build_arguments(schema, Material.read("Read a.md please", "a.md"))
    if expected is None:
        assert set(built) == {"y", "unlisted"}
    else:
        assert built == expected


def test_a_schema_that_refers_to_itself_ends() -> None:
    schema = {
        "$defs": {"n": {"properties": {"n": {"$ref": "#/$defs/n"}}, "required": ["n"]}},
        "properties": {"n": {"$ref": "#/$defs/n"}},
        "required": ["n"],
    }
    assert build_arguments(schema, Material.read("x"))


@pytest.mark.parametrize(
    ("text", "question", "line"),
    [
        (
            "# T\n\n## Roadmap\n\n- [x] Python V4\n- [ ] Python V5 API\n",
            "what the next item on roadmap is",
            "Python V5 API.",
        ),
        ("one\ntwo apples\nthree\n", "How many apples?", "two apples."),
        ("first\nsecond\n", "Anything?", "first."),
        ("1. alpha\n2. beta\n", "beta?", "beta."),
    ],
)
def test_answers_quote_the_line_that_bears_on_the_question(
    text: str, question: str, line: str
) -> None:
    assert relevant_line(text, question) == line


def test_an_answer_without_tools_speaks_of_the_question() -> None:
    reply = compose(HeardTalk(question="Why is the sky blue?"), Draws("x"))
    assert "Why is the sky blue" in reply.text
    assert len(reply.thoughts) == 2
    assert reply.signed


def test_an_empty_result_is_said_to_be_empty() -> None:
    talk = HeardTalk(
        question="Read a.md",
        tools=(READ,),
        rounds=1,
        results=(Result(name="read_file", arguments={"path": "a.md"}, text=" \n"),),
    )
    assert compose(talk, Draws("x")).text == "`a.md` returned nothing."


@pytest.mark.parametrize(
    ("system", "question", "tools", "expected"),
    [
        ("You are an expert in crafting pithy titles for chats.", "x", (), True),
        ("", "Please write a brief title for: roadmap", (), True),
        ("", "Generate a short title for this conversation", (), True),
        ("", "What is the title of the book?", (), False),
        ("", "Generate a short title for this", (READ,), False),
    ],
)
def test_side_requests_for_titles_are_recognised(
    system: str, question: str, tools: Any, expected: bool
) -> None:
    talk = HeardTalk(system=system, question=question, tools=tools)
    assert is_title_request(talk) is expected
    if expected:
        reply = compose(talk, Draws("x"))
        assert not reply.signed
        assert len(reply.text) < 60


def test_titles_are_short_and_never_empty() -> None:
    assert title("Please write a brief title for: the next item on the roadmap") == (
        "Next Item Roadmap"
    )
    assert title("") == "New Conversation"


def test_a_call_is_announced_where_another_will_follow() -> None:
    one = compose(HeardTalk(question="Read a.md", tools=(READ,)), Draws("x"))
    two = compose(HeardTalk(question="Read a.md, then b.md", tools=(READ,)), Draws("x"))
    assert one.text == ""
    assert two.text == "I will look at `a.md` first.\n"


def test_pieces_join_to_the_text() -> None:
    text = "  A text\nof several   words. "
    assert "".join(pieces(text, 7)) == text
    assert pieces("", 5) == []


def test_a_conversation_is_heard_from_its_current_turn() -> None:
    def user(text: str) -> Content:
        return Content(
            role="user",
            pointer="",
            parts=[ContentPart(kind="text", pointer="", text=text)],
        )

    def call(name: str) -> Content:
        part = ContentPart(
            kind="call", pointer="", name="f", call_id=name, arguments=name
        )
        return Content(role="model", pointer="", parts=[part])

    def result(name: str) -> Content:
        part = ContentPart(kind="result", pointer="", name="f", call_id=name, text=name)
        return Content(role="user", pointer="", parts=[part])

    talk = hear(
        [
            user("a"),
            call("1"),
            result("1"),
            user("b"),
            call("2"),
            call("3"),
            result("2"),
            result("3"),
            call("4"),
            result("4"),
        ]
    )
    assert (talk.question, talk.rounds, talk.turns) == ("b", 2, 2)
    assert [(r.arguments, r.text) for r in talk.results] == [
        ("2", "2"),
        ("3", "3"),
        ("4", "4"),
    ]


@pytest.mark.parametrize(
    ("text", "heard"),
    [
        ("<system-reminder>See json.py</system-reminder>\nRead a.md", "Read a.md"),
        ("Read <file>a.md</file>", "Read <file>a.md</file>"),
        ("<current_datetime>9</current_datetime>", None),
    ],
)
def test_what_an_agent_puts_beside_the_words_is_not_heard(
    text: str, heard: str | None
) -> None:
    part = ContentPart(kind="text", pointer="", text=text)
    talk = hear([Content(role="user", pointer="", parts=[part])])
    assert talk.question == (heard or text)


def test_results_without_ids_answer_calls_of_one_name_in_their_order() -> None:
    """langchain-google-genai and the AI SDK send Gemini no ids."""

    def part(kind: PartKind, text: str) -> ContentPart:
        return ContentPart(kind=kind, pointer="", name="f", text=text, arguments=text)

    def turn(role: str, *parts: ContentPart) -> Content:
        return Content(role=role, pointer="", parts=list(parts))

    talk = hear(
        [
            turn("user", part("text", "q")),
            turn("model", part("call", "1"), part("call", "2")),
            turn("user", part("result", "1"), part("result", "2")),
            turn("model", part("call", "3")),
            turn("user", part("result", "3"), part("result", "one too many")),
        ]
    )
    assert [r.arguments for r in talk.results] == ["1", "2", "3", None]


def test_tools_are_read_from_both_spellings() -> None:
    function = {"name": "f", "description": "d", "parameters": PATH}
    tools, choice = openai_tools(
        {
            "tools": [{"type": "function", "function": function}, {"type": "web"}, 3],
            "tool_choice": {"type": "function", "function": {"name": "f"}},
        }
    )
    assert (tools, choice) == ((Tool(name="f", description="d", schema=PATH),), "f")
    snake = {
        "tools": [
            {"function_declarations": [{"name": "f", "parameters_json_schema": PATH}]}
        ],
        "tool_config": {"function_calling_config": {"mode": "any"}},
    }
    assert gemini_tools(snake) == ((Tool(name="f", schema=PATH),), "required")
    assert openai_tools("nonsense") == ((), "auto")


# --- Scripts --------------------------------------------------------------------------

MOVES = ("calls", "parallel", "text", "calls", "long")


def moved(replies: int, *tools: Tool) -> Any:
    talk = HeardTalk(question="Hello", tools=tools, replies=replies)
    return compose(talk, Draws("seed"), MOVES)


def test_a_script_is_followed_whatever_is_asked() -> None:
    replies = [moved(number, READ) for number in range(7)]
    assert [len(reply.calls) for reply in replies] == [1, 2, 0, 1, 0, 0, 0]
    assert len(replies[4].text) > 3000 > len(replies[5].text)


def test_two_calls_at_once_are_not_the_same() -> None:
    one, other = moved(1, READ).calls
    assert one != other


def test_a_script_calls_no_tool_that_is_not_offered() -> None:
    assert [moved(number).calls for number in range(2)] == [(), ()]


def test_replies_are_counted_by_what_stands_between_them() -> None:
    said = Content(role="model", pointer="", parts=[])
    user = Content(role="user", pointer="", parts=[])
    assert hear([user, said, said, user, said]).replies == 2


@pytest.mark.parametrize(
    "unit",
    ["a", "a-", "1", "only one ", "just ", "<system-reminder>", "a/", "x.", "A "],
)
def test_what_is_pasted_costs_its_length(unit: str) -> None:
    """The first six took minutes or were a fault."""
    text = unit * (300_000 // len(unit))
    part = ContentPart(kind="text", text=text, pointer="/0")
    question = [Content(role="user", pointer="/0", parts=[part])]

    def answer() -> None:
        compose(hear(question), Draws("1"))
        compose(hear(question, tools=[READ, ADD]), Draws("1"))

    assert effort(answer, tries=1) < 2.0


def test_a_number_that_is_none_is_not_read() -> None:
    told = "add " + "9" * 5000 + " and 7, then 1.5.2 and 12ab"
    assert Material.read(told, "").numbers == [7, 1.5]


def test_an_aside_that_is_not_closed_is_heard() -> None:
    text = (
        "<system-reminder>one</system-reminder>say <current_datetime> now"
        "<system-reminder>two</system-reminder> <system-reminder> to a.md"
    )
    part = ContentPart(kind="text", text=text, pointer="/0")
    heard = hear([Content(role="user", pointer="/0", parts=[part])]).question
    assert heard == "say <current_datetime> now <system-reminder> to a.md"
