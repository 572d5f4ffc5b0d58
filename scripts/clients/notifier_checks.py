"""The notifier itself, set up as an operator would, against the served fakes; the control API is the observer."""

import pathlib
import time

from notifierd import Notifierd
from proxy import ConnectProxy

# Polled so often that nobody waits for the check.
HASTY = {"changeDetection": "perItem", "intervalSmall": "1s", "jitterPercent": 0}


def check_notifier(world, program):
    """A comment on GitLab reaches the phone, over two TLS connections and one database file."""
    with notifier(world, program) as server:
        server.watch(server.register(world.told, "maria"), world.told["gitlab"]["projects"]["team/app"], 1)
        comment_until_shown(world, server, "Read me on the phone.")


def check_notifier_behind_proxy(world, program):
    """Everything goes through a proxy, also after that has dropped its tunnels, and no push needs a second attempt."""
    with ConnectProxy() as proxy, notifier(world, program, https_proxy=proxy.url) as server:
        server.watch(server.register(world.told, "maria"), world.told["gitlab"]["projects"]["team/app"], 1)
        for number in range(3):
            comment_until_shown(world, server, f"Read me through tunnel {number}.")
            proxy.cut()
        apns = world.told["apns"]["url"].removeprefix("https://")
        assert proxy.addresses.count(apns) == 3, proxy.addresses
        bad = [entry for entry in server.log() if entry.get("message") in ("delivery.unknown", "delivery.retry")]
        assert not bad, bad


def notifier(world, program, **environment):
    folder = pathlib.Path(world.told["caFile"]).parent.parent
    server = Notifierd(program, world.told, folder, **HASTY)
    server.environment |= environment
    return server


def comment_until_shown(world, server, text):
    time.sleep(2)
    world.act(action="comment", by="@ben", on="team/app!1", body=text)
    end = time.monotonic() + 30
    while time.monotonic() < end:
        shown = [event for event in world.control("GET", "/ledgers/devices")[1]["entries"] if event["kind"] == "displayed"]
        bodies = [event["payload"]["aps"]["alert"]["body"] for event in shown]
        if any(text in body for body in bodies):
            return
        time.sleep(0.1)
    raise AssertionError(f"the phone shows {bodies}; log: {server.log_end()}")
