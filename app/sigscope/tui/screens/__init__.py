"""Screens and dialogs. The debugger is built in four floors, each one concern:

`showing` (document, study, selection) → `editing` (edits, undo, forecast) → `sending`
(runs, upstream, cancelling) → `debugger` (panes, layout, keys).
"""
