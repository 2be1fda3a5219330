"""From anomaly to anomaly, in the order of steps, and around the end."""

from __future__ import annotations

from tests.overviews import BROKEN, REFUSED, UNKNOWN, document
from tests.tui.longstory import long_story

from sigscope.engine.engine import Engine
from sigscope.engine.sessions.document import Document
from sigscope.engine.settings.places import shipped
from sigscope.overview import Anomalies, Anomaly, find_anomalies, survey


def anomalies_of(found: Document, *, is_checked: bool = True) -> Anomalies:
    findings = found.findings if is_checked else ()
    strip = survey(
        found.readings, found.ledger, found.refusals, findings, is_checked=is_checked
    )
    return find_anomalies(strip, found.ledger, found.refusals, findings)


def bundled(name: str) -> Document:
    return Engine().open(str(shipped("sessions") / f"{name}.session.jsonl"))


THREE = Anomalies(
    listed=tuple(Anomaly(step=step, names=("CPC-1",)) for step in (2, 12, 40))
)


def test_the_next_one_is_that_of_the_next_step() -> None:
    stop = THREE.after(2, 1)
    assert stop is not None
    assert stop.words == "2 of 3: CPC-1 in step 12"
    between = THREE.after(20, 1)
    assert between is not None
    assert between.anomaly.step == 40


def test_it_goes_around_and_says_so() -> None:
    down, up = THREE.after(40, 1), THREE.after(2, -1)
    assert down is not None
    assert down.words == "from the top: 1 of 3: CPC-1 in step 2"
    assert up is not None
    assert up.words == "from the end: 3 of 3: CPC-1 in step 40"


def test_a_step_that_is_none_is_left_in_both_ways() -> None:
    after, before = THREE.after(13, 1), THREE.after(13, -1)
    assert after is not None
    assert before is not None
    assert (after.anomaly.step, before.anomaly.step) == (40, 12)


def test_where_there_is_none_it_says_what_was_looked_for() -> None:
    found = anomalies_of(bundled("gemini-sequential"))
    assert found.after(1, 1) is None
    assert found.told(None).startswith("no anomaly: no finding but remarks")
    assert "no loss of what is required" in found.told(None)


def test_before_the_rules_have_run_there_is_no_all_clear() -> None:
    found = anomalies_of(bundled("gemini-sequential"), is_checked=False)
    assert found.told(found.after(1, 1)) == (
        "no anomaly known: the rules have not run yet"
    )
    refused = anomalies_of(bundled("copilot-missing-signature"), is_checked=False)
    stop = refused.after(1, 1)
    assert stop is not None
    assert "refused with 400" in refused.told(stop)
    assert refused.told(stop).endswith("(the rules have not run yet)")


def test_each_kind_has_its_words() -> None:
    found = anomalies_of(document(40, {5: REFUSED, 9: BROKEN, 20: UNKNOWN}))
    words = {each.step: each.names for each in found.listed}
    assert words[5] == ("REF-3",)
    assert words[9] == ("REF-4",)
    assert words[20] == ("not judged",)


def test_two_rules_of_one_step_are_one_stop() -> None:
    found = anomalies_of(bundled("copilot-missing-signature"))
    (only,) = found.listed
    assert only.words == "CPC-1 and CPC-2 in step 2"
    assert only.finding is not None
    assert only.finding.rule == "CPC-1"


def test_many_things_of_one_step_become_a_number() -> None:
    anomaly = Anomaly(step=3, names=("A-1", "A-2", "A-3", "A-4"))
    assert anomaly.words == "A-1, A-2 and 2 more in step 3"


def test_what_lasts_is_told_where_it_begins() -> None:
    unknown = dict.fromkeys(range(10, 20), UNKNOWN)
    found = anomalies_of(document(40, unknown))
    assert [e.step for e in found.listed if "not judged" in e.names] == [10]


def test_a_loss_that_no_rule_speaks_of_is_one_too() -> None:
    document_of = bundled("copilot-missing-signature")
    strip = survey(document_of.readings, document_of.ledger, document_of.refusals, ())
    found = find_anomalies(strip, document_of.ledger, document_of.refusals, ())
    (only,) = found.listed
    assert only.names == ("refused with 400", "lost 4fc87b")
    assert only.signature is not None
    assert only.signature.startswith("4fc87b")


def test_fading_is_named_beside_the_rule_of_its_step() -> None:
    found = anomalies_of(bundled("zoo-litellm-dummy"))
    (fading,) = [each for each in found.listed if "reasoning fades" in each.names]
    assert fading.step == 6


def test_a_walk_through_all_of_them_ends_where_it_began() -> None:
    found = anomalies_of(Document(long_story(30, is_timed=False, drops={4, 9, 12, 17})))
    assert len(found.listed) > 2
    step, seen = 0, []
    for _ in found.listed:
        stop = found.after(step, 1)
        assert stop is not None
        step = stop.anomaly.step
        seen.append(step)
    assert seen == [each.step for each in found.listed]
    around = found.after(step, 1)
    assert around is not None
    assert around.turned == "from the top"
