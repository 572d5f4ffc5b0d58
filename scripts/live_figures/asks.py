"""What asks cost of which none is due: one person's server with ten thousand of them open, beside the same one without."""

import contextlib
import sqlite3
import tempfile
import time
import urllib.request

import worlds
from figures import Figure
from notifierd import OPENER, Notifierd, call
from processes import processor_seconds
from served_world import ServedWorld

OPEN, MORE_PERCENT = 10_000, 0.1
WATCHED, SCRAPE_SECONDS = 20, 15
DAY = 86_400_000_000


class AsksBench:
    """The processor's time of notifierd's process over two windows, each after a start: polls, looks for what is due, and a Prometheus that
    asks for metrics. In the second one everything open is the one person's, and both of its reminders are due in a month."""

    def __init__(self, simctl, notifierd, folder, settle=30, window=180):
        self.simctl, self.notifierd, self.folder = simctl, notifierd, folder
        self.settle, self.window = settle, window
        self.scenario = worlds.write(folder, worlds.watchers("one-person", 1, WATCHED, 0))

    def figures(self, note):
        with tempfile.TemporaryDirectory(dir=self.folder) as folder:
            with ServedWorld(self.simctl, self.scenario, f"{folder}/certs", "--quiet") as world:
                with Notifierd(self.notifierd, world.told, folder) as notifier:
                    session = notifier.register(world.told, "p0")
                    project = world.told["gitlab"]["projects"]["team/app0"]
                    for iid in range(1, WATCHED + 1):
                        notifier.watch(session, project, iid)
                note(f"asks: none for {self.settle + self.window} s")
                without = self.share(world, folder, session, 0)
                fill(f"{folder}/notifier.db")
                note(f"asks: {OPEN} for {self.settle + self.window} s")
                beside = self.share(world, folder, session, OPEN)
        method = f"of a core, {beside:.3f} % with {OPEN:,} open asks beside {without:.3f} % without any, {self.window} s each"
        return [Figure("asks.cpu", beside - without, "%", method, MORE_PERCENT, least=False)]

    def share(self, world, folder, session, count):
        with Notifierd(self.notifierd, world.told, folder) as notifier:
            assert call(notifier.base, "/status", session=session)["asks"]["open"] == count
            time.sleep(self.settle)
            start, before = time.monotonic(), processor_seconds(notifier.pid)
            while time.monotonic() < start + self.window:
                with OPENER.open(urllib.request.Request(notifier.base + "/metrics"), timeout=60) as page:
                    assert f"\nasks_open {count}\n" in page.read().decode()
                time.sleep(SCRAPE_SECONDS)
            return 100 * (processor_seconds(notifier.pid) - before) / (time.monotonic() - start)


def fill(path):
    now = int(time.time() * 1e6)
    with contextlib.closing(sqlite3.connect(path)) as database, database:
        account = database.execute("SELECT id FROM accounts").fetchone()[0]
        for number in range(1, OPEN + 1):
            database.execute(
                "INSERT INTO asks (id, public_id, account_id, ask_key, kind, project_id, item_kind, item_iid, actor_id, title, item_title,"
                " subject, occurred_at, raised_at, told_at) VALUES (?, ?, ?, ?, 'addressed', 1, 'issue', ?, 7, 'Ben asks', 'Report', ?, ?, ?, ?)",
                (number, f"00000000-0000-4000-8000-{number:012}", account, f"mention/1/{number}", number, f"1/issue/{number}", now, now, now),
            )
            for step in (1, 2):
                database.execute(
                    "INSERT INTO reminders (ask_id, step, delay, due_at, state) VALUES (?, ?, ?, ?, 'waiting')",
                    (number, step, 30 * DAY, now + 30 * DAY),
                )
