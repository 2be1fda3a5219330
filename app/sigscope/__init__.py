"""sigscope: a debugger for conversations with reasoning models.

wire bytes → exchange → dialect → parts → threads → ledger → findings
→ edits → run → verdict → export

One engine; `cli` and `tui` only call it. The packages are layers: a module imports
from those to its left in this line, never from those to its right (the contracts in
`pyproject.toml` hold this).
"""

__version__ = "0.1.0"
