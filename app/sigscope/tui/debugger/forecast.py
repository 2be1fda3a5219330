"""What the simulator and the rules say to a request before it is sent."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sigscope.edits.records import Edit
from sigscope.engine.sending.orders import Order
from sigscope.engine.sessions.drafts import Base
from sigscope.errors import SigscopeError
from sigscope.ledger.unjudged import lacks_body
from sigscope.records import dataclass
from sigscope.runs import RulesVoice

if TYPE_CHECKING:
    from sigscope.engine.engine import Engine
    from sigscope.engine.sessions.document import Document


@dataclass(frozen=True, slots=True, kw_only=True)
class Forecast:
    """What the simulator says to the request on show, with its edits."""

    base: Base
    edits: tuple[Edit, ...]
    status: int | None = None
    """None where no simulator knows this service."""
    error: str | None = None
    rules: RulesVoice | None = None
    """What the rules say to the same request."""
    is_modelled: bool = True
    """Whether the simulator knows what the step was refused for."""
    is_recorded: bool = True
    """Whether the body of the request was; without it nothing can be foretold."""
    problem: str = ""
    """Why the edits cannot be applied."""

    @property
    def other_voice(self) -> str:
        """What the rules say where they foretell something else, or that the
        simulator does not know; else empty."""
        if not self.is_recorded:
            return "its body was not recorded"
        if not self.is_modelled:
            return "not modelled: ask the service"
        if self.rules is None or not self.rules.differs_from(self.status):
            return ""
        return self.rules.words


def foretell(
    engine: Engine, document: Document, base: Base, edits: tuple[Edit, ...]
) -> Forecast:
    """Ask the simulator, and the rules. May take long; sends nothing."""
    step, run = base
    order = Order(step=step, edits=edits, parent=run)
    if lacks_body(document.reading(step)):
        return Forecast(base=base, edits=edits, is_recorded=False)
    try:
        found = engine.predict(document, order)
        is_fine = found is not None and found.status < 400
        return Forecast(
            base=base,
            edits=edits,
            status=found.status if found else None,
            is_modelled=not is_fine or not engine.doubt_of(document, step, edits=edits),
            error=found.error if found else None,
            rules=engine.rules_voice(document, order),
        )
    except SigscopeError as error:
        return Forecast(base=base, edits=edits, problem=str(error))
