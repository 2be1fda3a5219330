"""How a client addresses Acme."""

from sigscope.converse.families.chat_completions import ChatSpeech

SPEECH = ChatSpeech(
    name="acme", url="https://api.acme.example/acme/v1/chat/completions"
)
