"""What one notifierd costs its machine: until it is ready, while nothing happens, and over a day."""

import contextlib
import os
import pathlib
import subprocess
import tempfile
import time

import worlds
from figures import Figure, median
from notifierd import Notifierd
from processes import processor_seconds, resident_bytes
from served_world import ServedWorld

READY_MS, IDLE_PERCENT, MEMORY_MB, GROWTH_PERCENT = 300, 0.5, 40, 1
WATCHED = 20


class ProcessBench:
    def __init__(self, simctl, notifierd, folder, starts=15, settle=60, window=180):
        self.simctl, self.notifierd, self.folder = simctl, notifierd, folder
        self.starts, self.settle, self.window = starts, settle, window
        self.scenario = worlds.write(folder, worlds.watchers("one-person", 1, WATCHED, 0))

    def figures(self, note):
        with tempfile.TemporaryDirectory(dir=self.folder) as folder:
            with ServedWorld(self.simctl, self.scenario, f"{folder}/certs", "--quiet") as world:
                note("process: first starts")
                first = self.start(world, folder, isNew=True)
                with Notifierd(self.notifierd, world.told, folder) as notifier:
                    session = notifier.register(world.told, "p0")
                    project = world.told["gitlab"]["projects"]["team/app0"]
                    for iid in range(1, WATCHED + 1):
                        notifier.watch(session, project, iid)
                    note(f"process: idle for {self.settle + self.window} s")
                    idle = self.idle(notifier, world)
                note("process: starts on a database in use")
                return [*first, *self.start(world, folder, isNew=False), *idle]

    def start(self, world, folder, isNew):
        samples = []
        for _ in range(self.starts):
            if isNew:
                for path in pathlib.Path(folder).glob("notifier.db*"):
                    path.unlink()
            with Notifierd(self.notifierd, world.told, folder) as notifier:
                samples.append(1_000 * notifier.start_seconds)
        name, what = ("start.new", "without a database") if isNew else ("start.known", "with one person in the database")
        method = f"median of {self.starts} from exec to ready, {what}; longest {max(samples):.0f} ms"
        return [Figure(name, median(samples), "ms", method, READY_MS, least=False)]

    def idle(self, notifier, world):
        """One person, whose items stay as they are."""
        time.sleep(self.settle)
        requests = world.control("GET", "/counters")[1]["gitlab"]["requests"]
        start, before = time.monotonic(), processor_seconds(notifier.pid)
        time.sleep(self.window)
        length = time.monotonic() - start
        share = 100 * (processor_seconds(notifier.pid) - before) / length
        asked = (world.control("GET", "/counters")[1]["gitlab"]["requests"] - requests) * 60 / length
        method = f"of a core over {length:.0f} s, {WATCHED} items watched, {asked:.1f} requests a minute"
        return [
            Figure("idle.cpu", share, "%", method, IDLE_PERCENT, least=False),
            Figure("idle.memory", resident_bytes(notifier.pid) / 1e6, "MB", "resident after that window"),
        ]


class MemoryBench:
    """A day of one person at 600 times its speed, in a live run; only notifierd's process is looked at."""

    SPEED, DAY = 600, 86_400
    SCENARIO = "scenarios/bench/reference-day.json"

    def __init__(self, simctl, notifierd, folder):
        self.simctl, self.notifierd, self.folder = simctl, notifierd, folder

    def figures(self, note):
        note(f"memory: a day at speed {self.SPEED}, {self.DAY // self.SPEED} s")
        with tempfile.TemporaryDirectory(dir=self.folder) as folder:
            command = [
                self.simctl, "run", "--live", "--speed", str(self.SPEED), "--notifierd", self.notifierd,
                "--out", f"{folder}/report", "--json", self.SCENARIO,
            ]  # fmt: skip
            with open(f"{folder}/out", "wb") as out:
                process = subprocess.Popen(command, stdout=out, stderr=out)
                samples = self.watch(process)
            # A verdict that is no pass takes its memory as well; anything worse would measure nothing.
            text = pathlib.Path(folder, "out").read_text()[-2_000:]
            assert process.returncode in (0, 1, 2), text
        day = [size for at, size in samples if at <= self.DAY / self.SPEED]
        assert len(day) > 0.8 * self.DAY / self.SPEED / 0.25, f"notifierd was seen {len(day)} times only"
        third, fourth = day[len(day) // 2 : 3 * len(day) // 4], day[3 * len(day) // 4 :]
        growth = 100 * (median(fourth) / median(third) - 1)
        method = f"resident at the end of the reference day at speed {self.SPEED}; most {max(day) / 1e6:.1f}"
        return [
            Figure("memory.day", day[-1] / 1e6, "MB", method, MEMORY_MB, least=False),
            Figure("memory.growth", growth, "%", "median of the last quarter over that of the third", GROWTH_PERCENT, least=False),
        ]

    def watch(self, process):
        """Seconds since notifierd began, and its size then, four times a second."""
        samples, start = [], None
        while process.poll() is None:
            for child in children(process.pid):
                if os.path.basename(os.readlink(f"/proc/{child}/exe")) == "notifierd":
                    start = start or time.monotonic()
                    samples.append((time.monotonic() - start, resident_bytes(child)))
            time.sleep(0.25)
        return samples


def children(process):
    found = []
    for task in pathlib.Path(f"/proc/{process}/task").iterdir():
        # A thread that has ended meanwhile has none.
        with contextlib.suppress(OSError):
            found += [int(word) for word in (task / "children").read_text().split()]
    return found
