"""A simulated gateway and a page connected to it, for play_gateway.py."""
import json
import struct
import sys
import time

folder = sys.argv[2]
SITE = "http://127.0.0.1:8437"
TYPES = {"html": "text/html", "js": "text/javascript", "css": "text/css", "svg": "image/svg+xml"}


def status(name, state="recording"):
    """A channel's status as a gateway reports it."""
    recorder = {
        "state": state, "standsBy": False, "isPaused": False, "takesFinishing": 0, "takesFinished": 0}
    if state == "recording":
        recorder["take"] = {"number": 1, "path": f"{name}-001.mov"}
    return {
        "name": name, "title": f"Camera {name}", "connection": "connected", "alarms": [], "notes": [],
        "recorder": recorder}


def refusal(message, code="tooMany"):
    return {"error": {"code": code, "message": message}}


class Gateway:
    """A simulated gateway's channels, tokens and viewers, and a log of its requests."""

    def __init__(self, context, channels):
        self.channels = {name: status(name) for name in channels}
        self.token, self.cookie = "good-0123456789abcdef", "good-0123456789abcdef"
        self.is_up = True
        self.running = None
        self.asked, self.tries = [], {}
        self.presets = []
        # Channels whose takes cannot be listed.
        self.without_takes = set()
        # A take that ends while the list is being sent, and that the list lacks.
        self.late_take = None
        # The body of the last order.
        self.body = None
        # The requested frame rate of each channel.
        self.rates = {}
        self.pictures_left = 50
        self.turns_away = self.is_full_of_regions = False
        # A cut network: nothing arrives, and no end is reported. And whether orders are refused.
        self.is_cut = self.refuses = False
        self.held = []
        self.beaten = self.counted = 0
        # Takes grow unless this is set.
        self.hangs = False
        self.sockets = []
        self.number = 0
        self.jpeg = b""
        context.route("**/*", self.answer)
        context.route_web_socket("**/*", self.serve)

    # Requests

    def answer(self, route):
        request = route.request
        path = request.url.split("#")[0].removeprefix(SITE)
        if not path.startswith("/api/"):
            name = path.lstrip("/") or "index.html"
            with open(f"{folder}/{name}", "rb") as file:
                return route.fulfill(
                    body=file.read(), content_type=TYPES[name.rsplit(".", 1)[1]])
        if self.is_cut and request.method == "POST":
            return self.held.append(route)
        if not self.is_up or self.is_cut:
            return route.abort("connectionrefused")
        body = request.post_data_json if request.method == "POST" else None
        code, value = self.reply(request.method, path.removeprefix("/api/v1"), body)
        route.fulfill(status=code, json=value)

    def reply(self, method, path, body):
        self.asked.append((method, path))
        if method == "POST" and path != "/session":
            self.body = body
        if path == "/session" and method == "POST":
            self.cookie = body["token"]
        if self.cookie != self.token:
            return 401, refusal("the token is wrong", "notAuthenticated")
        if path == "/session":
            return 200, {"role": "operate", "name": "gallery", "version": "1"}
        if path == "/channels":
            return 200, {"channels": list(self.channels.values())}
        if self.refuses and method == "POST":
            return 409, refusal("refused", "notPossible")
        if path == "/presets":
            return 200, {"presets": self.presets}
        if path.endswith("/takes") and path.split("/")[2] in self.without_takes:
            return 503, refusal("the disk does not answer", "notAvailable")
        if path.endswith("/takes") and self.late_take:
            for socket in self.event_sockets():
                socket.send(json.dumps({"event": "take", "channel": path.split("/")[2], "take": self.late_take}))
            self.late_take = None
        if path == "/start" and method == "POST":
            return 200, {"results": [
                {"channel": name, "error": {"code": "noSignal", "message": "no signal"}} if name == "a"
                else {"channel": name} for name in self.channels]}
        if path.endswith("/takes/running"):
            return (200, self.running) if self.running else (404, refusal("no take", "notFound"))
        return 200, {"takes": [], "presets": [], "results": []}

    def orders(self):
        return [path for method, path in self.asked if method == "POST" and path != "/session"]

    # WebSockets

    def serve(self, socket):
        path = socket.url.split("/api/v1", 1)[1]
        self.tries[path] = self.tries.get(path, 0) + 1
        name = path.split("/")[2] if path.startswith("/channels/") else None
        if not self.is_up or self.is_cut or self.cookie != self.token or name and name not in self.channels:
            return socket.close(code=4000)
        if name and self.turns_away:
            socket.send(json.dumps(refusal("32 viewers are already watching")))
            return socket.close(code=4000)
        self.sockets.append((name, socket))
        if name:
            socket.on_message(lambda text: self.take(name, socket, json.loads(text)))
        else:
            for one in self.channels.values():
                self.tell(socket, one)

    def beat(self):
        """Sends keep-alive messages as often as a real gateway."""
        if not self.is_cut and time.monotonic() - self.beaten > 3:
            self.beaten = time.monotonic()
            for _, socket in self.sockets:
                socket.send(json.dumps({"event": "alive"}))
        if not self.is_cut and time.monotonic() - self.counted > 1:
            self.counted = time.monotonic()
            for one in self.channels.values():
                progress = one["recorder"].get("progress") if one.get("recorder") else None
                if progress:
                    # Other processes fill the disk, too.
                    progress["freeDiskSpace"] = int(1e9 * self.counted)
                    progress["frames"] += 0 if self.hangs else 25
                for socket in self.event_sockets():
                    self.tell(socket, one)

    def tell(self, socket, one):
        socket.send(json.dumps({"event": "channel", "channel": one["name"], "status": one}))

    def change(self, name, state, take=1, start=None, preset=None):
        """Adds a channel or changes its recorder's state. `start` is the date of the scheduled start, also of one that
        has begun the take; `preset` is that of future takes."""
        self.channels[name] = status(name, state)
        recorder = self.channels[name]["recorder"]
        if state == "recording":
            recorder["take"]["number"] = take
        if preset is not None:
            recorder["source"] = {
                "deviceName": "SDI", "format": "v210 1920x1080", "preset": preset, "codec": preset, "hasSignal": True}
        if start is not None:
            (recorder["take"] if state == "recording" else recorder)["armed"] = {"date": start}
        for socket in self.event_sockets():
            self.tell(socket, self.channels[name])

    def retitle(self, name, title):
        self.channels[name]["title"] = title
        for socket in self.event_sockets():
            self.tell(socket, self.channels[name])

    def remove(self, name):
        del self.channels[name]
        for socket in self.event_sockets():
            socket.send(json.dumps({"event": "removed", "channel": name}))

    def event_sockets(self):
        return [socket for name, socket in self.sockets if name is None]

    def take(self, name, socket, message):
        if "pictureRate" in message:
            self.rates[name] = message["pictureRate"]
        if message.get("region") and self.is_full_of_regions:
            socket.send(json.dumps(refusal("8 viewers are already viewing source pixels")))
        self.show(socket)

    def show(self, socket):
        """Sends the next frame; every second one is damaged."""
        if self.pictures_left == 0 or self.is_cut:
            return
        self.pictures_left -= 1
        self.number += 1
        jpeg = b"no picture" if self.number % 2 == 0 else self.jpeg
        header = json.dumps({
            "number": self.number, "byteCount": len(jpeg), "maps": [], "width": 64, "height": 36,
            "sourceWidth": 1920, "sourceHeight": 1080, "pixelAspectRatio": "1:1", "color": "1-1-1",
            "captureTime": 1, "timecode": "10:00:00:00"}).encode()
        socket.send(struct.pack("<I", len(header)) + header + jpeg)

    def mend(self):
        """Restores the network; requests in transit when it was cut are lost."""
        self.is_cut = False
        for route in self.held:
            route.abort("failed")

    def hang_up(self):
        """Closes all connections and accepts none until `is_up` is set."""
        self.is_up = False
        sockets, self.sockets = self.sockets, []
        for _, socket in sockets:
            socket.close(code=4000)


