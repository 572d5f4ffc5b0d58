"""The notifier itself, set up as an operator would, against the served fakes; the control API is the observer."""

import json
import os
import pathlib
import signal
import socket
import subprocess
import time
import urllib.request

OPENER = urllib.request.build_opener(urllib.request.ProxyHandler({}))


def call(base, path, body=None, session=None):
    request = urllib.request.Request(base + path, data=None if body is None else json.dumps(body).encode())
    if session:
        request.add_header("Authorization", f"Bearer {session}")
    with OPENER.open(request, timeout=20) as answer:
        return json.load(answer)


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def wait_until_ready(base, process, seconds=20):
    end = time.monotonic() + seconds
    while time.monotonic() < end and process.poll() is None:
        try:
            return call(base, "/health")
        except OSError:
            time.sleep(0.05)
    raise AssertionError("the notifier is not ready")


def check_notifier(world, notifierd):
    """A comment on GitLab reaches the phone, over two TLS connections and one database file."""
    told, folder = world.told, pathlib.Path(world.told["caFile"]).parent.parent
    port = free_port()
    settings = {
        "listen": {"port": port},
        "database": str(folder / "notifier.db"),
        "authorities": told["caFile"],
        "notifier": {
            "productionAPNs": told["apns"]["url"],
            "sandboxAPNs": told["apns"]["sandboxURL"],
            "changeDetection": "perItem",
            "intervalSmall": "1s",
            "jitterPercent": 0,
        },
    }
    (folder / "notifierd.json").write_text(json.dumps(settings))
    environment = {
        "PATH": os.environ["PATH"],
        "APNS_KEY_PATH": told["apns"]["keyFile"],
        "APNS_KEY_ID": told["apns"]["keyID"],
        "APNS_TEAM_ID": told["apns"]["teamID"],
        "APNS_BUNDLE_ID": told["apns"]["bundleID"],
        "ENCRYPTION_KEY_CURRENT": "a5" * 32,
        "SESSION_KEY": "k" * 32,
    }
    command = [notifierd, "run", "--config", str(folder / "notifierd.json")]
    with open(folder / "notifierd.log", "w") as log:
        process = subprocess.Popen(command, env=environment, stdout=log, stderr=log)
    try:
        base = f"http://127.0.0.1:{port}"
        wait_until_ready(base, process)
        gitlab = {"gitlabUrl": told["gitlab"]["url"], "personalAccessToken": told["gitlab"]["tokens"]["maria"]}
        session = call(base, "/auth/register", gitlab)["token"]
        call(base, "/devices", {"apnsToken": world.device("maria/phone"), "platform": "ios"}, session)
        project = told["gitlab"]["projects"]["team/app"]
        call(base, "/watch", {"itemIid": 1, "itemType": "merge_request", "projectId": project}, session)
        time.sleep(2)
        world.act(action="comment", by="@ben", on="team/app!1", body="Read me on the phone.")
        end = time.monotonic() + 30
        while time.monotonic() < end:
            pushes = world.control("GET", "/ledgers/devices")[1]["entries"]
            bodies = [event["payload"]["aps"]["alert"]["body"] for event in pushes if event["kind"] == "displayed"]
            if any("Read me on the phone." in body for body in bodies):
                return
            time.sleep(0.1)
        raise AssertionError(f"the phone shows {bodies}; log: {(folder / 'notifierd.log').read_text()[-1500:]}")
    finally:
        process.send_signal(signal.SIGTERM)
        assert process.wait(timeout=20) == 0
