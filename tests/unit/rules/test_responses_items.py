from __future__ import annotations

from collections.abc import Iterator

import pytest
from tests import builders as b
from tests.unit.rules.responses_cases import CALL, RESULT, USER, answer, ask

from sigscope.conversation import Json
from sigscope.dialects.histories import Histories
from sigscope.exchange import Exchange
from sigscope.ledger import build_ledger
from sigscope.opaque import mark
from sigscope.reader import Reading
from sigscope.rules.responses import rsp_14_unpaired_item as rsp_14
from sigscope.rules.responses.items import SealedWatch
from sigscope.rules.runner import check_session


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


def chained(steps: int) -> Iterator[Exchange]:
    """Each request goes on from the answer before, which the service keeps."""
    for number in range(1, steps + 1):
        call = {**CALL, "id": f"fc_{number}", "call_id": f"call_{number}"}
        result = {**RESULT, "call_id": f"call_{number - 1}"}
        before = f"resp_{number - 1}"
        more: Json = {"previous_response_id": before} if number > 1 else {}
        reply = answer(call, name=f"resp_{number}")
        yield ask(result if number > 1 else USER, reply=reply, **more)


def test_of_a_chain_of_answers_each_is_looked_at_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    looked: list[int] = []
    left_by = rsp_14._left_by

    def counted(before: Reading) -> object:
        looked.append(before.number)
        return left_by(before)

    monkeypatch.setattr(rsp_14, "_left_by", counted)
    steps = 12
    lone = ask(USER, status=400, previous_response_id=f"resp_{steps}")
    readings = b.read([*chained(steps), lone])
    found = check_session(readings, build_ledger(readings), {}, (rsp_14.RULE,))
    assert [(one.step, one.message) for one in found] == [
        (steps + 1, f"call call_{steps} of the stored answer has no output")
    ]
    assert sorted(looked) == [*range(1, steps + 1)]
