"""A client under test: a strict upstream to talk to, and what is said of it after.

    order → StrictUpstream (simulator ← recorder ← client) → document → ClientVerdict

What a dialect's clients are told their upstream by is data, `surroundings.toml`: to let
one more dialect in, give it a table there.
"""
