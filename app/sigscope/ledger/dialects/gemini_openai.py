"""When Gemini insists on a signature, spoken to as OpenAI is: as it always does."""

from sigscope.ledger.dialects.gemini import grade
from sigscope.ledger.policy import Policy

POLICY = Policy(dialect="gemini-openai", grade=grade)
