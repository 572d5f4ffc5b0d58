"""A GitLab that was taken over, or is broken: sixty accounts whose lists are made to exhaust the server."""

import collections
import concurrent.futures
import contextlib
import http.client
import json
import pathlib
import time

from notifierd import Notifierd
from served_world import ServedWorld

from hostile.hostile_gitlab import ITEM_COUNT, several
from hostile.process_memory import MemoryWatch

ACCOUNTS = 60
SERVERS = 6
MEGABYTE = 1024 * 1024
# What the server may hold resident at most, ever.
BOUND = 150 * MEGABYTE
# Where the machine is saved from it.
KILL_AT = 700 * MEGABYTE
HOSTILE_SECONDS = 90
# A sweep every ten seconds, and what the two cores need: the promise is two minutes with a sweep every thirty.
IN_TIME_SECONDS = 40
WORLD = pathlib.Path(__file__).resolve().parent.parent / "clients" / "world.json"

SETTINGS = {"sweepInterval": "10s", "requestsPerMinute": 1_000_000, "jitterPercent": 10}


def check(folder, simctl, notifierd):
    """Sixty accounts at hostile GitLabs: 150 MB resident at most, and the others' news in time."""
    with contextlib.ExitStack() as stack:
        gitlabs = [stack.enter_context(server) for server in several(SERVERS)]
        world = stack.enter_context(ServedWorld(simctl, str(WORLD), str(folder / "certs")))
        server = stack.enter_context(Ended(start(notifierd, world, folder, gitlabs)))
        session = server.register(world.told, "maria")
        server.watch(session, world.told["gitlab"]["projects"]["team/app"], 1)
        with concurrent.futures.ThreadPoolExecutor(8) as pool:
            list(pool.map(lambda number: admit(server, gitlabs[number % SERVERS].url, number), range(ACCOUNTS)))
        tame_peak = peak_of(server)
        with MemoryWatch(server.process, KILL_AT) as memory:
            for gitlab in gitlabs:
                gitlab.turn()
            waits = comment_in_turns(world, server, memory)
            memory.look()
        megabytes = memory.peak / MEGABYTE
        assert not memory.was_killed, f"killed when it held {megabytes:.0f} MB (quiet: {tame_peak / MEGABYTE:.0f} MB)"
        assert server.process.poll() is None, f"the process ended with {server.process.poll()}: {server.log_end()}"
        assert memory.peak <= BOUND, f"{megabytes:.0f} MB resident, of {BOUND // MEGABYTE} (quiet: {tame_peak / MEGABYTE:.0f} MB)"
        failed = collections.Counter(entry.get("error") for entry in server.log() if entry["message"] == "scan.failed")
        assert sum(failed.values()) >= ACCOUNTS, f"the hostile lists were hardly read: {failed}"
        aside = kill_twice(world, server)
        return (
            f"{megabytes:.0f} MB resident at most (quiet: {tame_peak / MEGABYTE:.0f}), news after {max(waits):.0f} s at most; "
            f"{aside} accounts set aside after two kills")


def start(program, world, folder, gitlabs):
    return Notifierd(program, world.told, folder, gitlabs=[gitlab.url for gitlab in gitlabs], **SETTINGS)


class Ended(contextlib.AbstractContextManager):
    """The server, which may have been killed when the block ends."""

    def __init__(self, server):
        self._server = server

    def __enter__(self):
        return self._server.__enter__()

    def __exit__(self, *_):
        if self._server.process.poll() is None:
            self._server.process.kill()
            self._server.process.wait()


def admit(server, url, number):
    """Registers an account and lets it watch some items, while its GitLab is tame."""
    token = {"gitlabUrl": url, "personalAccessToken": f"glpat-hostile-{number}"}
    session = register(server.base, token, f"127.0.1.{1 + number}")
    for iid in range(1, ITEM_COUNT + 1):
        server.watch(session, 1, iid)


def register(base, token, source):
    """From an address of its own, as a stranger's share of registrations is small."""
    connection = http.client.HTTPConnection(base.removeprefix("http://"), timeout=60, source_address=(source, 0))
    try:
        connection.request("POST", "/auth/register", json.dumps(token))
        answer = connection.getresponse()
        body = json.load(answer)
        assert answer.status == 201, f"{answer.status} {body}"
        return body["token"]
    finally:
        connection.close()


def peak_of(server):
    watch = MemoryWatch(server.process, KILL_AT)
    watch.look()
    return watch.peak


def comment_in_turns(world, server, memory):
    """Comments at a good GitLab, one after the other; how long each took to the phone, in seconds."""
    waits = []
    end = time.monotonic() + HOSTILE_SECONDS
    while time.monotonic() < end:
        waits.append(comment_until_shown(world, server, memory, f"Comment {len(waits)} in bad times"))
        time.sleep(3)
    return waits


def comment_until_shown(world, server, memory, text):
    """How long a comment took to the phone, in seconds."""
    start = time.monotonic()
    world.act(action="comment", by="@ben", on="team/app!1", body=text)
    while not is_shown(world, text):
        waited, megabytes = time.monotonic() - start, memory.peak / MEGABYTE
        assert not memory.was_killed, f"killed when it held {megabytes:.0f} MB, to save the machine"
        assert server.process.poll() is None, (
            f"the process ended with {server.process.poll()} at {megabytes:.0f} MB: {server.log_end()}")
        assert waited <= IN_TIME_SECONDS, f"{text}: no news after {waited:.0f} s, {megabytes:.0f} MB resident"
        time.sleep(0.2)
    return time.monotonic() - start


def kill_twice(world, server):
    """Ends the process where it stands, twice, while the slow lists are read; how many accounts are set aside then."""
    for _ in range(2):
        time.sleep(8)
        server.process.kill()
        server.process.wait()
        server.__enter__()
    with MemoryWatch(server.process, KILL_AT) as memory:
        comment_until_shown(world, server, memory, "Comment after two deaths")
    aside = {entry["account.id"] for entry in server.log() if entry["message"] == "poll.set_aside"}
    assert 0 < len(aside) < ACCOUNTS, f"set aside: {sorted(aside)}"
    return len(aside)


def is_shown(world, text):
    entries = world.control("GET", "/ledgers/devices")[1]["entries"]
    return any(
        entry["kind"] == "displayed" and text in entry["payload"]["aps"]["alert"].get("body", "") for entry in entries)
