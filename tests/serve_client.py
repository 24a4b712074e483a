"""A running `interpole serve` and a client that sends exactly the bytes it is told to."""
import os
import re
import select
import signal
import socket
import subprocess
import time

from patience import slowed

START_SECONDS = slowed(120)


class Server:
    """`interpole serve` with these arguments; ended by Ctrl-C."""

    def __init__(self, program, folder, *arguments, browser=False, environment=None):
        temporary = folder / "tmp"
        temporary.mkdir(exist_ok=True)
        self.temporary = temporary
        self._talk = open(folder / "serve-stderr.txt", "w+", encoding="utf-8")
        self.process = subprocess.Popen([program, "serve", *map(str, arguments)] + ([] if browser else ["--no-browser"]),
                                        cwd=folder,
                                        stdout=subprocess.PIPE, stderr=self._talk, text=True,
                                        env={**os.environ, "TMPDIR": str(temporary), **(environment or {})})
        ready, _, _ = select.select([self.process.stdout], [], [], START_SECONDS)
        self.address = self.process.stdout.readline().strip() if ready else ""
        match = re.fullmatch(r"http://127\.0\.0\.1:(\d+)/#token=([\w-]{43})", self.address)
        if not match:
            self.stop()
            raise AssertionError(f"no address but {self.address!r}; stderr: {self.talk()}")
        self.port, self.token = int(match[1]), match[2]

    def talk(self):
        self._talk.seek(0)
        return self._talk.read()

    def stop(self, how=signal.SIGINT):
        """The exit code."""
        if self.process.poll() is None:
            self.process.send_signal(how)
        try:
            return self.process.wait(timeout=slowed(30))
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
            raise
        finally:
            self.process.stdout.close()

    def close(self):
        self.stop()
        self._talk.close()

    def memory(self):
        """Resident bytes."""
        with open(f"/proc/{self.process.pid}/status", encoding="ascii") as status:
            return 1024 * int(re.search(r"VmRSS:\s+(\d+)", status.read())[1])

    def connect(self, timeout=slowed(10)):
        return socket.create_connection(("127.0.0.1", self.port), timeout=timeout)

    def head(self, line, *fields, host=None, token=None):
        """A request's head with this host (default: the server's own) and token (default: the right one)."""
        host = f"127.0.0.1:{self.port}" if host is None else host
        token = self.token if token is None else token
        lines = [f"{line} HTTP/1.1", f"Host: {host}", f"X-Interpole-Token: {token}", *fields]
        return ("\r\n".join(lines) + "\r\n\r\n").encode("latin-1")

    def exchange(self, data, timeout=slowed(10)):
        """Status and all that came back until the server closed, or was silent for so long."""
        with self.connect(timeout) as client:
            try:
                client.sendall(data)
            except (BrokenPipeError, ConnectionResetError):
                pass  # refused before all was sent
            return read_reply(client)

    def ask(self, line, *fields, body=b"", **head):
        """Status, fields, body."""
        length = [f"Content-Length: {len(body)}"] if body else []
        status, reply = self.exchange(self.head(line, "Connection: close", *length, *fields, **head) + body)
        top, _, rest = reply.partition(b"\r\n\r\n")
        names = dict(row.split(": ", 1) for row in top.decode("latin-1").split("\r\n")[1:])
        return status, names, rest


def read_reply(client):
    reply = b""
    try:
        while block := client.recv(65536):
            reply += block
    except (socket.timeout, ConnectionResetError):
        pass
    match = re.match(rb"HTTP/1\.1 (\d{3}) ", reply)
    return (int(match[1]) if match else None), reply


def wait_until(condition, seconds=60):
    end = time.monotonic() + slowed(seconds)
    while time.monotonic() < end:
        if condition():
            return True
        time.sleep(0.05)
    return False
