"""Waits for threads that Ctrl+C ends.

A signal that comes right before the system is asked to wait, or that another thread
takes, wakes nobody up: so it is waited in portions.
"""

from __future__ import annotations

from threading import Thread

HEARD_SECONDS = 0.2
"""Ctrl+C is heard that much later at the latest."""


def join(thread: Thread) -> None:
    """Wait until it has ended. Raises KeyboardInterrupt."""
    while thread.is_alive():
        thread.join(HEARD_SECONDS)
