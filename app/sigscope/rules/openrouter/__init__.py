"""Rules about OpenRouter's chat completions (dialects.md 3)."""
