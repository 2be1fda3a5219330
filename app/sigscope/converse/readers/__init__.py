"""Reading a reply as a client does: event by event, only the fields it knows.

A reader is fed the parsed JSON of each event (or the one whole body) and gives what it
heard. It is a client's code, mistakes included: the lossless view of the same bytes is
`sigscope.reader`.
"""

from sigscope.converse.readers.base import Reader

__all__ = ["Reader"]
