"""Carries bytes between two connections."""

import select


def carry(one, other):
    """Until one of the two ends."""
    to = {one: other, other: one}
    while True:
        for ready in select.select(list(to), [], [])[0]:
            data = ready.recv(65_536)
            if not data:
                return
            to[ready].sendall(data)
