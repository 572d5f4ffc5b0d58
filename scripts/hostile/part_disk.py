"""A disk without room: the server says so, loses nothing, and goes on by itself."""

import json
import pathlib
import time
import urllib.error
import urllib.request

from notifierd import OPENER, Notifierd
from served_world import ServedWorld

WORLD = pathlib.Path(__file__).resolve().parent.parent / "clients" / "world.json"
SETTINGS = {"sweepInterval": "5s", "requestsPerMinute": 1_000_000, "jitterPercent": 0}
COMMENTS = 5
# Five minutes of failures: what is written once, and what each part of the server says once.
LINES = 20
# Mounts a disk of its own for the program alone; as somebody else than root in a user namespace.
MOUNTED = ["unshare", "--mount", "--map-root-user", "sh", "-c",
           'disk=$1; shift; mount -t tmpfs -o size=2m,mode=700 tmpfs "$disk" && exec "$@"', "sh"]


def check(folder, simctl, notifierd):
    """A full disk: readiness, metrics and the log say it, reading goes on, and everything arrives afterwards."""
    disk = folder / "disk"
    disk.mkdir()
    with ServedWorld(simctl, str(WORLD), str(folder / "certs")) as world:
        server = Notifierd(notifierd, world.told, folder, **SETTINGS)
        settings = json.loads((folder / "notifierd.json").read_text())
        settings["database"] = str(disk / "notifier.db")
        (folder / "notifierd.json").write_text(json.dumps(settings))
        server.command = [*MOUNTED, str(disk), *server.command]
        with server:
            session = server.register(world.told, "maria")
            server.watch(session, world.told["gitlab"]["projects"]["team/app"], 1)
            comment(world, "Room for this")
            wait("a comment before", 60, lambda: is_shown(world, "Room for this"))
            assert ask(server, "/health/ready")[0] == 200
            # The mount is the program's own; from outside it is reached through the process.
            filler = pathlib.Path(f"/proc/{server.pid}/root{disk}/filler")
            fill(filler)
            texts = [f"No room for this {number}" for number in range(COMMENTS)]
            for text in texts:
                comment(world, text)
            said = wait("readiness of a full disk", 90, lambda: is_full(server))
            check_said(server, session)
            assert not any(is_shown(world, text) for text in texts), "a push went out that is not stored"
            time.sleep(30)
            lines = [entry for entry in server.log() if entry.get("level") in ("error", "warning")]
            assert len(lines) <= LINES, f"{len(lines)} lines of trouble: {[entry['message'] for entry in lines]}"
            assert sum(entry["message"] == "store.failing" for entry in lines) == 1, "it is to be said once"
            filler.unlink()
            again = wait("readiness with room again", 150, lambda: ask(server, "/health/ready")[0] == 200)
            # Several at once are one notification, which shows the text of none: its facts say which comments it tells of.
            wait(f"{1 + COMMENTS} comments on the phone", 120, lambda: len(told_comments(world)) == 1 + COMMENTS)
            assert any(entry["message"] == "store.recovered" for entry in server.log())
    return f"said after {said:.0f} s, ready again after {again:.0f} s, {COMMENTS} comments arrived"


def check_said(server, session):
    page = OPENER.open(server.base + "/metrics", timeout=20).read().decode()
    assert '\ndatabase_failing{reason="full"} 1\n' in page, "the metrics do not say it"
    assert ask(server, "/health")[0] == 200, "the process itself is well"
    assert ask(server, "/status", session)[0] == 200, "reading is to go on"
    status, answer = ask(server, "/notifications/test", session, "POST")
    assert status == 503 and answer["code"] == "database_unavailable", f"a write: {status} {answer}"


def is_full(server):
    status, answer = ask(server, "/health/ready")
    return status == 503 and answer["db"] == "full"


def fill(path):
    with open(path, "wb", buffering=0) as file:
        try:
            while file.write(b"\0" * 4096) == 4096:
                pass
        except OSError:
            pass


def ask(server, path, session=None, method="GET"):
    request = urllib.request.Request(server.base + path, method=method, data=b"" if method == "POST" else None)
    if session:
        request.add_header("Authorization", f"Bearer {session}")
    try:
        with OPENER.open(request, timeout=20) as answer:
            return answer.status, json.load(answer)
    except urllib.error.HTTPError as error:
        answer = json.load(error)
        return error.code, answer.get("error", answer)


def comment(world, text):
    world.act(action="comment", by="@ben", on="team/app!1", body=text)


def is_shown(world, text):
    entries = world.control("GET", "/ledgers/devices")[1]["entries"]
    return any(
        entry["kind"] == "displayed" and text in entry["payload"]["aps"]["alert"].get("body", "") for entry in entries)


def told_comments(world):
    """The comments that the device has displayed news of, by the keys of their facts."""
    entries = world.control("GET", "/ledgers/devices")[1]["entries"]
    facts = [fact for entry in entries if entry["kind"] == "displayed" for fact in entry["payload"].get("data", {}).get("facts", [])]
    return {json.dumps(fact) for fact in facts if "note/" in json.dumps(fact)}


def wait(what, seconds, condition):
    """Seconds until the condition holds."""
    start = time.monotonic()
    while not condition():
        assert time.monotonic() - start < seconds, f"{what}: not within {seconds} s"
        time.sleep(0.5)
    return time.monotonic() - start
