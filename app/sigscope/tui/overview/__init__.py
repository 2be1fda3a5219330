"""The overview of a session: all steps as a strip, one lane for each thread.

`model` is where the cursor is and how far one has zoomed, `stripgrid` lays it on cells,
`stripview` paints it, `screen` composes and binds keys.
"""
