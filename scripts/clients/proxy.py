"""An HTTP proxy of the kind that stands between many a server and the internet: it takes CONNECT, and nothing else."""

import contextlib
import socket
import socketserver
import threading

from relay import carry


class _Tunnel(socketserver.StreamRequestHandler):
    timeout = 20

    def handle(self):
        method, address, _ = self.rfile.readline(4_096).decode("latin-1").split()
        while self.rfile.readline(4_096).strip():
            pass
        if method != "CONNECT":
            return
        host, port = address.rsplit(":", 1)
        with socket.create_connection((host.strip("[]"), int(port)), timeout=20) as other:
            self.wfile.write(b"HTTP/1.1 200 Connection established\r\nProxy-Agent: test\r\n\r\n")
            with self.server.opened(address, self.connection, other):
                carry(self.connection, other)


class ConnectProxy(socketserver.ThreadingTCPServer):
    """Serves for the length of a `with` block, on a port of its own."""

    daemon_threads = True

    def __init__(self):
        super().__init__(("127.0.0.1", 0), _Tunnel)
        self.url = f"http://127.0.0.1:{self.server_address[1]}"
        # The address of every tunnel there was, in order.
        self.addresses = []
        self._open = []
        self._lock = threading.Lock()

    def __enter__(self):
        threading.Thread(target=self.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_):
        self.shutdown()
        self.cut()
        self.server_close()

    @contextlib.contextmanager
    def opened(self, address, *ends):
        with self._lock:
            self.addresses.append(address)
            self._open.append(ends)
        try:
            yield
        finally:
            with self._lock:
                self._open.remove(ends)

    def cut(self):
        """Ends every tunnel; further ones may follow."""
        with self._lock:
            for end in [end for ends in self._open for end in ends]:
                with contextlib.suppress(OSError):
                    end.shutdown(socket.SHUT_RDWR)

    def handle_error(self, *_):
        """Tunnels end as they like."""
