"""The matrix of a step: every combination of edits, and what is foretold of it.

`model` asks in a thread, sorts and filters; `screen` lists the cells.
"""