class Stage:
    """A page with its own simulated gateway."""

    def __init__(self, browser, jpeg, channels, link="", **options):
        self.context = browser.new_context(viewport={"width": 1360, "height": 900}, **options)
        self.gateway = Gateway(self.context, channels)
        self.gateway.jpeg = jpeg
        self.page = self.context.new_page()
        self.page.set_default_timeout(20_000)
        self.errors = []
        self.page.on("pageerror", lambda error: self.errors.append(str(error)))
        self.link = link

    def __enter__(self):
        self.page.goto(SITE + "/" + self.link)
        return self

    def __exit__(self, *_):
        self.context.close()

    def until(self, what, seconds=20):
        """Waits for a condition in the page or of the gateway; returns whether it was met."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if what() if callable(what) else self.page.evaluate(what):
                return True
            self.gateway.beat()
            self.page.wait_for_timeout(20)
        return False

    def wait(self, milliseconds):
        self.until(lambda: False, milliseconds / 1000)

    def text(self, id):
        return self.page.text_content(f"#{id}")

    def connected(self):
        return self.until("document.getElementById('connection').textContent === 'Connected'")

    def restart(self, change):
        """Restarts the gateway with a change."""
        self.gateway.hang_up()
        self.page.wait_for_selector("body.lost", state="attached")
        change()
        self.gateway.is_up = True
        self.connected()
