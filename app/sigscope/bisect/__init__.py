"""Bisect: which of several changes make a refused request pass.

A refused request and a set of *factors* (changes that can be made to it one by one) are
given. Making all of them is known, or hoped, to make it pass; most of them rarely
matter. Wanted is a set that is *1-minimal*: with it the request passes, and without
any one of its factors it fails. That is a claim about the service, so it comes with its
evidence: the request as recorded failing, the request with the set passing, and for
each factor the request without it failing. For k factors these are k + 2 requests;
where a live service is asked, the first two are sent twice, as one that alternates
would be believed otherwise.

The search asks questions ("does it pass with these factors?") and is told the answers;
who answers, the simulator or a service that costs money, is not its business. What the
simulator believes is a hint, never evidence.

The reduction is delta debugging (Zeller and Hildebrandt, "Simplifying and Isolating
Failure-Inducing Input", IEEE TSE 28(2), 2002), here of a set that passes.
"""

from sigscope.bisect.knowledge import FactorStanding, Knowledge
from sigscope.bisect.pieces import (
    edits_of,
    idle_among,
    joined_lists,
    pieces_made_by,
)
from sigscope.bisect.records import Factor, ListPiece, Observation, Proof
from sigscope.bisect.search import minimise, prove, prove_needed

__all__ = [
    "Factor",
    "FactorStanding",
    "Knowledge",
    "ListPiece",
    "Observation",
    "Proof",
    "edits_of",
    "idle_among",
    "joined_lists",
    "minimise",
    "pieces_made_by",
    "prove",
    "prove_needed",
]
