"""Rules about LiteLLM's proxy, chat completions (dialects.md 6)."""
