"""A tool loop with pydantic-ai: its agent keeps the history.

argv: PROVIDER (google, openrouter, openai), MODEL, `whole` or `stream`.
Prints the status and the last text, or why an answer could not be read.
"""

from __future__ import annotations

import asyncio
import json
import os
import sys

from openai import AsyncOpenAI
from pydantic_ai import Agent
from pydantic_ai.exceptions import ModelHTTPError, UnexpectedModelBehavior
from pydantic_ai.models.google import GoogleModel
from pydantic_ai.models.openai import OpenAIChatModel
from pydantic_ai.models.openrouter import OpenRouterModel
from pydantic_ai.providers.google import GoogleProvider
from pydantic_ai.providers.openai import OpenAIProvider
from pydantic_ai.providers.openrouter import OpenRouterProvider

QUESTION = "List the files, then read notes.md and todo.md"


def list_files(folder: str) -> str:
    """Lists the files of a folder."""
    return "notes.md todo.md"


def read_file(path: str) -> str:
    """Reads a file."""
    return f"What is in {path}: Buy milk."


def google(name):
    """The SDK below reads GOOGLE_GEMINI_BASE_URL."""
    provider = GoogleProvider(api_key=os.environ["GEMINI_API_KEY"])
    return GoogleModel(name, provider=provider)


def openai(name):
    """The SDK below reads OPENAI_BASE_URL."""
    return OpenAIChatModel(name, provider=OpenAIProvider())


def openrouter(name):
    """The provider reads no variable: its address can be named by a client only."""
    client = AsyncOpenAI(
        base_url=os.environ["OPENROUTER_BASE_URL"],
        api_key=os.environ["OPENAI_API_KEY"],
        max_retries=0,
    )
    return OpenRouterModel(name, provider=OpenRouterProvider(openai_client=client))


async def loop(provider, name, how):
    model = {"google": google, "openai": openai, "openrouter": openrouter}[provider]
    agent = Agent(model(name), tools=[list_files, read_file])
    # `run_stream` ends at the first text, here before the first tool has run.
    handler = drain if how == "stream" else None
    return (await agent.run(QUESTION, event_stream_handler=handler)).output


async def drain(_, events):
    async for _ in events:
        pass


def main(provider, name, how):
    try:
        text = asyncio.run(loop(provider, name, how))
    except ModelHTTPError as error:
        return {"status": error.status_code, "text": None}
    except UnexpectedModelBehavior as error:
        return {"status": 200, "text": None, "unread": str(error)}
    return {"status": 200, "text": text}


print(json.dumps(main(*sys.argv[1:])))
