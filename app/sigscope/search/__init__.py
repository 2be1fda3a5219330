"""Searching: a text, or a regular expression, in bodies as they were recorded.

`text` reads a query and looks through one document, piece by piece; `bodies` looks
through all requests and answers of a session, at what is new in each: requests repeat
those before them. Nothing is imported here; the list of sessions needs `text` alone.
"""
