"""Pushing: the notifier's delivery, h2load and aioapns, each in turn against a served APNs of its own."""

import base64
import json
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

import worlds
from figures import Figure, median, percentile
from served_world import ServedWorld

PEER = pathlib.Path(__file__).resolve().parent / "aioapns_sender.py"
LIMITS = [1, 100, 1_000]
ERRORS = [0, 1, 10]
OF_H2LOAD, OF_AIOAPNS = 0.6, 3.0
# What aioapns is fastest with: more of them wait for each other.
PEERS = {1: 1, 100: 20, 1_000: 20}
# The limit is h2load over one connection, as the notifier has one. Over so many it shows what the server can do.
CONNECTIONS = 4


def concurrency(limit):
    """Enough to fill the streams, within what the notifier's client has under way at most."""
    return min(256, max(20, CONNECTIONS * limit))


class PushBench:
    def __init__(self, simctl, python, folder, repeats, people=100, devices=20, rounds=5):
        self.simctl, self.python, self.folder, self.repeats = simctl, python, folder, repeats
        self.rounds = rounds
        self.pushes = people * devices * rounds
        self.scenario = worlds.write(folder, worlds.crowd(people, devices))
        # Others push what the notifier has pushed, once it has.
        self.payload = json.dumps({"aps": {"alert": {"title": "Test", "body": "x" * 300}}})
        self.has_payload = False

    def serve(self, limit, folder):
        flags = ["--apns-streams", str(limit), "--instant", "--quiet"]
        return ServedWorld(self.simctl, self.scenario, f"{folder}/certs", *flags)

    def notifier(self, limit, errors=0, under_way=None):
        with tempfile.TemporaryDirectory(dir=self.folder) as folder, self.serve(limit, folder) as world:
            if errors:
                fault = {"fault": "apns-reason", "id": "e", "reason": "Unregistered", "for": "1d", "ratio": f"{errors}%"}
                status, answer = world.control("POST", "/faults", fault)
                assert status == 200, answer
            place = pathlib.Path(folder, "served.json")
            place.write_text(json.dumps(world.told))
            command = [self.simctl, "bench-push", str(place), "--rounds", str(self.rounds), "--folder", folder]
            command += ["--concurrency", str(under_way or concurrency(limit))]
            with open(f"{folder}/log", "wb") as log:
                result = subprocess.run(command, stdout=subprocess.PIPE, stderr=log, check=True)
            told = json.loads(result.stdout)
            if not self.has_payload:
                self.has_payload = True
                self.payload = json.dumps(world.control("GET", "/ledgers/pushes")[1]["entries"][0]["payload"])
            told["counters"] = world.control("GET", "/counters")[1]["apns"]
            return told

    def h2load(self, limit, connections):
        with tempfile.TemporaryDirectory(dir=self.folder) as folder, self.serve(limit, folder) as world:
            apns = world.told["apns"]
            addresses = [f"{apns['url']}/3/device/{device['token']}\n" for device in world.told["devices"]]
            pathlib.Path(folder, "addresses").write_text("".join(addresses))
            pathlib.Path(folder, "payload").write_text(self.payload)
            command = [
                "h2load", "--requests", str(3 * self.pushes), "--clients", str(connections), "--threads", "1",
                "--max-concurrent-streams", str(max(1, concurrency(limit) // connections) if limit > 1 else 1),
                "--input-file", f"{folder}/addresses", "--data", f"{folder}/payload", "--log-file", f"{folder}/log",
                *(f"--header={name}: {value}" for name, value in self.fields(apns).items()),
            ]  # fmt: skip
            result = subprocess.run(command, capture_output=True, text=True, check=True)
            rows = [row.split("\t") for row in pathlib.Path(folder, "log").read_text().splitlines()]
            answered = [row for row in rows if row[1] == "200"]
            # h2load opens streams before it has heard how many it may; those are refused and not sent again.
            assert len(answered) >= 0.9 * len(rows), result.stdout
            seconds = (max(int(row[0]) + int(row[2]) for row in rows) - min(int(row[0]) for row in rows)) / 1e6
            return told(len(answered) / seconds, [int(row[2]) / 1_000 for row in answered]) | {"counters": world.control("GET", "/counters")[1]["apns"]}

    def fields(self, apns):
        return {
            "authorization": f"bearer {provider_token(apns)}",
            "apns-topic": apns["bundleID"],
            "apns-push-type": "alert",
            "apns-priority": "10",
            "apns-expiration": str(int(time.time()) + 86_400),
            "apns-id": "5c1e4f3a-8d0b-4c5e-9a7f-0123456789ab",
            "apns-collapse-id": "5c1e4f3a-8d0b-4c5e-9a7f-0123456789ab",
            "content-type": "application/json",
        }

    def aioapns(self, limit):
        with tempfile.TemporaryDirectory(dir=self.folder) as folder, self.serve(limit, folder) as world:
            order = {"told": world.told, "payload": json.loads(self.payload), "pushes": self.pushes}
            order["concurrency"] = PEERS[limit]
            result = subprocess.run(
                [self.python, str(PEER)], input=json.dumps(order).encode(), stdout=subprocess.PIPE, check=True
            )
            answer = json.loads(result.stdout)
            # Now and then aioapns opens a second connection, whose token APNs refuses so soon after the first; it does not count.
            assert answer["accepted"] >= 0.99 * self.pushes, answer["refusals"]
            return told(answer["rate"], answer["milliseconds"])

    def figures(self, note):
        figures = []
        for limit in LIMITS:
            figures += self.at(limit, note)
        plain = [self.notifier(1_000, under_way=20) for _ in range(self.repeats)]
        figures.append(rate("push.default", plain, f"notifier with its default of 20 under way, 1000 streams"))
        return figures

    def at(self, limit, note):
        ours, theirs, peer = [], {1: [], CONNECTIONS: []}, []
        for number in range(self.repeats):
            note(f"push: {limit} streams, {number + 1} of {self.repeats}")
            ours.append(self.notifier(limit))
            for connections, runs in theirs.items():
                runs.append(self.h2load(limit, connections))
            peer.append(self.aioapns(limit))
        name = f"push.{limit}-streams"
        under_way = concurrency(limit)
        figures = [
            rate(name, ours, f"notifier, {under_way} under way, to an empty outbox"),
            rate(f"{name}.h2load", theirs[1], "h2load over one connection"),
            rate(f"{name}.h2load-{CONNECTIONS}", theirs[CONNECTIONS], f"h2load over {CONNECTIONS} connections"),
            rate(f"{name}.aioapns", peer, f"aioapns over its one connection, {PEERS[limit]} under way"),
            ratio(f"{name}.of-h2load", ours, theirs[1], OF_H2LOAD, "notifier over h2load, a connection each, median of pairs"),
            ratio(f"{name}.of-aioapns", ours, peer, OF_AIOAPNS, "notifier over aioapns, median of pairs"),
            ratio(f"{name}.h2load-of-aioapns", theirs[1], peer, None, "h2load over one connection over aioapns, median of pairs"),
        ]
        for errors in ERRORS[1:]:
            note(f"push: {limit} streams, {errors} % errors")
            runs = [self.notifier(limit, errors) for _ in range(self.repeats)]
            share = statistics.mean(run["answers"].get("410", 0) / run["pushes"] for run in runs)
            method = f"notifier, {100 * share:.1f} % answered with 410 Unregistered"
            figures.append(rate(f"{name}.{errors}%-errors", runs, method))
        return figures


def told(rate, milliseconds):
    quantiles = {name: percentile(milliseconds, share) for name, share in [("p50", 500), ("p99", 990), ("p999", 999)]}
    return {"rate": rate, **quantiles}


def rate(name, runs, method):
    """Of several runs the one in the middle, with its percentiles."""
    run = sorted(runs, key=lambda run: run["rate"])[(len(runs) - 1) // 2]
    quantiles = f"p50 {run['p50']:.1f} p99 {run['p99']:.1f} p99.9 {run['p999']:.1f} ms"
    if "cpuSeconds" in run:
        quantiles += f", {1e6 * run['cpuSeconds'] / run['pushes']:.0f} µs of a core each"
    figure = Figure(name, run["rate"], "/s", f"{method}; {quantiles}")
    figure.details = {key: run[key] for key in ("p50", "p99", "p999", "cpuSeconds", "answers", "counters") if key in run}
    return figure


def ratio(name, ours, theirs, goal, method):
    value = median([our["rate"] / their["rate"] for our, their in zip(ours, theirs)])
    return Figure(name, value, "x", method, goal)


def provider_token(apns):
    """A token as every client of APNs makes it (APNs facts §7), by the openssl command."""

    def part(data):
        return base64.urlsafe_b64encode(data).rstrip(b"=").decode()

    head = part(json.dumps({"alg": "ES256", "kid": apns["keyID"]}).encode())
    text = f"{head}.{part(json.dumps({'iss': apns['teamID'], 'iat': int(time.time())}).encode())}"
    command = ["openssl", "dgst", "-sha256", "-sign", apns["keyFile"]]
    return f"{text}.{part(raw(subprocess.run(command, input=text.encode(), capture_output=True, check=True).stdout))}"


def raw(signature):
    """r and s of a DER signature, 32 bytes each, as JOSE wants them."""
    numbers, rest = [], signature[2:]
    for _ in range(2):
        length = rest[1]
        numbers.append(rest[2 : 2 + length].lstrip(b"\0").rjust(32, b"\0"))
        rest = rest[2 + length :]
    return b"".join(numbers)
