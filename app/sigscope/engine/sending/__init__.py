"""Sending: from a step and its edits to an answer and what it proves."""
