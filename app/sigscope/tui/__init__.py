"""The screens: draw what the engine knows, turn keys into calls of the engine.

What flows: an engine `Document` is studied in a thread (`study`), which yields plain
records; `views` turn records into lines of styled spans, without Textual and tested
alone; `panes` paint such lines and tell what was chosen; a screen holds the one shared
`selection`, binds it down to every pane and takes their messages up. A pane knows no
engine and no other pane.

To add a pane: a view in `views` (records in, lines out), a widget in `panes` on top of
`ItemList`, a line in `screens/arrangement.py` for where it stands at which size.

Drawing is done with our own line widgets: a list of 10,000 rows or a history of 400
messages costs what is visible of it. Recorded text passes through `shown` before it is
drawn, so that escape sequences are seen, not obeyed.
"""
