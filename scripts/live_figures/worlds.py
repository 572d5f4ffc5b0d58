"""Worlds to measure in, as scenarios. Nothing happens in them but what their timeline says."""

import json
import pathlib


def scenario(name, people, projects, timeline=(), gitlab=None):
    return {
        "name": name,
        "description": "A world to measure in.",
        "seed": 1,
        "duration": "14d",
        "start": "2026-03-02T08:00:00Z",
        "world": {"gitlab": gitlab or {}, "people": people, "projects": projects},
        "timeline": list(timeline),
        "expect": [{"unexpected": "<= 0"}],
    }


def write(folder, world):
    path = pathlib.Path(folder, f"{world['name']}.json")
    path.write_text(json.dumps(world))
    return str(path)


def person(username, devices, watches=()):
    notified = {"devices": [{"name": name, "platform": "ios"} for name in devices], "watches": list(watches)}
    return {"username": f"@{username}", "name": username, "notified": notified}


def members(usernames):
    return [{"username": f"@{username}", "role": "developer"} for username in usernames]


def crowd(people, devices):
    """People with many devices, for pushing."""
    usernames = [f"p{number}" for number in range(people)]
    project = {"path": "team/app", "members": members(usernames), "generate": {"mergeRequests": 1, "firstIID": 1}}
    everyone = [person(username, [f"d{number}" for number in range(devices)]) for username in usernames]
    return scenario("crowd", everyone, [project])


def watchers(name, people, items, comments_per_hour):
    """People who watch so many merge requests each, in a project of their own, and one who comments on them."""
    everyone, projects, timeline = [{"username": "@ben", "name": "Ben"}], [], []
    for number in range(people):
        username, path = f"p{number}", f"team/app{number}"
        everyone.append(person(username, ["phone"], [f"{path}!*"]))
        projects.append(
            {
                "path": path,
                "members": members([username, "ben"]),
                "generate": {"mergeRequests": items, "firstIID": 1, "oldNotes": 5},
            }
        )
    if comments_per_hour:
        comment = {"action": "comment", "by": "@ben", "on": [f"team/app{number}!*" for number in range(people)]}
        timeline.append({"rate": f"{comments_per_hour}/h", **comment})
    return scenario(name, everyone, projects, timeline)
