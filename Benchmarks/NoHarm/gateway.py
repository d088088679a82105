"""A gateway with its recorders, from the built programs, and clients of it."""
import base64
import http.client
import json
import os
import pathlib
import re
import signal
import socket
import struct
import subprocess
import threading
import time

TOKEN = "operate-0123456789abcdef"
SCOPES = ["waveform", "parade", "vectorscope", "histogram"]
HERTZ = os.sysconf("SC_CLK_TCK")


def ticks(process):
    """Processor seconds used by a process; 0 if it has ended."""
    try:
        fields = pathlib.Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()
    except OSError:
        return 0
    return (int(fields[11]) + int(fields[12])) / HERTZ


def memory(process):
    """A process's resident megabytes, and their peak."""
    text = pathlib.Path(f"/proc/{process}/status").read_text()
    return [int(re.search(key + r":\s+(\d+)", text)[1]) / 1024 for key in ("VmRSS", "VmHWM")]


def wait_for(what, condition, seconds=60):
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            raise TimeoutError(f"{what}: not within {seconds} seconds")
        time.sleep(0.05)


class Gateway:
    """The gateway's process. Recorders outlive it until `end`."""

    def __init__(self, program, folder, channels):
        self.program, self.folder, self.port = program, folder, 0
        self.environment = os.environ | {
            "XDG_RUNTIME_DIR": f"{folder}/runtime", "XDG_CONFIG_HOME": "/nonexistent",
            "XDG_CACHE_HOME": f"{folder}/cache", "XDG_STATE_HOME": f"{folder}/state"}
        os.makedirs(f"{folder}/runtime", 0o700, exist_ok=True)
        text = f'listen = "127.0.0.1:0"\n[[token]]\nname = "bench"\nrole = "operate"\nsecret = "{TOKEN}"\n'
        for channel in channels:
            text += "[[channel]]\n" + "".join(f'{key} = "{value}"\n' for key, value in channel.items())
        pathlib.Path(f"{folder}/serve.toml").write_text(text)
        self.start()

    def start(self):
        listen = ["--listen", f"127.0.0.1:{self.port}"] if self.port else []
        output = open(f"{self.folder}/output", "w")
        self.process = subprocess.Popen(
            [self.program, "--config", f"{self.folder}/serve.toml", *listen], env=self.environment,
            stdin=subprocess.DEVNULL, stdout=output, stderr=open(f"{self.folder}/log", "a"))

        def listens():
            if self.process.poll() is not None:
                raise RuntimeError(pathlib.Path(f"{self.folder}/log").read_text()[-2000:])
            found = re.search(r"127\.0\.0\.1:(\d+)", pathlib.Path(output.name).read_text())
            self.port = int(found[1]) if found else self.port
            return bool(found)

        wait_for("the gateway listens", listens)

    def ask(self, method, path, body=None):
        """Sends a request; returns the answer's JSON."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
        headers = {"Authorization": f"Bearer {TOKEN}"}
        if body is not None:
            headers["Content-Type"] = "application/json"
            body = json.dumps(body)
        connection.request(method, "/api/v1" + path, body, headers)
        answer = connection.getresponse()
        data = answer.read()
        connection.close()
        if answer.status >= 400:
            raise RuntimeError(f"{method} {path}: {answer.status} {data[:300]}")
        return json.loads(data) if data else None

    def recorder(self, name):
        try:
            return self.ask("GET", f"/channels/{name}").get("recorder") or {}
        except OSError:
            return {}

    def wait_until(self, name, *states):
        wait_for(f"{name} is {' or '.join(states)}", lambda: self.recorder(name).get("state") in states)

    def takes(self, name):
        return self.ask("GET", f"/channels/{name}/takes")["takes"]

    def kill(self):
        self.process.kill()
        self.process.wait()

    def end(self):
        """Ends the gateway, and those of its recorders that are idle."""
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGINT)
            try:
                self.process.wait(30)
            except subprocess.TimeoutExpired:
                self.process.kill()
        for entry in pathlib.Path("/proc").glob("[0-9]*"):
            try:
                if f"{self.folder}/runtime".encode() in (entry / "cmdline").read_bytes():
                    os.kill(int(entry.name), signal.SIGINT)
            except (OSError, ValueError):
                pass


class WebSocket:
    """A blocking WebSocket client."""

    def __init__(self, port, path):
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=30)
        key = base64.b64encode(os.urandom(16)).decode()
        self.socket.sendall((
            f"GET /api/v1{path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nAuthorization: Bearer {TOKEN}\r\n"
            "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
            f"Sec-WebSocket-Key: {key}\r\n\r\n").encode())
        self.file = self.socket.makefile("rb")
        line = self.file.readline()
        if b" 101 " not in line:
            self.close()
            raise ConnectionError(line)
        while self.file.readline() not in (b"\r\n", b""):
            pass

    def send(self, value):
        data = json.dumps(value).encode()
        head = bytes([0x81, 0x80 | len(data)]) if len(data) < 126 else struct.pack("!BBH", 0x81, 0xFE, len(data))
        self.socket.sendall(head + bytes(4) + data)

    def next(self):
        """Reads a message; returns its kind and bytes."""
        while True:
            head = self.file.read(2)
            if len(head) < 2:
                raise ConnectionError("closed")
            length = head[1] & 0x7F
            if length > 125:
                size = 2 if length == 126 else 8
                length = int.from_bytes(self.file.read(size), "big")
            data = self.file.read(length)
            if head[0] & 15 in (1, 2):
                return head[0] & 15, data
            if head[0] & 15 == 8:
                raise ConnectionError("closed")

    def close(self):
        # This ends a pending read.
        try:
            self.socket.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass
        self.socket.close()


class Viewer:
    """Acts as a page: takes frames with all scopes, and acknowledges each. Reconnects after an interruption."""

    def __init__(self, port, channel, rate=15):
        self.port, self.path, self.rate = port, f"/channels/{channel}/monitor", rate
        self.pictures, self.is_over, self.link = 0, False, None
        self.thread = threading.Thread(target=self.run, daemon=True)
        self.thread.start()

    def run(self):
        while not self.is_over:
            try:
                self.link = WebSocket(self.port, self.path)
                self.link.send({"pictureRate": self.rate, "scopes": SCOPES, "levels": True})
                while not self.is_over:
                    kind, data = self.link.next()
                    if kind == 2:
                        length = int.from_bytes(data[:4], "little")
                        number = json.loads(data[4:4 + length])["number"]
                        self.link.send({"acknowledge": number})
                        self.pictures += 1
            except (OSError, ValueError):
                time.sleep(0.1)
            finally:
                if self.link:
                    self.link.close()

    def end(self):
        self.is_over = True
        if self.link:
            self.link.close()
        self.thread.join()
