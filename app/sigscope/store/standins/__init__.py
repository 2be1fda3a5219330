"""Stand-ins: texts that take the place of signatures in a session that is shared.

    outline.py   which bytes of a signature tell its origin, and therefore stay
    relations.py a stand-in for every signature, so that what was equal, cut, altered or
                 recoded still is
    standins.py  putting them where the signatures stood, in bodies and texts

A stand-in has the length and the alphabet of the signature. It cannot be turned back:
the characters are shifted by a hash of the signature as a whole.
"""

from sigscope.store.standins.standins import StandIns

__all__ = ["StandIns"]
