"""Caddy with a shipped Caddyfile on the loopback interface, and a client that calls through it."""

import http.client
import json
import os
import pathlib
import signal
import socket
import ssl
import subprocess

from notifierd import free_port
from waiting import until_ready

SITE = "notifier.example.com"
UPSTREAM = "reverse_proxy 127.0.0.1:8080"
READY_SECONDS = 30
# What a machine of our own has and the internet does not: other ports, an authority of its own, and no trace of it outside the folder.
# The site's own block stays as it is, but for the server's port.
LOOPBACK = """{{
	admin off
	default_bind 127.0.0.1
	http_port {http}
	https_port {https}
	local_certs
	skip_install_trust
	storage file_system {folder}/storage
}}
"""


class Caddy:
    """Caddy before the server at `port`; SIGTERM ends it."""

    def __init__(self, program, text, folder, port):
        if text.count(UPSTREAM) != 1:
            raise SystemExit(f"the Caddyfile must name the server once, as: {UPSTREAM}")
        self.folder = pathlib.Path(folder)
        self.http_port, self.port = free_port(), free_port()
        self.command = [program, "run", "--adapter", "caddyfile", "--config", str(self.folder / "Caddyfile")]
        settings = LOOPBACK.format(http=self.http_port, https=self.port, folder=self.folder)
        site = text.replace(UPSTREAM, f"reverse_proxy 127.0.0.1:{port}")
        (self.folder / "Caddyfile").write_text(settings + site)
        self.authority = self.folder / "storage/pki/authorities/local/root.crt"

    def __enter__(self):
        with open(self.folder / "caddy.log", "wb") as log:
            self.process = subprocess.Popen(self.command, env=environment(self.folder), stderr=log)
        until_ready(self.process, self.is_ready, READY_SECONDS, lambda: f"caddy is not ready: {self.log_end()}")
        return self

    def __exit__(self, *_):
        self.process.send_signal(signal.SIGTERM)
        code = self.process.wait(timeout=60)
        if code != 0:
            raise SystemExit(f"caddy ended with {code} after SIGTERM: {self.log_end()}")

    def is_ready(self):
        """Whether it has a certificate; the server behind it is not asked."""
        if not self.authority.exists():
            return False
        try:
            TLSConnection(self).connect()
            return True
        except OSError:
            return False

    def log_end(self):
        return (self.folder / "caddy.log").read_text()[-2000:]

    def call(self, method, path, body=None, session=None, source="127.0.0.1", fields=()):
        """Status and bytes of an answer to a client at the address `source`."""
        connection = TLSConnection(self, source)
        content = body if body is None or isinstance(body, bytes) else json.dumps(body).encode()
        connection.putrequest(method, path, skip_accept_encoding=True)
        for name, value in fields:
            connection.putheader(name, value)
        if session:
            connection.putheader("Authorization", f"Bearer {session}")
        if content is not None:
            connection.putheader("Content-Length", str(len(content)))
        connection.endheaders(content)
        try:
            answer = connection.getresponse()
            return answer.status, answer.read()
        finally:
            connection.close()


class TLSConnection(http.client.HTTPSConnection):
    """A connection that takes this machine for the site, and verifies that it is."""

    def __init__(self, caddy, source="127.0.0.1"):
        self.trust = ssl.create_default_context(cafile=caddy.authority)
        super().__init__(SITE, caddy.port, timeout=180, context=self.trust)
        self.source = source

    def connect(self):
        plain = socket.create_connection(("127.0.0.1", self.port), self.timeout, (self.source, 0))
        try:
            self.sock = self.trust.wrap_socket(plain, server_hostname=SITE)
        except OSError:
            plain.close()
            raise


def environment(folder):
    """Where Caddy leaves its files, and nothing of this machine's."""
    return {"PATH": os.environ["PATH"], "HOME": str(folder), "XDG_CONFIG_HOME": str(folder), "XDG_DATA_HOME": str(folder)}
