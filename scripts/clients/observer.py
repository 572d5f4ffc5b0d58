#!/usr/bin/env python3
"""Watches a deployed notifierd from outside, while the story of a served scenario goes on by itself.

    observer.py --told FIRST-LINE-FILE --server http://127.0.0.1:8080

As an app does it registers a person with the GitLab of the served world, and watches every open item there. Then it compares two
ledgers of the control API, which the server knows nothing of: what others did on those items, and what the person's phone displayed.
It ends when so many comments of the story have reached the phone, each of them; 1 when one has not.
"""

import argparse
import datetime
import json
import ssl
import sys
import time
import urllib.error
import urllib.request

OPENER = urllib.request.build_opener(urllib.request.ProxyHandler({}))
PERSON = "maria"
PATIENCE = 60


def call(base, method, path, body=None, session=None):
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(base + path, data=data, method=method)
    if session:
        request.add_header("Authorization", f"Bearer {session}")
    for attempt in range(PATIENCE):
        try:
            with OPENER.open(request, timeout=30) as answer:
                text = answer.read()
                return json.loads(text) if text else None
        except urllib.error.HTTPError as error:
            # The story may have put GitLab down; an app tries again.
            if error.code != 503 or attempt == PATIENCE - 1:
                sys.exit(f"FAILED: {method} {base}{path}: {error.code} {error.read().decode()}")
            time.sleep(1)
    return None


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--told", required=True, help="a file with the first line of `simctl serve`")
    parser.add_argument("--server", required=True)
    parser.add_argument("--comments", type=int, default=20, help="how many comments of the story must arrive")
    parser.add_argument("--within", type=int, default=300, help="seconds a comment may take to the phone")
    parser.add_argument("--limit", type=int, default=600, help="seconds until the observer gives up")
    arguments = parser.parse_args()
    with open(arguments.told) as file:
        told = json.loads(file.readline())
    control = told["control"]
    start_working_day(control)
    session, watched = sign_in(told, arguments.server)
    sequence = last(control, "gitlab")
    print(f"{PERSON} watches {len(watched)} items; the story goes on", flush=True)
    return observe(arguments, control, watched, sequence)


def start_working_day(control):
    """Moves the world to nine in the morning of a working day, when the team of the scenario writes."""
    now = datetime.datetime.fromisoformat(call(control, "GET", "/time")["now"].replace("Z", "+00:00"))
    then = now.replace(hour=9, minute=0, second=0, microsecond=0)
    while then <= now or then.weekday() > 4:
        then += datetime.timedelta(days=1)
    call(control, "POST", "/advance", {"by": f"{int((then - now).total_seconds())}s"})


def sign_in(told, server):
    token = told["gitlab"]["tokens"][PERSON]
    body = {"gitlabUrl": told["gitlab"]["url"], "personalAccessToken": token}
    session = call(server, "POST", "/auth/register", body)["token"]
    phone = next(device for device in told["devices"] if device["id"] == f"{PERSON}/phone")
    call(server, "POST", "/devices", {"apnsToken": phone["token"], "platform": "ios"}, session)
    watched = set()
    for project in told["gitlab"]["projects"].values():
        for kind, folder in [("merge_request", "merge_requests"), ("issue", "issues")]:
            for item in listed(told, f"/projects/{project}/{folder}?state=opened&per_page=100"):
                body = {"itemIid": item["iid"], "itemType": kind, "projectId": project}
                call(server, "POST", "/watch", body, session)
                watched.add(item["references"]["full"])
    return session, watched


def listed(told, path):
    """What the person finds in GitLab."""
    request = urllib.request.Request(told["gitlab"]["url"] + "/api/v4" + path)
    request.add_header("PRIVATE-TOKEN", told["gitlab"]["tokens"][PERSON])
    trust = urllib.request.HTTPSHandler(context=ssl.create_default_context(cafile=told["caFile"]))
    with urllib.request.build_opener(urllib.request.ProxyHandler({}), trust).open(request, timeout=30) as answer:
        return json.load(answer)


def entries(control, ledger, after):
    while True:
        page = call(control, "GET", f"/ledgers/{ledger}?after={after}")["entries"]
        yield from page
        if not page:
            return
        after = page[-1]["sequence"]


def last(control, ledger):
    sequence = 0
    for entry in entries(control, ledger, 0):
        sequence = entry["sequence"]
    return sequence


def observe(arguments, control, watched, sequence):
    expected, shown, events = {}, {}, 0
    begin = time.monotonic()
    while time.monotonic() - begin < arguments.limit:
        for entry in entries(control, "gitlab", sequence):
            sequence = entry["sequence"]
            told = entry["kind"] in ("commented", "replied") and entry["by"] != f"@{PERSON}"
            if told and entry.get("on") in watched:
                facts = [f"note/{entry['projectID']}/{note}" for note in entry["noteIDs"]]
                expected.update({fact: (time.monotonic(), entry) for fact in facts})
        for event in entries(control, "devices", events):
            events = event["sequence"]
            if event["kind"] in ("displayed", "replaced") and event["device"] == f"{PERSON}/phone":
                for fact in event["payload"]["data"].get("facts", []):
                    shown.setdefault(fact, time.monotonic())
        times = {fact: shown.get(fact) for fact in expected}
        now = time.monotonic()
        late = [fact for fact, (since, _) in expected.items() if times[fact] is None and now - since > arguments.within]
        if late:
            print(f"FAILED: not on the phone after {arguments.within} s: {[expected[fact][1] for fact in late]}")
            return 1
        if len(expected) >= arguments.comments and all(times.values()):
            waits = sorted(times[fact] - since for fact, (since, _) in expected.items())
            print(f"{len(expected)} comments of the story, all on the phone; median {max(0, waits[len(waits) // 2]):.1f} s, "
                  f"slowest {max(0, waits[-1]):.1f} s")
            return 0
        time.sleep(0.5)
    print(f"FAILED: {len(expected)} comments in {arguments.limit} s")
    return 1


if __name__ == "__main__":
    sys.exit(main())
