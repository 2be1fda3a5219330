"""Screens and dialogs. The debugger's has a part for each concern, in `tui/debugger`:
model, reader, editor, sender, router and others; `recording` is the debugger with a
recorder for its source.
"""
