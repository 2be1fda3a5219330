"""Rules about GitHub Copilot's chat completions (dialects.md 4)."""
