"""The debugger without a terminal: its model, and the parts that work on it."""
