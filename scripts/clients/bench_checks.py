"""The measuring of pushes, against a world of three devices."""

import json
import pathlib
import subprocess


def check_bench_push(world, simctl):
    """Every device gets its push, and the figures say so."""
    place = pathlib.Path(world.told["caFile"]).parent.parent / "served.json"
    place.write_text(json.dumps(world.told))
    command = [simctl, "bench-push", str(place), "--rounds", "2", "--concurrency", "2"]
    told = json.loads(subprocess.run(command, capture_output=True, check=True, timeout=60).stdout)
    expected = 2 * len(world.told["devices"])
    assert told["pushes"] == expected and told["answers"] == {"200": expected} and told["unanswered"] == 0, told
    assert told["rate"] > 0 and 0 < told["p50"] <= told["p99"] <= told["p999"], told
    accepted = [event for event in world.control("GET", "/ledgers/devices")[1]["entries"] if event["kind"] == "accepted"]
    assert len(accepted) == expected, [event["kind"] + " " + event["device"] for event in accepted]
