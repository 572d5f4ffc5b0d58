"""A good person beside an attack: others' comments reach her phone in time, and her own requests are answered."""

import threading
import time

from hostile.stranger import Stranger

REQUESTS = {"/status": 5, "/items": 10}
PAUSE_SECONDS = 1


class Bystander:
    """For the length of a `with` block; what was not well stands in `complaints`, with what went on then (`during`)."""

    def __init__(self, world, server, address, in_time_seconds):
        self._world, self._server, self._in_time = world, server, in_time_seconds
        self._stranger = Stranger(server.port, address, timeout=30)
        self._over = threading.Event()
        self._threads = [threading.Thread(target=work, daemon=True) for work in (self._read_news, self._ask)]
        self.during = "the beginning"
        self.complaints, self.waits, self.answers = [], [], []

    def __enter__(self):
        told = self._world.told
        self.session = self._server.register(told, "maria")
        # Of an issue every comment shows in its row; of a merge request one within a minute of the last does not (GitLab facts §7.1).
        self._server.watch(self.session, told["gitlab"]["projects"]["team/app"], 3, "issue")
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(self, *_):
        self._over.set()
        for thread in self._threads:
            thread.join()

    def _ask(self):
        while not self._over.wait(PAUSE_SECONDS):
            for target, seconds in REQUESTS.items():
                during = self.during
                answer = self._stranger.ask("GET", target, session=self.session)
                self.answers.append(answer.seconds)
                if answer.status != 200 or answer.seconds > seconds:
                    self.complaints.append(f"during {during}: GET {target}: {answer!r}")

    def _read_news(self):
        while not self._over.wait(PAUSE_SECONDS):
            during = self.during
            activity, = self._world.act(action="comment", by="@ben", on="team/app#3", body=f"{len(self.waits)}")["activities"]
            fact = f"note/{activity['projectID']}/{activity['noteIDs'][0]}"
            start = time.monotonic()
            while not self._is_told(fact):
                if time.monotonic() - start > self._in_time:
                    self.complaints.append(f"during {during}: no news of {fact} after {self._in_time} s")
                    break
                time.sleep(0.25)
            self.waits.append(time.monotonic() - start)

    def _is_told(self, fact):
        entries = self._world.control("GET", "/ledgers/devices")[1]["entries"]
        return any(
            entry["kind"] == "displayed" and fact in entry["payload"].get("data", {}).get("facts", []) for entry in entries)
