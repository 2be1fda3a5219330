"""How Acme words its errors."""

from sigscope.refusals.entry import TURN, built
from sigscope.refusals.pattern import Place, words
from sigscope.refusals.words import Wording

WORDING = Wording(
    name="acme",
    prefix="ACM-",
    patterns=(words("ACM-1", "acme_state is missing in message {i}", Place.MESSAGE),),
    entries=(built("ACM-1", "Acme", "the named message", TURN),),
)
