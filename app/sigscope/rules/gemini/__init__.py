"""Rules about Gemini's own API on AI Studio and Vertex (dialects.md 1)."""
