"""What one notifierd costs its machine: until it is ready, and while nothing happens."""

import pathlib
import tempfile
import time

import worlds
from figures import Figure, median
from servers import Notifierd, processor_seconds, resident_bytes
from served_world import ServedWorld

READY_MS, IDLE_PERCENT = 300, 0.5
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
