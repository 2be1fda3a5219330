"""The paths of signatures on a screen of their own.

`grid` lays a map on cells (pure); `pathview` draws what is in sight of it and holds the
cursor; `screen` puts it together.
"""
