"""The real `notifierd` for the length of a `with` block, and its REST API as an app calls it."""

import json
import os
import pathlib
import signal
import socket
import subprocess
import time
import urllib.request

from waiting import until_ready

READY_SECONDS = 20
OPENER = urllib.request.build_opener(urllib.request.ProxyHandler({}))


def call(base, path, body=None, session=None):
    request = urllib.request.Request(base + path, data=None if body is None else json.dumps(body).encode())
    if session:
        request.add_header("Authorization", f"Bearer {session}")
    with OPENER.open(request, timeout=60) as answer:
        return json.load(answer)


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Notifierd:
    """The real server on a database in `folder`, against a served world; SIGTERM ends it. `listen`, `gitlabs` and
    `settings` are further keys and entries."""

    def __init__(self, program, told, folder, core=None, listen=None, gitlabs=(), **settings):
        self.folder = pathlib.Path(folder)
        self.port = free_port()
        self.base = f"http://127.0.0.1:{self.port}"
        apns = told["apns"]
        configuration = {
            "listen": {"port": self.port, **(listen or {})},
            "database": str(self.folder / "notifier.db"),
            "authorities": told["caFile"],
            "gitlabs": [told["gitlab"]["url"], *gitlabs],
            "notifier": {"productionAPNs": apns["url"], "sandboxAPNs": apns["sandboxURL"], **settings},
        }
        (self.folder / "notifierd.json").write_text(json.dumps(configuration))
        self.environment = {
            "PATH": os.environ["PATH"],
            "APNS_KEY_PATH": apns["keyFile"],
            "APNS_KEY_ID": apns["keyID"],
            "APNS_TEAM_ID": apns["teamID"],
            "APNS_BUNDLE_ID": apns["bundleID"],
            "ENCRYPTION_KEY_CURRENT": "a5" * 32,
            "SESSION_KEY": "k" * 32,
        }
        if "LD_LIBRARY_PATH" in os.environ:
            self.environment["LD_LIBRARY_PATH"] = os.environ["LD_LIBRARY_PATH"]
        self.command = [program, "run", "--config", str(self.folder / "notifierd.json")]
        if core is not None:
            self.command = ["taskset", "--cpu-list", str(core), *self.command]
        self.start_seconds = None

    def __enter__(self):
        path = self.folder / "notifierd.log"
        path.unlink(missing_ok=True)
        start = time.monotonic()
        with open(path, "wb") as log:
            self.process = subprocess.Popen(self.command, env=self.environment, stderr=log)
        until_ready(
            self.process, lambda: b'"daemon.ready"' in path.read_bytes(), READY_SECONDS,
            lambda: f"notifierd is not ready: {self.log_end()}", pause=0.0005)
        self.start_seconds = time.monotonic() - start
        return self

    def __exit__(self, *_):
        self.process.send_signal(signal.SIGTERM)
        code = self.process.wait(timeout=60)
        if code != 0:
            raise SystemExit(f"notifierd ended with {code} after SIGTERM")

    def log(self):
        """Its entries so far."""
        return [json.loads(line) for line in (self.folder / "notifierd.log").read_text().splitlines()]

    def log_end(self):
        return (self.folder / "notifierd.log").read_text()[-2000:]

    @property
    def pid(self):
        return self.process.pid

    def register(self, told, username):
        """Signs a person in with their first device; their session."""
        gitlab = {"gitlabUrl": told["gitlab"]["url"], "personalAccessToken": told["gitlab"]["tokens"][username]}
        session = call(self.base, "/auth/register", gitlab)["token"]
        device = next(device for device in told["devices"] if device["person"] == f"@{username}")
        answer = call(self.base, "/devices", {"apnsToken": device["token"], "platform": device["platform"]}, session)
        return answer.get("token") or session

    def watch(self, session, project, iid, kind="merge_request"):
        call(self.base, "/watch", {"itemIid": iid, "itemType": kind, "projectId": project}, session)
