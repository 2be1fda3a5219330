"""Run a command, and end it with all it started when its time is over.

  python tests/peers/bounded.py SECONDS COMMAND [ARGUMENT ...]

The exit code is the command's; 124 when its time was over, 127 where there is no such
command. (`timeout` is not everywhere.)
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys

OVER, NOT_FOUND = 124, 127


def main(seconds: str, *command: str) -> int:
    """Its exit code."""
    try:
        process = subprocess.Popen(command, start_new_session=True)
    except OSError as error:
        sys.stderr.write(f"{command[0]}: {error.strerror}\n")
        return NOT_FOUND
    try:
        return process.wait(float(seconds))
    except subprocess.TimeoutExpired:
        sys.stderr.write(f"{command[0]} did not end in {seconds} s\n")
        return OVER
    finally:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
