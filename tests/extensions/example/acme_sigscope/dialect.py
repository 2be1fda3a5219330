"""The shape of the wire: where it is served, where the signature stands."""

from sigscope.conversation import SignatureKind
from sigscope.dialects.chat import ChatDialect
from sigscope.dialects.chat_carriers import chat_carrier
from sigscope.dialects.homes import OnMessage
from sigscope.dialects.services import Service, Variable

FIELD = "acme_state"
ACME = Service(
    name="acme",
    title="Acme",
    hosts=("api.acme.example",),
    key_variable=Variable("ACME_API_KEY", "your key"),
)


class Acme(ChatDialect):
    name = "acme"
    title = "Acme chat completions"
    services = (ACME,)
    carriers = (chat_carrier(f"acme.{FIELD}", FIELD, SignatureKind.SIGNATURE),)
    default_path = "/v1/chat/completions"
    default_model = "acme-1"
    signature_keys = (FIELD,)
    marks = frozenset({FIELD})
    home = OnMessage(key=FIELD, keys={})


DIALECT = Acme()
