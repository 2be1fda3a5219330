"""What people and models said, replaced by letters that say nothing.

    {"role":"user","content":"Fix bug 42 in café.py"}
    {"role":"user","content":"Xxx xxx 11 xx xxxø.xx"}

    letters.py    one character for another, of the same width in UTF-8
    places.py     which strings of a body are content, and which hold it together
    identity.py   who somebody is: headers, `user`, `metadata`, ids in errors
    masking.py    bodies, streams and edits

What stays: roles, types, ids, names of models and tools, keys, signatures, error
answers, and the shape of texts (line ends, punctuation, lengths). So ledger and
findings stay what they were, and every offset too. A text that was streamed in pieces
is masked like the same text in the next request, as a character's stand-in depends on
nothing but itself.
"""

from sigscope.store.content.mask import ContentMask

__all__ = ["ContentMask"]
