"""Acme, a made-up gateway: chat completions with an opaque `acme_state` on messages."""
