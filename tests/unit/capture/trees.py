"""Trees as JSON and YAML parsers give them, for properties that hold of any."""

from __future__ import annotations

from hypothesis import strategies as st

TREES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(max_size=5)
    | st.binary(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.text(max_size=3) | st.binary(max_size=3), inner, max_size=3
        )
    ),
    max_leaves=6,
)
