"""A world that `simctl serve` serves, for the length of a `with` block."""

import json
import os
import signal
import subprocess
import threading
import urllib.error
import urllib.request


class ServedWorld:
    """Starts the program, reads its first line, and ends it by SIGTERM."""

    def __init__(self, simctl, scenario, folder, *flags, prefix=()):
        self._command = [*prefix, simctl, "serve", scenario, "--cert-dir", folder, *flags]
        self._opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))

    def __enter__(self):
        self._process = subprocess.Popen(self._command, stdout=subprocess.PIPE, text=True)
        first = self._process.stdout.readline()
        if not first:
            raise SystemExit(f"simctl serve ended with {self._process.wait()}")
        self.told = json.loads(first)
        self.trace = []
        self._reader = threading.Thread(target=self._read_trace, daemon=True)
        self._reader.start()
        return self

    def __exit__(self, *_):
        self._process.send_signal(signal.SIGTERM)
        code = self._process.wait(timeout=20)
        self._reader.join(timeout=5)
        if code != 0:
            raise SystemExit(f"simctl serve ended with {code} after SIGTERM")

    def _read_trace(self):
        for line in self._process.stdout:
            self.trace.append(json.loads(line))

    def control(self, method, path, body=None):
        """Status and JSON of a call of the control API."""
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.told["control"] + path, data=data, method=method)
        try:
            with self._opener.open(request, timeout=20) as answer:
                return answer.status, json.load(answer)
        except urllib.error.HTTPError as error:
            return error.code, json.load(error)

    def act(self, **entry):
        status, answer = self.control("POST", "/actions", entry)
        assert status == 200, answer
        return answer

    def device(self, name):
        return next(device["token"] for device in self.told["devices"] if device["id"] == name)


def without_proxies():
    """Everything here is on the loopback interface."""
    for name in list(os.environ):
        if name.lower().endswith("_proxy"):
            del os.environ[name]
