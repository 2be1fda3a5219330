"""Sets of which each is the one before and a little more."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from sigscope.prefixset import PrefixSet

ADDED = st.lists(st.tuples(st.integers(0, 5), st.lists(st.integers(0, 9), max_size=4)))


@given(ADDED)
def test_each_is_as_a_set_of_its_own_whoever_goes_on_from_it(
    added: list[tuple[int, list[int]]],
) -> None:
    made = [PrefixSet[int]()]
    plain: list[set[int]] = [set()]
    for start, members in added:
        at = start % len(made)
        made.append(made[at].followed_by(members))
        plain.append(plain[at].union(members))
    assert [set(one) for one in made] == plain
    assert [len(one) for one in made] == [len(one) for one in plain]
    for one, same in zip(made, plain, strict=True):
        assert [n in one for n in range(10)] == [n in same for n in range(10)]
        for other, like in zip(made, plain, strict=True):
            assert (one == other) is (same == like)
            assert one.begins_with(other) is (same >= like)
            if same >= like:
                assert set(one.since(other)) == same - like


def test_members_come_in_the_order_in_which_they_were_added() -> None:
    one = PrefixSet[int]().followed_by([3, 1])
    assert [*one.followed_by([1, 2])] == [3, 1, 2]
    assert [*one.followed_by([9])] == [3, 1, 9]
    assert [*one] == [3, 1]


def test_a_chain_has_one_list_and_who_adds_the_same_has_it_too() -> None:
    one = PrefixSet[int]().followed_by([1])
    two, again = one.followed_by([2]), one.followed_by([2])
    assert two._whole is one._whole is again._whole
    assert one.followed_by([1]) is one
    assert one.followed_by([3])._whole is not one._whole
