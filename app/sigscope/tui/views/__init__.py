"""What the panes show, as plain records and lines of styled spans.

Readings, ledger, findings and runs in; rows out. Nothing here knows Textual, a widget
or the engine, so that every rule of what is said where can be tested without a screen.
"""
