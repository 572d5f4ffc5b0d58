"""The client for the terminal, `gitlab-notify`, as a person uses it, and what it shows."""

import json
import os
import pathlib
import subprocess
import time

from notifierd import Notifierd

# Polled so often that nobody waits for the check.
HASTY = {"changeDetection": "perItem", "intervalSmall": "1s", "jitterPercent": 0}
PATIENCE = 60
# Between two looks through the program, which costs requests of the hundred that an address has a minute.
LOOK_SECONDS = 0.5


class Terminal:
    """The program with a state folder of its own."""

    def __init__(self, program, folder):
        self.program = program
        self.state = pathlib.Path(folder) / "gitlab-notify"
        self.environment = {"PATH": os.environ["PATH"], "HOME": str(folder), "XDG_STATE_HOME": str(folder)}
        if "LD_LIBRARY_PATH" in os.environ:
            self.environment["LD_LIBRARY_PATH"] = os.environ["LD_LIBRARY_PATH"]

    def run(self, *arguments, status=0, text=None):
        """Standard output and error of a command that ends with `status`."""
        done = subprocess.run(
            [self.program, *arguments], env=self.environment, input=text or "", capture_output=True, text=True, timeout=PATIENCE)
        assert done.returncode == status, f"{arguments}: {done.returncode} instead of {status}: {done.stdout}{done.stderr}"
        return done.stdout, done.stderr

    def json(self, *arguments, status=0, text=None):
        return json.loads(self.run(*arguments, "--json", status=status, text=text)[0])

    def start(self, *arguments):
        return subprocess.Popen(
            [self.program, *arguments], env=self.environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, text=True)

    def tails(self):
        """Whether a tail runs: it holds a lock on a file that signing in leaves behind, too. Nobody else may try that lock to find out."""
        try:
            inode = (self.state / "tail.lock").stat().st_ino
        except FileNotFoundError:
            return False
        return f":{inode} " in pathlib.Path("/proc/locks").read_text()

    @property
    def credentials(self):
        return json.loads((self.state / "credentials.json").read_text())


def server(world, program, name="server", apns=False, **settings):
    """A notifierd in a folder of its own; without a key of Apple's unless `apns`."""
    folder = pathlib.Path(world.told["caFile"]).parent.parent / name
    folder.mkdir(exist_ok=True)
    started = Notifierd(program, world.told, folder, **HASTY, **settings)
    if not apns:
        for key in [key for key in started.environment if key.startswith("APNS_")]:
            del started.environment[key]
    return started


def folder(world, name):
    path = pathlib.Path(world.told["caFile"]).parent.parent / name
    path.mkdir()
    return path


def sign_in(terminal, world, base, person="maria"):
    gitlab = world.told["gitlab"]
    terminal.run("login", base, "--gitlab", gitlab["url"], "--token-file", "-", text=gitlab["tokens"][person] + "\n")


def await_that(is_so, what):
    end = time.monotonic() + PATIENCE
    while not (found := is_so()):
        assert time.monotonic() < end, f"{what} did not happen in {PATIENCE} s"
        time.sleep(LOOK_SECONDS)
    return found


def watched(terminal):
    """What a terminal lists that has reached the server."""
    listed = terminal.json("list")
    assert not listed["offline"] and listed["waiting"] == 0, listed
    return [(item["itemType"], item["itemIid"], item.get("mutedUntil")) for item in listed["items"]]


def turns(terminal, offline=False, waiting=0):
    """The turns that a terminal lists, of every duty."""
    listed = terminal.json("duties")
    assert (listed["offline"], listed["waiting"]) == (offline, waiting), listed
    names = {member["memberId"]: member["name"] for duty in listed["duties"] for member in duty["members"]}
    return [(turn["occurrenceId"], turn["status"], names[turn["assignee"]]) for duty in listed["duties"] for turn in duty["occurrences"]]


def told(terminal):
    return [entry["title"] for entry in terminal.json("history")["notifications"]]
