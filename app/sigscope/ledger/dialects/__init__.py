"""Whether a service insists on a signature: the policy of each dialect.

One file each, of the dialect's stem, and a line here. An API without a policy insists
on nothing that is known.
"""

from __future__ import annotations

from sigscope import extensions
from sigscope.dialects.base import Dialect
from sigscope.ledger.dialects import (
    anthropic,
    copilot_chat,
    deepseek,
    gemini,
    gemini_openai,
    litellm,
    openrouter,
    responses,
)
from sigscope.ledger.policy import Policy

POLICIES: tuple[Policy, ...] = (
    copilot_chat.POLICY,
    openrouter.POLICY,
    litellm.POLICY,
    gemini.POLICY,
    anthropic.POLICY,
    responses.POLICY,
    gemini_openai.POLICY,
    deepseek.POLICY,
    *extensions.stage("follow", Policy),
)
_BY_NAME = {policy.dialect: policy for policy in POLICIES}


def policy_of(dialect: Dialect | None) -> Policy | None:
    """The policy of a dialect; None where no rule is known for its API."""
    return _BY_NAME.get(dialect.name) if dialect else None
