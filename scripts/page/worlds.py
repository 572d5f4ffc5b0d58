"""The scenarios whose reports are looked at, and reports whose every name means harm."""

import json
import pathlib

MEAN = "<script>document.title='taken'</script>\"'><img src=x onerror=\"document.title='taken'\">&amp;\u202egnp.\u2066" + "W" * 300


def scenario(folder, name, base, change):
    document = json.loads(pathlib.Path(f"scenarios/{base}.json").read_text())
    document["name"] = name
    change(document)
    path = folder / f"{name}.json"
    path.write_text(json.dumps(document))
    return str(path)


def make_failing(document):
    """The phone goes off and never comes back: everything after that is missed."""
    document["timeline"] = document["timeline"][:2]
    document["expect"] = [{"latency.max": "<= 1s"}, {"delivery": ">= 99%"}]


def make_short(document):
    """Two hours in which nothing goes wrong, for comparisons."""
    document["duration"] = "2h"
    document["timeline"] = [dict(document["timeline"][0], until="1h50m", rate="60/h")]
    document["expect"] = [{"missed": "= 0"}, {"excessLatency.p95": "<= 2m"}]
    document["probes"] = []


def make_mean(document):
    """Every text that a scenario leaves to its author means harm."""
    document["description"] = MEAN
    for person in document["world"]["people"]:
        person["name"] = MEAN[:200]
    for project in document["world"]["projects"]:
        for item in project.get("mergeRequests", []) + project.get("issues", []):
            item["title"] = MEAN[:250]
    make_failing(document)


def make_crowd(document):
    """Some 5,000 activities; three people with two devices each that go off for good one after the other: a miss in every lane."""
    make_mean(document)
    world = document["world"]
    devices = [{"name": "phone", "platform": "ios"}, {"name": "mac", "platform": "macos"}]
    people = [f"@p{number}" for number in range(3)]
    for person in world["people"]:
        person.pop("notified", None)
    for username in people:
        world["people"].append({"username": username, "name": MEAN[:200],
                                "notified": {"devices": devices, "watches": ["team/backend!*", "team/backend#*"]}})
        world["projects"][0]["members"].append({"username": username, "role": "developer"})
    document["notifier"] = {"requestsPerHour": 100_000, "requestsPerMinute": 10_000}
    document["duration"] = "10h"
    document["timeline"] = [{"rate": "540/h", "from": "10m", "until": "9h40m", "mix": {"comment": 8, "push": 2, "approve": 1},
                             "by": "anyone", "except": people}]
    for number, username in enumerate(people):
        for device in ("phone", "mac"):
            document["timeline"].append({"at": f"{9 * 60 + number * 5}m", "action": "device-offline", "by": username, "device": device})
    document["expect"] = [{"missed": "= 0"}]
    document["probes"] = []


def make_empty(document):
    document["timeline"] = []
    document["expect"] = []
    document["probes"] = []


# Members whose values decide what the page makes of a line; all other texts are names.
KEPT = {"verdict", "schemaVersion", "abnormal", "standing", "what", "digest"}


def spoil(value, key=""):
    """Every text in a file of a report, as somebody could write it who means harm."""
    if isinstance(value, dict):
        return {name: spoil(part, name) for name, part in value.items()}
    if isinstance(value, list):
        return [spoil(part, key) for part in value]
    if isinstance(value, str) and key not in KEPT:
        return value + "\"'><img src=x onerror=\"document.title='taken'\"><script>document.title='taken'</script>\t\n</pre>\u202e"
    return value


def spoiled(report, folder):
    """A copy of a report in whose files every name means harm; keys of tables that are names, too."""
    folder.mkdir(parents=True)
    for name in ("summary.json", "timeline.json"):
        document = spoil(json.loads((report / name).read_text()))
        if name == "summary.json":
            document["misses"] = {spoil(key): count for key, count in document["misses"].items()}
            document["latencyByKind"] = {spoil(key): kind for key, kind in document["latencyByKind"].items()}
        (folder / name).write_text(json.dumps(document))
    for name in ("seeds.jsonl", "ledger.jsonl"):
        lines = [json.dumps(spoil(json.loads(line))) for line in (report / name).read_text().splitlines()]
        (folder / name).write_text("".join(line + "\n" for line in lines))
    return folder
