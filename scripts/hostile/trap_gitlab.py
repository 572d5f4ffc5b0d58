"""A listed GitLab that does to each request what its token says: it stalls, answers slowly and without an end, or sends elsewhere.

Tokens are `glpat-WAY-NUMBER`; a person of any other way meets a tame GitLab with nothing in it.
"""

import collections
import http.server
import json
import re
import select
import threading
import time

from hostile.hostile_gitlab import tame, todo

PAGE_SECONDS = 2
# How long a stalled request is held unless its client goes.
STALL_SECONDS = 120


class TrapGitLab:
    """Serves for the length of a `with` block. `elsewhere` is where redirected requests are sent."""

    def __init__(self, elsewhere):
        self.elsewhere = elsewhere
        # Requests that stand at present, and all there were, by way.
        self.held, self.taken = collections.Counter(), collections.Counter()
        # Set when those of the way `turning` are to meet lists without an end.
        self.turned = threading.Event()
        self._lock = threading.Lock()
        self._server = _Server(("127.0.0.1", 0), _Handler)
        self._server.trap = self
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}"

    def __enter__(self):
        threading.Thread(target=self._server.serve_forever, args=(0.1,), daemon=True).start()
        return self

    def __exit__(self, *_):
        self._server.shutdown()
        self._server.server_close()

    def count(self, way, held):
        with self._lock:
            self.held[way] += held
            self.taken[way] += max(0, held)


class _Server(http.server.ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False
    request_queue_size = 512

    def handle_error(self, *_):
        """Clients that hang up are what it is for."""


class _Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        """Says nothing."""

    def do_GET(self):
        found = re.fullmatch(r"glpat-([a-z]+)-(\d+)", self.headers.get("Private-Token", "glpat-tame-0"))
        way, number = found[1], int(found[2])
        trap = self.server.trap
        trap.count(way, 1)
        try:
            getattr(self, f"_{way}", self._tame)(number)
        finally:
            trap.count(way, -1)

    def _say(self, status, body, **fields):
        self.send_response(status)
        for name, value in {"Content-Type": "application/json", "Content-Length": str(len(body)), **fields}.items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()
        self.wfile.write(body)

    def _tame(self, number):
        status, answer = tame(self.path, number)
        self._say(status, json.dumps(answer).encode())

    def _stall(self, number):
        """Until the client goes: its end is all that can be read from it now."""
        select.select([self.connection], [], [], STALL_SECONDS)
        self.close_connection = True

    def _endless(self, number):
        if not any(list in self.path for list in ("/todos", "/issues", "/merge_requests")):
            return self._tame(number)
        time.sleep(PAGE_SECONDS)
        page = re.search(r"[?&]page=(\d+)", self.path)
        page = int(page[1]) if page else 1
        rows = [todo(page * 100 + row, "x") for row in range(100)]
        self._say(200, json.dumps(rows).encode(), X_Next_Page=str(page + 1), X_Total="1000000")

    def _turning(self, number):
        self._endless(number) if self.server.trap.turned.is_set() else self._tame(number)

    def _longname(self, number):
        if self.path.split("?")[0] != "/api/v4/user":
            return self._tame(number)
        person = {"id": number + 1, "username": "n" * 5_000_000, "name": f"Victim {number}"}
        self._say(200, json.dumps(person).encode())

    def _redirect(self, number):
        self._say(302, b"", Location=self.server.trap.elsewhere + self.path)
