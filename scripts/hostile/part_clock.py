"""A wall clock that is set, hours and days off: while the server runs, while news waits, and over restarts."""

import collections
import math
import pathlib
import re
import time

from notifierd import OPENER, Notifierd, call
from served_world import ServedWorld

from hostile.fast_clock import SteppedClock
from hostile.wall_timers import wall_timers

WORLD = pathlib.Path(__file__).resolve().parent.parent / "clients" / "world.json"
MINUTE, HOUR, DAY = 60, 3_600, 86_400
STEPS = {"+2 h": 2 * HOUR, "+1 day": DAY, "-10 min": -10 * MINUTE, "-1 day": -DAY}
# Apple takes no token that was made an hour ahead: a server that starts with such a clock has no other.
APNS_TOLERANCE = HOUR
SETTINGS = {
    "sweepInterval": "5s", "requestsPerMinute": 1_000_000, "jitterPercent": 0, "retryDelays": ["10s"], "probeDelays": ["5s"],
    "configurationProbeInterval": "10s",
}
# Two sweeps, a retry, and what the two cores need.
IN_TIME_SECONDS = 40
# How far the metric may be off: whole seconds in GitLab's `Date`, and the way.
METRIC_SECONDS = 5
OFFSET = re.compile(r"^gitlab_clock_offset_seconds ([0-9.e+]+)$", re.MULTILINE)
RETRIES = re.compile(r"^apns_retries_total ([0-9.e+]+)$", re.MULTILINE)
LOOKS = 200
AGAIN_SECONDS = 12


def check(folder, simctl, notifierd):
    """Steps of 2 h, 1 day, -10 min and -1 day and back: news in time and once, and the operator is told how wrong the clock is."""
    with ServedWorld(simctl, str(WORLD), str(folder / "certs")) as world:
        server = Notifierd(notifierd, world.told, folder, **SETTINGS)
        story = Story(world, server)
        with server:
            story.sign_in()
            story.told_in_time("by the machine's own clock")
            look_at_timers(server)
        clock = SteppedClock(simctl, folder)
        server.environment |= clock.environment()
        with server:
            for name, offset in STEPS.items():
                step(story, server, clock, name, offset)
                step(story, server, clock, f"{name} taken back", 0)
        for name, offset in STEPS.items():
            restart(story, server, clock, name, offset)
        with server:
            # Two sweeps, in which something could be told again.
            time.sleep(AGAIN_SECONDS)
            story.check_once()
    return f"{len(story.facts)} comments, each told once, after {max(story.waits):.0f} s at most"


def look_at_timers(server):
    """The stepped clock cannot show a timer that ends by the wall clock, since it turns each into a length: so there may be none."""
    for _ in range(LOOKS):
        found = wall_timers(server.pid)
        assert not found, f"timers that a step of the wall clock changes: {found}"
        time.sleep(0.01)


def step(story, server, clock, name, offset):
    """Sets the clock while a push waits for its retry, and while a comment is new."""
    story.let_push_fail(f"waits, then {name}")
    before = len(server.log())
    clock.set(offset)
    story.comment(f"just after {name}")
    story.let_pushes_pass()
    story.shown_in_time(f"waits, then {name}")
    story.shown_in_time(f"just after {name}")
    check_told(server, before, name, offset)
    story.told_in_time(f"later, {name}")


def check_told(server, before, name, offset):
    """The metric, and one line of the log, say how far ahead the clock is, or that it is right."""
    wait(f"the offset after {name}", 30, lambda: abs(number(server, OFFSET) - abs(offset)) <= METRIC_SECONDS,
         lambda: f"it is {number(server, OFFSET)}")
    entries = server.log()[before:]
    said = [entry["message"] for entry in entries if entry["message"] in ("clock.differs", "clock.agrees")]
    assert said == ["clock.differs" if offset else "clock.agrees"], f"after {name} the log says {said}"
    if offset:
        told = next(entry["offset_ms"] for entry in entries if entry["message"] == "clock.differs") / 1_000
        assert abs(told - offset) <= METRIC_SECONDS, f"after {name} the log says {told} s"
    assert any(entry["message"] == "clock.stepped" for entry in entries), f"nothing was moved along after {name}"


