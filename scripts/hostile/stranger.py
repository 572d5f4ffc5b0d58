"""A client of the server's REST API from an address of its own."""

import http.client
import json
import socket
import time


class Answer:
    """Status, fields, JSON and bytes; the status is 0 where the server hung up."""

    def __init__(self, status, fields, body, seconds):
        self.status, self.fields, self.body, self.seconds = status, fields, body, seconds

    @property
    def json(self):
        return json.loads(self.body)

    @property
    def code(self):
        """Of an error in the shape that every refusal has; anything else is none."""
        try:
            error = self.json
            return error["code"] if error["message"] and error["hint"] else None
        except (ValueError, TypeError, KeyError):
            return None

    def __repr__(self):
        return f"{self.status} {self.body[:200]!r} after {self.seconds:.1f} s"


class Stranger:
    """Asks one thing per connection. `fields` go with every request."""

    def __init__(self, port, address, timeout=90, **fields):
        self.port, self.address, self.timeout = port, address, timeout
        self.fields = {name.replace("_", "-"): value for name, value in fields.items()}

    def ask(self, method, target, body=None, session=None, **fields):
        fields = {**self.fields, **{name.replace("_", "-"): value for name, value in fields.items()}}
        if session:
            fields["Authorization"] = f"Bearer {session}"
        data = body if isinstance(body, bytes | None) else json.dumps(body).encode()
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=self.timeout, source_address=(self.address, 0))
        start = time.monotonic()
        try:
            connection.request(method, target, data, fields)
            answer = connection.getresponse()
            return Answer(answer.status, dict(answer.getheaders()), answer.read(), time.monotonic() - start)
        except (OSError, http.client.HTTPException) as error:
            return Answer(0, {}, repr(error).encode(), time.monotonic() - start)
        finally:
            connection.close()

    def register(self, url, token):
        return self.ask("POST", "/auth/register", {"gitlabUrl": url, "personalAccessToken": token})

    def begin(self, text):
        """A connection on which so much was said, and no more."""
        connection = socket.create_connection(("127.0.0.1", self.port), timeout=self.timeout, source_address=(self.address, 0))
        connection.sendall(text)
        return connection


def is_closed(connection):
    """Whether the other side has ended it, as far as is known now."""
    connection.setblocking(False)
    try:
        return connection.recv(4_096) == b""
    except BlockingIOError:
        return False
    except OSError:
        return True
