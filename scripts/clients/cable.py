"""What lies between one client and the server, and can be pulled out: that client is offline while others are not."""

import contextlib
import socket
import socketserver
import threading

from relay import carry


class _Connection(socketserver.BaseRequestHandler):
    def handle(self):
        with socket.create_connection(self.server.far_end, timeout=20) as other:
            with self.server.carrying(self.request), contextlib.suppress(OSError):
                carry(self.request, other)


class _Relay(socketserver.ThreadingTCPServer):
    allow_reuse_address = True
    daemon_threads = True

    def __init__(self, port, far_end):
        super().__init__(("127.0.0.1", port), _Connection)
        self.far_end = far_end
        self._open = []
        self._lock = threading.Lock()

    @contextlib.contextmanager
    def carrying(self, end):
        with self._lock:
            self._open.append(end)
        try:
            yield
        finally:
            with self._lock:
                self._open.remove(end)

    def cut(self):
        with self._lock:
            for end in self._open:
                with contextlib.suppress(OSError):
                    end.shutdown(socket.SHUT_RDWR)


class Cable:
    """To a port of this machine, for the length of a `with` block. Pulled out, its own port refuses connections."""

    def __init__(self, port):
        self._far_end = ("127.0.0.1", port)
        self._port = 0
        self._relay = None

    @property
    def base(self):
        return f"http://127.0.0.1:{self._port}"

    def plug(self):
        self._relay = _Relay(self._port, self._far_end)
        self._port = self._relay.server_address[1]
        threading.Thread(target=self._relay.serve_forever, daemon=True).start()

    def pull(self):
        self._relay.shutdown()
        self._relay.server_close()
        self._relay.cut()
        self._relay = None

    def __enter__(self):
        self.plug()
        return self

    def __exit__(self, *_):
        if self._relay:
            self.pull()