def restart(story, server, clock, name, offset):
    """A start with a wrong clock and one with a right one; each time a comment was written meanwhile."""
    story.comment(f"before a start with {name}")
    story.let_time_pass()
    clock.set(offset)
    with server:
        is_refused = offset > APNS_TOLERANCE
        text = f"with {name} from the start"
        story.comment(text)
        for waiting in (f"before a start with {name}", text):
            story.is_stored_in_time(waiting) if is_refused else story.shown_in_time(waiting)
        wait(f"the offset after a start with {name}", 30, lambda: abs(number(server, OFFSET) - abs(offset)) <= METRIC_SECONDS,
             lambda: f"it is {number(server, OFFSET)}")
        said = [entry["message"] for entry in server.log()]
        assert said.count("clock.differs") == 1, f"after a start with {name} the log says so {said.count('clock.differs')} times"
        if is_refused:
            wait("a line that APNs refuses the server's token", IN_TIME_SECONDS,
                 lambda: any(entry["message"] == "token.refused" for entry in server.log()), server.log_end)
            assert not story.is_shown(text), "APNs takes a token from the future"
    story.let_time_pass()
    clock.set(0)
    with server:
        for waiting in (f"before a start with {name}", text):
            story.shown_in_time(waiting)
        story.told_in_time(f"right again after a start with {name}")
        assert number(server, OFFSET) <= METRIC_SECONDS, f"it is right, and {number(server, OFFSET)} s off"


class Story:
    """A person with a phone, who watches an item, and what another one says there."""

    def __init__(self, world, server):
        self.world, self.server = world, server
        self.facts, self.waits = {}, []

    def sign_in(self):
        self._session = self.server.register(self.world.told, "maria")
        self.server.watch(self._session, self.world.told["gitlab"]["projects"]["team/app"], 1)

    def comment(self, name):
        assert name not in self.facts, f"{name} twice"
        activity, = self.world.act(action="comment", by="@ben", on="team/app!1", body=name)["activities"]
        self.facts[name] = f"note/{activity['projectID']}/{activity['noteIDs'][0]}"

    def told_in_time(self, name):
        self.comment(name)
        self.shown_in_time(name)

    def shown_in_time(self, name):
        self.waits.append(wait(f"'{name}' on the phone", IN_TIME_SECONDS, lambda: self.is_shown(name), self.server.log_end))

    def is_stored_in_time(self, name):
        """It stands in the history, where an app finds it."""
        self.waits.append(wait(f"'{name}' in the history", IN_TIME_SECONDS, lambda: self._is_stored(name), self.server.log_end))

    def _is_stored(self, name):
        notifications = call(self.server.base, "/notifications", session=self._session)["notifications"]
        return any(self.facts[name] in notification["facts"] for notification in notifications)

    def is_shown(self, name):
        return self._told()[self.facts[name]] > 0

    def _told(self):
        """How often the phone has displayed news of each thing that happened."""
        told, sequence = collections.Counter(), 0
        while entries := self.world.control("GET", f"/ledgers/devices?after={sequence}")[1]["entries"]:
            sequence = entries[-1]["sequence"]
            displayed = [entry["payload"].get("data", {}) for entry in entries if entry["kind"] == "displayed"]
            told.update(fact for data in displayed for fact in data.get("facts", []))
        return told

    def let_push_fail(self, name):
        """APNs is down, and has refused the news of a comment."""
        before = number(self.server, RETRIES)
        self.world.act(fault="apns-outage", id="down", mode="503", **{"for": "10m"})
        self.comment(name)
        wait("a push that failed", IN_TIME_SECONDS, lambda: number(self.server, RETRIES) > before, self.server.log_end)

    def let_time_pass(self):
        """Twenty minutes between two starts, in which APNs forgets which of the server's tokens it has seen."""
        self.world.control("DELETE", "/apns/limits")

    def let_pushes_pass(self):
        self.world.control("DELETE", "/faults/down")

    def check_once(self):
        told = self._told()
        wrong = {name: told[fact] for name, fact in self.facts.items() if told[fact] != 1}
        assert not wrong, f"not told once: {wrong}"
        assert set(told) == set(self.facts.values()), f"told besides: {set(told) - set(self.facts.values())}"


def number(server, pattern):
    """A metric's value; while there is none, what equals nothing."""
    page = OPENER.open(server.base + "/metrics", timeout=20).read().decode()
    found = pattern.search(page)
    return float(found[1]) if found else math.nan


def wait(what, seconds, condition, complaint):
    """Seconds until the condition holds."""
    start = time.monotonic()
    while not condition():
        assert time.monotonic() - start < seconds, f"{what}: not within {seconds} s: {complaint()}"
        time.sleep(0.25)
    return time.monotonic() - start
