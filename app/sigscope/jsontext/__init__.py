"""JSON as bytes with places: which value stands where, down to the byte.

In: the bytes of a body or an event, sound or broken. Out: nodes (kind and span),
JSON Pointers to and from them, values, and what is wrong with the text. The bytes
are never changed and need not be UTF-8, nor JSON.

    text = JsonText(body)
    node = text.locate("/messages/2/content")
    body[node.start : node.end], text.value(node), text.pointer_at(1234)

Containers are read when they are looked at, one level at a time. `grammar` has the
regular expressions, `scan` finds the children of one container, `document` keeps
them and answers for the whole, `builder` and `values` make Python values,
`checker` looks for flaws, `encodings` deals with UTF-16 and UTF-32, `repeats` parses
once what many texts have in common, and `writer` goes the other way.
"""

from sigscope.jsontext.document import JsonSpans, JsonText
from sigscope.jsontext.nodes import Flaw, JsonProblem, Kind, Node
from sigscope.jsontext.repeats import Repeats
from sigscope.jsontext.writer import Style, dumps

__all__ = [
    "Flaw",
    "JsonProblem",
    "JsonSpans",
    "JsonText",
    "Kind",
    "Node",
    "Repeats",
    "Style",
    "dumps",
]
