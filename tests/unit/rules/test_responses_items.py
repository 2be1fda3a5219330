from __future__ import annotations

from tests.unit.rules.responses_cases import ask

from sigscope.conversation import Json
from sigscope.dialects.histories import Histories
from sigscope.opaque import mark
from sigscope.reader import Reading
from sigscope.rules.responses.items import SealedWatch


def sealed(number: int) -> Json:
    return {"type": "reasoning", "id": f"rs_{number}", "encrypted_content": "g" * 40}


def requests(*counts: int) -> list[Reading]:
    """Requests that bring so many sealed items back, numbered from 1."""
    histories = Histories()
    found = []
    for count in counts:
        asking = ask(*map(sealed, range(1, count + 1)))
        found.append(Reading(asking, number=1, histories=histories))
    return found


def test_of_requests_that_go_on_what_is_new_is_looked_at() -> None:
    looked: list[str] = []

    def is_wrong(name: str, key: int) -> bool:
        assert key == mark("g" * 40)
        looked.append(name)
        return name == "rs_4"

    watch = SealedWatch(is_wrong)
    assert [watch.finds(one) for one in requests(1, 3, 3, 4, 4, 2, 5)] == [
        *(False, False, False),
        *(True, True),
        False,
        True,
    ]
    assert looked[:3] == ["rs_1", "rs_2", "rs_3"]
    assert looked[3:5] == ["rs_4", "rs_4"]
    assert looked[5:] == ["rs_1", "rs_2", "rs_3", "rs_4"]
