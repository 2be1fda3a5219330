"""The reasoning timeline: lanes of all answers on one axis, and figures per turn.

`bars` lays lanes on cells, `words` says what stands beside and below them, `plot` lays
the turns; `records` is what goes in and out; `lanelist` and `turnlist` hold rows of
these; `screen` puts them together. All but the last three are pure.
"""
