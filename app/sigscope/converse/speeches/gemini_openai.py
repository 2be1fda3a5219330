"""Gemini's OpenAI-compatible endpoint, on AI Studio and on Vertex."""

from sigscope.converse.families.chat_completions import ChatSpeech

SPEECH = ChatSpeech(
    name="gemini-openai",
    url="https://generativelanguage.googleapis.com/v1beta/openai/chat/completions",
    surfaces={
        "vertex": "https://aiplatform.googleapis.com/v1/projects/my-project"
        "/locations/global/endpoints/openapi/chat/completions"
    },
)
