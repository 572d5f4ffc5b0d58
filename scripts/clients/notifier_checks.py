"""The notifier itself, set up as an operator would, against the served fakes; the control API is the observer."""

import pathlib
import time

from notifierd import Notifierd

# Polled so often that nobody waits for the check.
HASTY = {"changeDetection": "perItem", "intervalSmall": "1s", "jitterPercent": 0}


def check_notifier(world, program):
    """A comment on GitLab reaches the phone, over two TLS connections and one database file."""
    folder = pathlib.Path(world.told["caFile"]).parent.parent
    with Notifierd(program, world.told, folder, **HASTY) as notifier:
        session = notifier.register(world.told, "maria")
        notifier.watch(session, world.told["gitlab"]["projects"]["team/app"], 1)
        time.sleep(2)
        world.act(action="comment", by="@ben", on="team/app!1", body="Read me on the phone.")
        end = time.monotonic() + 30
        while time.monotonic() < end:
            pushes = world.control("GET", "/ledgers/devices")[1]["entries"]
            bodies = [event["payload"]["aps"]["alert"]["body"] for event in pushes if event["kind"] == "displayed"]
            if any("Read me on the phone." in body for body in bodies):
                return
            time.sleep(0.1)
        raise AssertionError(f"the phone shows {bodies}; log: {notifier.log_end()}")
