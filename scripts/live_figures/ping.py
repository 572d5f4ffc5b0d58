"""Apps that ask for news: `GET /ping` as fast as one core of notifierd answers it, and as a thousand apps in the foreground ask."""

import concurrent.futures
import http.client
import re
import subprocess
import tempfile
import threading
import time

import worlds
from figures import Figure, percentile
from notifierd import Notifierd, call
from processes import processor_seconds
from served_world import ServedWorld

CONNECTIONS, PEOPLE, SESSIONS_EACH = 32, 50, 20
PINGS_PER_SECOND, EVERY = 5_000, 10
CROWD_PERCENT = 5


class PingBench:
    """notifierd has the first core, whoever asks and the idle fakes the second. A ping counts among its address's requests, so the limit is
    as high as it can be."""

    def __init__(self, simctl, notifierd, folder, seconds=10, window=60):
        self.simctl, self.notifierd, self.folder = simctl, notifierd, folder
        self.seconds, self.window = seconds, window
        self.scenario = worlds.write(folder, worlds.watchers("apps", PEOPLE, 1, 0))

    def figures(self, note):
        with tempfile.TemporaryDirectory(dir=self.folder) as folder:
            beside = ["taskset", "--cpu-list", "1"]
            with ServedWorld(self.simctl, self.scenario, f"{folder}/certs", "--quiet", prefix=beside) as world:
                with Notifierd(self.notifierd, world.told, folder, core=0, requestsPerMinute=1_000_000) as notifier:
                    note("ping: people sign in")
                    sessions = self.sign_in(notifier, world)
                    note("ping: as fast as one core answers")
                    figures = [
                        self.fastest("ping.unchanged", notifier, sessions[0], isKnown=True),
                        self.fastest("ping.changed", notifier, sessions[0], isKnown=False),
                    ]
                    note(f"ping: {len(sessions)} apps in the foreground, for {self.window} s")
                    return [*figures, *self.crowd(notifier, sessions)]

    def sign_in(self, notifier, world):
        def person(number):
            token = world.told["gitlab"]["tokens"][f"p{number}"]
            gitlab = {"gitlabUrl": world.told["gitlab"]["url"], "personalAccessToken": token}
            return [call(notifier.base, "/auth/register", gitlab)["token"] for _ in range(SESSIONS_EACH)]

        with concurrent.futures.ThreadPoolExecutor(4) as pool:
            return [session for sessions in pool.map(person, range(PEOPLE)) for session in sessions]

    def fastest(self, name, notifier, session, isKnown):
        """wrk's rate; every answer is one that is meant."""
        fields = [f"Authorization: Bearer {session}"]
        if isKnown:
            fields.append(f"If-None-Match: {ask(connection(notifier), session)[1]}")
        command = ["taskset", "--cpu-list", "1", "wrk", "--threads", "1", "--connections", str(CONNECTIONS), "--latency"]
        command += ["--duration", f"{self.seconds}s", *[part for field in fields for part in ("--header", field)]]
        before, begun = processor_seconds(notifier.pid), answered(notifier)
        start = time.monotonic()
        text = subprocess.run([*command, notifier.base + "/ping"], capture_output=True, text=True, check=True).stdout
        length = time.monotonic() - start
        share = 100 * (processor_seconds(notifier.pid) - before) / length
        assert "Non-2xx" not in text and "Socket errors" not in text, text
        lines = {line.split()[0]: line.split()[-1] for line in text.splitlines() if line.strip()}
        status = "304" if isKnown else "200"
        others = {code: count - begun.get(code, 0) for code, count in answered(notifier).items() if code != status}
        assert not any(others.values()), f"not all were {status}: {others}"
        # wrk and the fakes have the other core, so nothing but the server limits this.
        method = f"wrk, {CONNECTIONS} connections, HTTP/1.1, every answer {status}, {share:.0f} % of the core; p50 {lines['50%']} p99 {lines['99%']}"
        return Figure(name, float(lines["Requests/sec:"]), "/s", method, PINGS_PER_SECOND)

    def crowd(self, notifier, sessions):
        """Each app every ten seconds, by a few connections, as a proxy has them; beside what the server does without them."""
        before, start = processor_seconds(notifier.pid), time.monotonic()
        time.sleep(self.window / 2)
        idle = 100 * (processor_seconds(notifier.pid) - before) / (time.monotonic() - start)
        late, end = [], time.monotonic() + self.window
        before, start = processor_seconds(notifier.pid), time.monotonic()
        lanes = [sessions[lane::CONNECTIONS] for lane in range(CONNECTIONS)]
        threads = [threading.Thread(target=self.lane, args=(notifier, lane, end, late)) for lane in lanes]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        length = time.monotonic() - start
        share = 100 * (processor_seconds(notifier.pid) - before) / length - idle
        rate = len(late) / length
        assert abs(rate - len(sessions) / EVERY) < 0.05 * len(sessions) / EVERY, f"only {rate:.1f} pings a second"
        method = f"of a core, beside {idle:.2f} % without them: {len(sessions)} sessions of {PEOPLE} people, {rate:.0f} pings a second"
        return [
            Figure("ping.crowd.cpu", share, "%", method, CROWD_PERCENT, least=False),
            Figure("ping.crowd.p99", 1_000 * percentile(late, 990), "ms", "from the request to its answer, for these"),
        ]

    def lane(self, notifier, sessions, end, late):
        link, tags = connection(notifier), {}
        pause, due = EVERY / len(sessions), time.monotonic()
        while True:
            for session in sessions:
                time.sleep(max(0, due - time.monotonic()))
                if time.monotonic() >= end:
                    return
                due += pause
                start = time.monotonic()
                status, tag = ask(link, session, tags.get(session))
                assert status == (304 if session in tags else 200), status
                late.append(time.monotonic() - start)
                tags[session] = tag


def connection(notifier):
    return http.client.HTTPConnection("127.0.0.1", notifier.port, timeout=20)


def ask(link, session, tag=None):
    fields = {"Authorization": f"Bearer {session}"} | ({"If-None-Match": tag} if tag else {})
    link.request("GET", "/ping", headers=fields)
    answer = link.getresponse()
    answer.read()
    return answer.status, answer.getheader("ETag")


def answered(notifier):
    """How many pings the server has answered with each status."""
    link = connection(notifier)
    link.request("GET", "/metrics")
    page = link.getresponse().read().decode()
    found = re.findall(r'^http_requests_total\{route="GET /ping",status="(\d+)"\} (\d+)', page, re.MULTILINE)
    return {status: int(count) for status, count in found}
