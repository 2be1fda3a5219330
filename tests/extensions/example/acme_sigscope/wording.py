"""How Acme words its errors."""

from sigscope.refusals.pattern import Place, words
from sigscope.refusals.words import Wording

WORDING = Wording(
    name="acme",
    api="Acme",
    prefix="ACM-",
    patterns=(words("ACM-1", "acme_state is missing in message {i}", Place.MESSAGE),),
    looks={"ACM-1": "the named message"},
)
