"""Signatures: made, sealed, dressed in real shapes, and recognised again.

`draws` turns a seed into bytes, `sealed` hides a small record under a key,
`shapes` gives the result the outer form of its origin, `keyring` does both ways.
"""
