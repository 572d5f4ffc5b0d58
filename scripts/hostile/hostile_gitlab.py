"""A GitLab that is tame until it is told otherwise, on a socket of this machine, in a process of its own.

What an account meets is chosen by its token, `glpat-hostile-NUMBER`: the way in which GitLab is hostile to it is `WAYS[NUMBER % …]`.
"""

import json
import multiprocessing
import re
import socket
import threading
import time
import zlib

MEGABYTE = 1024 * 1024
ITEM_COUNT = 4
TAME_ROWS = b"[]"


def packed(chunks):
    """Chunks of bytes as one gzip body: what is large unpacked need not be so on the way, nor here."""
    packer = zlib.compressobj(1, zlib.DEFLATED, 31)
    return b"".join([*(packer.compress(chunk) for chunk in chunks), packer.flush()])


def repeated(head, piece, times, tail):
    """The same piece over and over, in chunks."""
    per_chunk = max(1, MEGABYTE // len(piece))
    yield head
    for _ in range(times // per_chunk):
        yield piece * per_chunk
    yield piece * (times % per_chunk)
    yield tail


def user(name="somebody"):
    return {"id": 9, "username": name, "name": name, "avatar_url": None}


def todo(number, body, name="somebody"):
    return {
        "id": number, "project": {"id": 1, "path_with_namespace": "team/app"}, "author": user(name), "action_name": "mentioned",
        "target_type": "MergeRequest", "state": "pending", "created_at": "2026-03-02T08:00:00.000Z", "body": body,
        "target": {"id": number, "iid": number, "project_id": 1, "title": body},
        "target_url": f"https://gitlab.example.com/team/app/-/merge_requests/{number}",
    }


def note(number, body, name="somebody"):
    return {"id": number, "body": body, "author": user(name), "created_at": "2026-03-02T08:00:00.000Z", "system": False}


class Bodies:
    """Made once, since packing sixteen megabytes takes a while."""

    def __init__(self):
        # Every page fits into sixteen megabytes, unpacked, unless it says otherwise.
        self.million_rows = packed(repeated(b"[", b'{"id":1234567},', 1_000_000, b'{"id":1}]'))
        self.deep = packed([b'[{"id":1,"body":' + b"[" * 300_000 + b"]" * 300_000 + b"}]"])
        self.many_values = packed(repeated(b'[{"id":1,"labels":[', b"1,", 7_500_000, b"1]}]"))
        self.long_texts = {
            False: packed(self._long_rows(todo)),
            True: packed(self._long_rows(note)),
        }
        self.bomb = packed(repeated(b"[", b" " * MEGABYTE, 300, b"]"))
        self.names = packed([json.dumps([note(number, "x", "n" * 150_000) for number in range(100)]).encode()])

    def _long_rows(self, row):
        """A hundred rows of 160 kB each, none of them odd but for their length."""
        yield b"["
        for number in range(1, 100):
            yield json.dumps(row(number, "y" * 80_000 + str(number))).encode() + b","
        yield json.dumps(row(100, "y" * 80_000)).encode() + b"]"


def page_number(target):
    found = re.search(r"[?&]page=(\d+)", target)
    return int(found[1]) if found else 1


class Answer:
    """A status, fields and a body, sent at once or drop by drop."""

    def __init__(self, body, is_packed=False, fields=(), is_slow=False):
        self.body, self.fields, self.is_slow = body, dict(fields), is_slow
        if is_packed:
            self.fields["Content-Encoding"] = "gzip"


def growing(bodies, target, counter):
    """New rows on every page, and always another page: a list that is never read to its end."""
    first = counter.next(100)
    row = note if "/notes" in target else todo
    rows = json.dumps([row(first + offset, "z" * 2_000) for offset in range(100)]).encode()
    return Answer(rows, fields={"X-Next-Page": str(page_number(target) + 1), "X-Total": "1000000"})


def slow(bodies, target, counter):
    rows = json.dumps([note(number, "s" * 9_000) for number in range(100)]).encode()
    return Answer(rows, is_slow=True)


def long_field(bodies, target, counter):
    return Answer(TAME_ROWS, fields={"ETag": '"' + "e" * 200_000 + '"', "Link": "<" + "l" * 40_000 + '>; rel="next"'})


WAYS = [
    lambda bodies, target, counter: Answer(bodies.million_rows, True),
    lambda bodies, target, counter: Answer(bodies.long_texts["/notes" in target], True),
    lambda bodies, target, counter: Answer(bodies.deep, True),
    growing,
    lambda bodies, target, counter: Answer(bodies.bomb, True),
    slow,
    lambda bodies, target, counter: Answer(bodies.names, True),
    lambda bodies, target, counter: Answer(bodies.many_values, True),
    long_field,
    # A long list that ends: twenty thousand rows, all of them new each time.
    lambda bodies, target, counter: finite(target, counter),
]


def finite(target, counter):
    answer = growing(None, target, counter)
    if page_number(target) >= 200:
        answer.fields["X-Next-Page"] = ""
    return answer


class Counter:
    """Ids that are used once."""

    def __init__(self):
        self._value = 1_000
        self._lock = threading.Lock()

    def next(self, count):
        with self._lock:
            self._value += count
            return self._value - count


def tame(target, number):
    """What a GitLab says to an account with nothing in it."""
    path = target.split("?")[0]
    if path == "/api/v4/user":
        return 200, {"id": number + 1, "username": f"victim{number}", "name": f"Victim {number}"}
    if path == "/api/v4/personal_access_tokens/self":
        return 200, {"id": 1, "scopes": ["read_api"], "active": True, "user_id": number + 1, "expires_at": None}
    if path == "/api/v4/metadata":
        return 200, {"version": "17.11.2", "enterprise": False}
    found = re.fullmatch(r"/api/v4/projects/1/merge_requests/(\d+)", path)
    if found:
        iid = int(found[1])
        return 200, {
            "id": iid, "iid": iid, "project_id": 1, "title": f"Item {iid}", "state": "opened",
            "references": {"full": f"team/app!{iid}"}, "created_at": "2026-03-02T08:00:00.000Z", "source_branch": "b",
        }
    if path == "/api/v4/projects/1/merge_requests":
        now = time.strftime("%Y-%m-%dT%H:%M:%S.000Z", time.gmtime())
        rows = [{"id": iid, "iid": iid, "state": "opened", "updated_at": now} for iid in range(1, ITEM_COUNT + 1)]
        return 200, rows
    return 200, []


def hostile_to(target):
    """Sweeps stay tame in part, so that items are read at all: what they show has always changed."""
    return not target.startswith("/api/v4/projects/1/merge_requests?") and target.split("?")[0] != "/api/v4/metadata"


def converse(connection, is_hostile, bodies, counter):
    connection.settimeout(120)
    kept = b""
    while True:
        while b"\r\n\r\n" not in kept:
            piece = connection.recv(65_536)
            if not piece:
                return
            kept += piece
        head, _, kept = kept.partition(b"\r\n\r\n")
        lines = head.decode("latin-1").split("\r\n")
        target = lines[0].split(" ")[1]
        fields = {name.lower(): value for name, _, value in (line.partition(": ") for line in lines[1:])}
        number = int(re.sub(r"\D", "", fields.get("private-token", "0")) or 0)
        if is_hostile.is_set() and hostile_to(target):
            answer = WAYS[number % len(WAYS)](bodies, target, counter)
        else:
            answer = Answer(json.dumps(tame(target, number)[1]).encode())
        say(connection, answer)


def say(connection, answer):
    date = time.strftime("%a, %d %b %Y %H:%M:%S GMT", time.gmtime())
    fields = {"Content-Type": "application/json", "Date": date, "Content-Length": len(answer.body), **answer.fields}
    head = "".join(f"{name}: {value}\r\n" for name, value in fields.items())
    connection.sendall(f"HTTP/1.1 200 OK\r\n{head}\r\n".encode())
    if not answer.is_slow:
        return connection.sendall(answer.body)
    middle = len(answer.body) * 9 // 10
    connection.sendall(answer.body[:middle])
    for index in range(middle, len(answer.body)):
        time.sleep(1)
        connection.sendall(answer.body[index:index + 1])


def serve(listener, is_hostile, bodies):
    counter = Counter()

    def handle(connection):
        with connection:
            try:
                converse(connection, is_hostile, bodies, counter)
            except (OSError, ValueError, IndexError):
                # The client has gone.
                pass

    while True:
        connection, _ = listener.accept()
        threading.Thread(target=handle, args=(connection,), daemon=True).start()


class HostileGitLab:
    """The process for the length of a `with` block; `turn()` ends its being tame."""

    def __init__(self, context, bodies):
        self._listener = socket.create_server(("127.0.0.1", 0), backlog=512)
        self.url = f"http://127.0.0.1:{self._listener.getsockname()[1]}"
        self._is_hostile = context.Event()
        self._process = context.Process(target=serve, args=(self._listener, self._is_hostile, bodies), daemon=True)

    def __enter__(self):
        self._process.start()
        self._listener.close()
        return self

    def __exit__(self, *_):
        self._process.kill()
        self._process.join()

    def turn(self):
        self._is_hostile.set()


def several(count):
    """So many servers, made in one go."""
    context = multiprocessing.get_context("fork")
    bodies = Bodies()
    return [HostileGitLab(context, bodies) for _ in range(count)]
