"""Waiting for a program to be ready."""

import time


def until_ready(process, is_ready, seconds, complaint, pause=0.05):
    """Returns once `is_ready()`; a program that ends before, or takes longer, is killed, and `complaint()` told."""
    end = time.monotonic() + seconds
    while not is_ready():
        if process.poll() is not None or time.monotonic() > end:
            process.kill()
            process.wait()
            raise SystemExit(complaint())
        time.sleep(pause)
