"""Searching all bodies of the session: `model` looks, and needs no terminal, `screen`
shows what it found and says where to go.
"""
