"""The reasoning timeline: lanes of all answers on one axis, and figures per turn.

`signs` are its glyphs; `bars` lays lanes on cells, `figures` says what stands beside
and below them, `plot` lays the turns; `pane` holds lists of these; `screen` puts them
together. All but the last two are pure.
"""
