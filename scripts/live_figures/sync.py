"""What a device chose while it was away, all at once: two envelopes of five hundred changes, and another device that asks for them."""

import contextlib
import datetime
import json
import sqlite3
import tempfile
import time

import worlds
from figures import Figure, median
from notifierd import Notifierd, call
from ping import connection
from processes import processor_seconds
from served_world import ServedWorld

# Of each kind: choices about watched items, mutes of them, people on the deny-list, read marks.
EACH, ENVELOPES, ENVELOPE = 250, 2, 500
ROUNDS, SYNC_MILLISECONDS = 11, 100
DAY = 86_400_000_000


class SyncBench:
    """notifierd has the first core, its database is on disk and every commit is synced; who asks and the idle fakes have the second. A round
    changes a thousand things that the server knows: 250 choices, 250 mutes, 250 people who are silenced or heard again, and 250 read marks."""

    def __init__(self, simctl, notifierd, folder, rounds=ROUNDS):
        self.simctl, self.notifierd, self.folder, self.rounds = simctl, notifierd, folder, rounds
        self.scenario = worlds.write(folder, worlds.watchers("sync", 1, EACH, 0))

    def figures(self, note):
        settings = {"requestsPerMinute": 1_000_000, "requestsPerHour": 1_000_000, "gitlabRequestsPerSecond": 10_000}
        beside = ["taskset", "--cpu-list", "1"]
        with tempfile.TemporaryDirectory(dir=self.folder) as folder:
            with ServedWorld(self.simctl, self.scenario, f"{folder}/certs", "--quiet", prefix=beside) as world:
                note(f"sync: one person watches {EACH} items")
                with Notifierd(self.notifierd, world.told, folder, **settings) as notifier:
                    phone = notifier.register(world.told, "p0")
                    gitlab = {"gitlabUrl": world.told["gitlab"]["url"], "personalAccessToken": world.told["gitlab"]["tokens"]["p0"]}
                    mac = call(notifier.base, "/auth/register", gitlab)["token"]
                    project = world.told["gitlab"]["projects"]["team/app0"]
                    for iid in range(1, EACH + 1):
                        notifier.watch(phone, project, iid)
                told = tell(f"{folder}/notifier.db")
                with Notifierd(self.notifierd, world.told, folder, core=0, **settings) as notifier:
                    note(f"sync: {self.rounds} rounds of {ENVELOPES} envelopes of {ENVELOPE} changes")
                    return self.measure(notifier, phone, mac, project, told)

    def measure(self, notifier, phone, mac, project, told):
        links = [connection(notifier), connection(notifier)]
        revision, _ = pull(links[1], mac, 0)
        pushes, pulls, shares = [], [], []
        for number in range(self.rounds):
            bodies = list(envelopes(number, revision, project, told))
            before, start = processor_seconds(notifier.pid), time.monotonic()
            for body in bodies:
                answer = ask(links[0], phone, "POST", "/sync", body)
                assert len(answer["applied"]) == ENVELOPE and not answer["conflicts"] and not answer["refused"], answer
            middle = time.monotonic()
            revision, count = pull(links[1], mac, revision)
            end = time.monotonic()
            shares.append(1_000 * (processor_seconds(notifier.pid) - before))
            assert count == ENVELOPES * ENVELOPE, f"{count} rows"
            pushes.append(1_000 * (middle - start))
            pulls.append(1_000 * (end - middle))
        both = [one + other for one, other in zip(pushes, pulls)]
        method = (
            f"{ENVELOPES} envelopes of {ENVELOPE} sent by one device and pulled by another in {ENVELOPES} pages; median of {self.rounds},"
            f" {min(both):.1f} to {max(both):.1f}, the first {both[0]:.1f}; {median(shares):.1f} ms of the core"
        )
        return [
            Figure("sync.thousand", median(both), "ms", method, SYNC_MILLISECONDS, least=False),
            Figure("sync.thousand.push", median(pushes), "ms", f"the envelopes of these, {min(pushes):.1f} to {max(pushes):.1f}"),
            Figure("sync.thousand.pull", median(pulls), "ms", f"the pages of these, {min(pulls):.1f} to {max(pulls):.1f}"),
        ]


def envelopes(number, revision, project, told):
    """A round's changes, mixed, each of which changes something: rounds take turns with what they want."""
    now = datetime.datetime.now(datetime.timezone.utc)
    changed, muted = stamp(now), stamp(now + datetime.timedelta(days=1 + number))
    item = {"projectId": project, "itemType": "merge_request"}
    changes = []
    for each in range(1, EACH + 1):
        changes += [
            {"entity": "choice", **item, "itemIid": each, "choice": "watched"},
            {"entity": "mute", **item, "itemIid": each, "mutedUntil": muted},
            {"entity": "deniedActor", "gitlabUserId": 10_000 + each, "denied": number % 2 == 0, "displayName": f"Somebody {each}"},
            {"entity": "readMark", "notificationId": told[each - 1], "read": number % 2 == 0},
        ]
    changes = [{"id": f"{number}-{place}", "changedAt": changed, **change} for place, change in enumerate(changes)]
    for place in range(ENVELOPES):
        part = changes[place * ENVELOPE : (place + 1) * ENVELOPE]
        yield json.dumps({"baseRevision": revision, "clientChangeId": f"e-{number}-{place}", "changes": part})


def pull(link, session, revision):
    """The revision after all pages, and how many rows they had."""
    count = 0
    while True:
        answer = ask(link, session, "GET", f"/sync?since={revision}")
        changes, revision = answer["changes"], answer["revision"]
        lists = [changes[name] for name in ("watches", "choices", "deniedActors", "readMarks")]
        count += sum(map(len, lists)) + len(answer["deleted"])
        if not answer["hasMore"]:
            return revision, count


def ask(link, session, method, target, body=None):
    link.request(method, target, body, {"Authorization": f"Bearer {session}"})
    answer = link.getresponse()
    text = answer.read()
    assert answer.status == 200, text
    return json.loads(text)


def stamp(instant):
    return instant.isoformat(timespec="milliseconds").replace("+00:00", "Z")


def tell(path):
    """Notifications that the person may have read; their ids."""
    created = int(time.time() * 1e6) - DAY
    ids = [f"00000000-0000-4000-8000-{number:012}" for number in range(1, EACH + 1)]
    with contextlib.closing(sqlite3.connect(path)) as database, database:
        account = database.execute("SELECT id FROM accounts").fetchone()[0]
        for number, public in enumerate(ids, 1):
            database.execute(
                "INSERT INTO notifications (public_id, account_id, kind, category, project_id, item_kind, item_iid, title, body, fact_keys,"
                " payload, thread_id, collapse_id, created_at, expires_at)"
                " VALUES (?, ?, 'activity', 'GITLAB_ACTIVITY', 1, 'merge_request', ?, 'Report', 'Ben commented', '[]', x'7b7d', 't', 'c', ?, ?)",
                (public, account, number, created, created + 30 * DAY),
            )
    return ids
