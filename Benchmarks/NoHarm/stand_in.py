"""A stand-in for a recorder, which records nothing.

It plays what a recorder once sent to a gateway, at the same pace. The gateway and the viewers have the same work
with it, but the measured recorder has none: its additional cost meanwhile is due to its neighbors on the machine,
which share its processors, caches and memory.

    stand_in.py SOCKET FILE     plays FILE to every client
"""
import json
import os
import pathlib
import select
import socket
import subprocess
import sys
import time

# Frames that are recorded, and played in a loop.
PICTURES = 12
# The source's frames a second, on whose grid frames come.
GRID = 60
LEVELS = 0.05


def messages(file):
    """The line, the document and the bytes of each message."""
    while line := file.readline():
        document = json.loads(line)
        count = document["picture"]["byteCount"] if document.get("event") == "picture" else 0
        yield line, document, file.read(count)


def say(link, **keys):
    link.sendall(json.dumps(keys).encode() + b"\n")


def keep(source, path):
    """Captures what a recorder at a socket sends to a viewer: its greeting, levels, and frames."""
    pictures, levels = 0, 0
    with socket.socket(socket.AF_UNIX) as link, open(path, "wb") as kept:
        link.settimeout(30)
        link.connect(source)
        say(link, command="monitor", pictureRate=15, levels=True)
        for line, document, data in messages(link.makefile("rb")):
            event = document.get("event")
            if event == "picture":
                say(link, command="acknowledge", number=document["picture"]["number"])
                pictures += 1
            elif event == "levels":
                levels += 1
            elif event != "greeting":
                continue
            kept.write(line + data)
            if pictures >= PICTURES and levels > 0:
                return
    raise ConnectionError(f"{source}: only {pictures} frames and {levels} levels came")


class StandIn:
    """A process that plays what `recorder` is sending now."""

    def __init__(self, folder, recorder):
        self.path, kept = f"{folder}/stand-in.socket", f"{folder}/stand-in.stream"
        keep(recorder, kept)
        self.process = subprocess.Popen([sys.executable, __file__, self.path, kept], stdin=subprocess.DEVNULL)
        end = time.monotonic() + 30
        while not os.path.exists(self.path):
            if time.monotonic() > end:
                raise TimeoutError("the stand-in does not listen")
            time.sleep(0.05)

    def end(self):
        self.process.kill()
        self.process.wait()


class Player:
    """Plays to one client."""

    def __init__(self, link, greeting, levels, pictures):
        self.link, self.levels, self.pictures = link, levels, pictures
        self.rate, self.wants_levels, self.number = 0, False, 0
        self.is_ready, self.picture_due, self.levels_due = True, 0.0, 0.0
        self.status = greeting["status"] | {"state": "idle", "processID": os.getpid(), "sessionID": "stand-in"}
        for key in ("take", "disk"):
            self.status.pop(key, None)
        self.send(greeting | {"status": self.status})

    def send(self, document, data=b""):
        self.link.sendall(json.dumps(document).encode() + b"\n" + data)

    def obey(self, command):
        name = command.get("command")
        if name == "acknowledge":
            self.is_ready = True
            return
        if name == "monitor":
            self.rate, self.wants_levels = command.get("pictureRate", 0), command.get("levels", False)
        self.status["number"] = self.status.get("number", 0) + 1
        self.send({"schema": "prores-recorder/recorder-reply", "version": 2, "command": name,
                   "status": self.status} | ({"id": command["id"]} if "id" in command else {}))

    def play(self, now):
        """Sends what is due.

        Returns the time until something else is."""
        waits = [1.0]
        if self.rate > 0 and self.is_ready:
            if now >= self.picture_due:
                self.picture(now)
            else:
                waits.append(self.picture_due - now)
        if self.wants_levels:
            if now >= self.levels_due:
                self.levels_due = now + LEVELS
                self.send(self.levels)
            waits.append(self.levels_due - now)
        return max(0, min(waits))

    def picture(self, now):
        document, data = self.pictures[self.number % len(self.pictures)]
        self.number += 1
        header = document["picture"] | {"number": self.number, "captureTime": now}
        self.is_ready = False
        self.send(document | {"picture": header}, data)
        # The first frame of the source after the requested time.
        self.picture_due = (int((now + 1 / self.rate) * GRID) + 1) / GRID

    def run(self):
        waiting = b""
        while True:
            ready, _, _ = select.select([self.link], [], [], self.play(time.monotonic()))
            if not ready:
                continue
            data = self.link.recv(1 << 16)
            if not data:
                return
            *lines, waiting = (waiting + data).split(b"\n")
            for line in lines:
                self.obey(json.loads(line))


def main(path, kept):
    with open(kept, "rb") as file:
        all = [(document, data) for _, document, data in messages(file)]
    greeting, levels = (
        next(document for document, _ in all if document["event"] == event) for event in ("greeting", "levels"))
    pictures = [(document, data) for document, data in all if document["event"] == "picture"]
    pathlib.Path(path).unlink(missing_ok=True)
    listener = socket.socket(socket.AF_UNIX)
    listener.bind(path)
    listener.listen()
    while True:
        link, _ = listener.accept()
        try:
            Player(link, greeting, levels, pictures).run()
        except OSError:
            pass
        finally:
            link.close()


if __name__ == "__main__":
    main(*sys.argv[1:])
