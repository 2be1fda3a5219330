"""DeepSeek."""

from sigscope.converse.families.chat_completions import ChatSpeech

SPEECH = ChatSpeech(name="deepseek", url="https://api.deepseek.com/chat/completions")
