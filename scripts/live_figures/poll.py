"""Polling: notifierd on one core, the fake GitLab on another, real sockets between them."""

import concurrent.futures
import datetime
import re
import tempfile
import time

import worlds
from figures import Figure, percentile
from notifierd import Notifierd
from processes import processor_seconds
from served_world import ServedWorld

ITEMS_EACH = 50
SMALL, LARGE = 40, 200
# Who ask as often as they may take one core and more.
HASTY = 120
# So that everybody's items are polled as those of people to whom something happens.
COMMENTS_EACH_PER_HOUR = 24
WATCHED, LATER, LONGEST = 10_000, 1.1, 300
# As often as the settings allow, every item in every poll, so that the processor is what limits it.
HURRIED = {
    "changeDetection": "perItem", "intervalSmall": "1s", "intervalMedium": "1s", "intervalLarge": "1s",
    "requestsPerHour": 1_000_000, "gitlabRequestsPerSecond": 10_000, "gitlabConcurrency": 1_000, "jitterPercent": 0,
}  # fmt: skip


class PollBench:
    def __init__(self, simctl, notifierd, folder, settle=60, window=240, burst=30):
        self.simctl, self.notifierd, self.folder = simctl, notifierd, folder
        self.settle, self.window, self.burst = settle, window, burst

    def figures(self, note):
        small, large = (self.cadence(people, note) for people in (SMALL, LARGE))
        watched = LARGE * ITEMS_EACH
        told = "p50 {p50:.1f} s, p95 {p95:.1f} s of {count} comments, {rate:.0f} requests a second, {share:.0f} % of the core"
        return [
            self.sustained(note),
            Figure(
                "poll.watched-items", watched if large["share"] < 90 else 0, "items",
                f"at the normal cadence on one core, {large['share']:.0f} % of it used", WATCHED,
            ),
            Figure(
                "poll.p95-of-few", large["p95"] / small["p95"], "x",
                f"p95 with {watched:,} items over p95 with {SMALL * ITEMS_EACH:,}", LATER, least=False,
            ),
            Figure("poll.p95.few", small["p95"], "s", f"{SMALL * ITEMS_EACH:,} items: {told.format(**small)}"),
            Figure("poll.p95.many", large["p95"], "s", f"{watched:,} items: {told.format(**large)}"),
        ]  # fmt: skip

    def cadence(self, people, note):
        """How late news is told, from the moment of the comment to APNs' acceptance."""
        comments = people * COMMENTS_EACH_PER_HOUR
        with tempfile.TemporaryDirectory(dir=self.folder) as folder, self.serve(people, comments, folder) as world:
            with Notifierd(self.notifierd, world.told, folder, core=0, requestsPerMinute=1_000_000) as notifier:
                note(f"poll: {people * ITEMS_EACH} items are put on watch")
                self.watch_all(notifier, world, people)
                time.sleep(self.settle)
                note(f"poll: {people * ITEMS_EACH} items for {self.window} s")
                rate, share, begin, end = self.measure(notifier, world, self.window)
                late = latencies(world, begin, end)
        return {"p50": percentile(late, 500), "p95": percentile(late, 950), "count": len(late), "rate": rate, "share": share}

    def sustained(self, note):
        with tempfile.TemporaryDirectory(dir=self.folder) as folder, self.serve(HASTY, 0, folder) as world:
            hurried = {**HURRIED, "requestsPerMinute": 1_000_000}
            with Notifierd(self.notifierd, world.told, folder, core=0, **hurried) as notifier:
                note("poll: as fast as one core allows")
                self.watch_all(notifier, world, HASTY)
                time.sleep(10)
                rate, share, _, _ = self.measure(notifier, world, self.burst)
        method = f"requests of {HASTY} people polled every second, {HASTY * ITEMS_EACH:,} items, {share:.0f} % of a core used"
        return Figure("poll.requests", rate, "/s", method)

    def serve(self, people, comments, folder):
        scenario = worlds.watchers(f"watchers-{people}-{comments}", people, ITEMS_EACH, comments)
        scenario["duration"] = "2h"
        path = worlds.write(folder, scenario)
        return ServedWorld(self.simctl, path, f"{folder}/certs", "--quiet", prefix=["taskset", "--cpu-list", "1"])

    def watch_all(self, notifier, world, people):
        def sign_in(number):
            session = notifier.register(world.told, f"p{number}")
            project = world.told["gitlab"]["projects"][f"team/app{number}"]
            for iid in range(1, ITEMS_EACH + 1):
                notifier.watch(session, project, iid)

        with concurrent.futures.ThreadPoolExecutor(4) as pool:
            list(pool.map(sign_in, range(people)))

    def measure(self, notifier, world, seconds):
        """Requests a second, the share of a core they took in percent, and when that was in the world's time."""
        before, begin = requests(world), world.control("GET", "/time")[1]["now"]
        start, processor = time.monotonic(), processor_seconds(notifier.pid)
        time.sleep(seconds)
        length = time.monotonic() - start
        share = 100 * (processor_seconds(notifier.pid) - processor) / length
        return (requests(world) - before) / length, share, begin, world.control("GET", "/time")[1]["now"]


def requests(world):
    return world.control("GET", "/counters")[1]["gitlab"]["requests"]


def latencies(world, begin, end):
    """Seconds from each comment in that time to APNs' acceptance of the first push that covers it; nobody may be left out."""
    written = {
        str(activity["noteIDs"][0]): instant(activity["at"])
        for activity in ledger(world, "gitlab", "sequence")
        if activity["kind"] == "commented" and begin <= activity["at"] < end
    }
    assert len(written) >= 20, f"only {len(written)} comments"
    accepted, limit = {}, time.monotonic() + LONGEST
    while not written.keys() <= accepted.keys():
        # What was written at the end of the window is still on its way.
        time.sleep(5)
        for event in ledger(world, "devices", "sequence"):
            if event["kind"] == "accepted":
                for fact in event["payload"]["data"]["facts"]:
                    accepted.setdefault(note_id(fact), instant(event["at"]))
        missing = written.keys() - accepted.keys()
        assert time.monotonic() < limit, f"told to nobody: notes {sorted(missing)[:20]}; facts {sorted(accepted)[:5]}"
    return [(accepted[note] - at).total_seconds() for note, at in written.items()]


def note_id(fact):
    """The number at the end of a fact's key."""
    return re.search(r"(\d*)$", fact).group(1)


def ledger(world, name, key):
    after = 0
    while entries := world.control("GET", f"/ledgers/{name}?after={after}")[1]["entries"]:
        yield from entries
        after = entries[-1][key]


def instant(text):
    return datetime.datetime.fromisoformat(text.replace("Z", "+00:00"))
