"""What the served fakes can do: wrk on GitLab, h2load on APNs."""

import subprocess
import tempfile

import worlds
from figures import Figure
from push import PushBench, rate
from served_world import ServedWorld

CONNECTIONS, SECONDS = 16, 8


class FakesBench:
    def __init__(self, simctl, folder, seconds=SECONDS):
        self.simctl, self.folder, self.seconds = simctl, folder, seconds
        self.scenario = worlds.write(folder, worlds.watchers("fakes", 1, 50, 0))

    def figures(self, note):
        figures = []
        with tempfile.TemporaryDirectory(dir=self.folder) as folder:
            with ServedWorld(self.simctl, self.scenario, f"{folder}/certs", "--quiet") as world:
                project = world.told["gitlab"]["projects"]["team/app0"]
                for name, path in [
                    ("version", "/api/v4/version"),
                    ("notes", f"/api/v4/projects/{project}/merge_requests/1/notes?per_page=100"),
                    ("list", f"/api/v4/projects/{project}/merge_requests?state=all&per_page=50"),
                ]:
                    note(f"fakes: GitLab's {name}")
                    figures.append(self.wrk(name, path, world))
        note("fakes: APNs")
        pushes = PushBench(self.simctl, None, self.folder, repeats=1).h2load(1_000, 1)
        return [*figures, rate("fake-apns.pushes", [pushes], "h2load, one connection, TLS, HTTP/2, pushes that devices show")]

    def wrk(self, name, path, world):
        gitlab = world.told["gitlab"]
        command = [
            "wrk", "--threads", "1", "--connections", str(CONNECTIONS), "--duration", f"{self.seconds}s", "--latency",
            "--header", f"PRIVATE-TOKEN: {gitlab['tokens']['p0']}", gitlab["url"] + path,
        ]  # fmt: skip
        text = subprocess.run(command, capture_output=True, text=True, check=True).stdout
        assert "Non-2xx" not in text and "Socket errors" not in text, text
        lines = {line.split()[0]: line.split()[-1] for line in text.splitlines() if line.strip()}
        method = f"wrk, {CONNECTIONS} connections, TLS, HTTP/1.1, GET {path.partition('?')[0].rpartition('/')[2]}"
        return Figure(f"fake-gitlab.{name}", float(lines["Requests/sec:"]), "/s", f"{method}; p50 {lines['50%']} p99 {lines['99%']}")
