"""play_gateway.py CHROMIUM PAGE: drives the monitor page, whose files are in the folder PAGE, before a gateway
that is played here: what a real one does seldom, it does at once. Prints JSON.
"""
import base64
import json
import struct
import sys
import time

from playwright.sync_api import sync_playwright

chromium, folder = sys.argv[1:3]
SITE = "http://127.0.0.1:8437"
TYPES = {"html": "text/html", "js": "text/javascript", "css": "text/css", "svg": "image/svg+xml"}


def status(name, state="recording"):
    """A channel as a gateway tells of it."""
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
    """Channels, tokens and viewers of a gateway, and what it was asked for."""

    def __init__(self, context, channels):
        self.channels = {name: status(name) for name in channels}
        self.token, self.cookie = "good-0123456789abcdef", "good-0123456789abcdef"
        self.is_up = True
        self.running = None
        self.asked, self.tries = [], {}
        self.pictures_left = 50
        self.turns_away = self.is_full_of_regions = False
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
        if not self.is_up:
            return route.abort("connectionrefused")
        body = request.post_data_json if request.method == "POST" else None
        code, value = self.reply(request.method, path.removeprefix("/api/v1"), body)
        route.fulfill(status=code, json=value)

    def reply(self, method, path, body):
        self.asked.append((method, path))
        if path == "/session" and method == "POST":
            self.cookie = body["token"]
        if self.cookie != self.token:
            return 401, refusal("the token is wrong", "notAuthenticated")
        if path == "/session":
            return 200, {"role": "operate", "name": "gallery", "version": "1"}
        if path == "/channels":
            return 200, {"channels": list(self.channels.values())}
        if path.endswith("/takes/running"):
            return (200, self.running) if self.running else (404, refusal("no take", "notFound"))
        return 200, {"takes": [], "presets": []}

    def orders(self):
        return [path for method, path in self.asked if method == "POST" and path.startswith("/channels/")]

    # WebSockets

    def serve(self, socket):
        path = socket.url.split("/api/v1", 1)[1]
        self.tries[path] = self.tries.get(path, 0) + 1
        name = path.split("/")[2] if path.startswith("/channels/") else None
        if not self.is_up or self.cookie != self.token or name and name not in self.channels:
            return socket.close(code=4000)
        if name and self.turns_away:
            socket.send(json.dumps(refusal("32 viewers watch already")))
            return socket.close(code=4000)
        self.sockets.append((name, socket))
        if name:
            socket.on_message(lambda text: self.take(name, socket, json.loads(text)))
        else:
            for one in self.channels.values():
                self.tell(socket, one)

    def tell(self, socket, one):
        socket.send(json.dumps({"event": "channel", "channel": one["name"], "status": one}))

    def change(self, name, state):
        """A channel is new, or its recorder has another state."""
        self.channels[name] = status(name, state)
        for socket in self.event_sockets():
            self.tell(socket, self.channels[name])

    def remove(self, name):
        del self.channels[name]
        for socket in self.event_sockets():
            socket.send(json.dumps({"event": "removed", "channel": name}))

    def event_sockets(self):
        return [socket for name, socket in self.sockets if name is None]

    def take(self, name, socket, message):
        if message.get("region") and self.is_full_of_regions:
            socket.send(json.dumps(refusal("8 viewers look at source pixels already")))
        self.show(socket)

    def show(self, socket):
        """The next picture; every second one is damaged."""
        if self.pictures_left == 0:
            return
        self.pictures_left -= 1
        self.number += 1
        jpeg = b"no picture" if self.number % 2 == 0 else self.jpeg
        header = json.dumps({
            "number": self.number, "byteCount": len(jpeg), "maps": [], "width": 64, "height": 36,
            "sourceWidth": 1920, "sourceHeight": 1080, "pixelAspectRatio": "1:1", "color": "1-1-1",
            "captureTime": 1}).encode()
        socket.send(struct.pack("<I", len(header)) + header + jpeg)

    def hang_up(self):
        """All connections end, and none is made until it is back."""
        self.is_up = False
        sockets, self.sockets = self.sockets, []
        for _, socket in sockets:
            socket.close(code=4000)


class Stage:
    """A page before a gateway of its own."""

    def __init__(self, browser, jpeg, channels, link=""):
        self.context = browser.new_context(viewport={"width": 1360, "height": 900})
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
        """Waits for something in the page, or of the gateway; whether it came."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if what() if callable(what) else self.page.evaluate(what):
                return True
            self.page.wait_for_timeout(20)
        return False

    def text(self, id):
        return self.page.text_content(f"#{id}")

    def connected(self):
        return self.until("document.getElementById('connection').textContent === 'Connected'")

    def restart(self, change):
        """The gateway ends, and is another one when it is back."""
        self.gateway.hang_up()
        self.page.wait_for_selector("body.lost", state="attached")
        change()
        self.gateway.is_up = True
        self.connected()


def channels_that_went(browser, jpeg, found):
    """The gateway is restarted with one channel less, and then with none; then one comes."""
    with Stage(browser, jpeg, ["a", "b"]) as stage:
        page, gateway = stage.page, stage.gateway
        stage.connected()
        tiles = "[...document.querySelectorAll('.tile .name')].map((one) => one.textContent).join()"
        assert stage.until(f"{tiles} === 'Camera a,Camera b'")
        stage.restart(lambda: gateway.channels.pop("a"))
        stage.until(f"{tiles} === 'Camera b'", 5)
        found["tiles"], found["title_of_b"] = page.evaluate(tiles), page.title()
        stage.restart(gateway.channels.clear)
        stage.until("!document.body.classList.contains('recording')", 5)
        found["title_of_none"] = page.title()
        found["words_of_none"] = [stage.text(id) for id in ("tally-word", "elapsed", "no-picture")]
        found["red"] = page.evaluate("document.querySelectorAll('.recording').length")
        found["may_stop_none"] = page.is_enabled("#stop")
        found["takes_of_none"] = page.evaluate("document.getElementById('takes').children.length")
        gateway.change("c", "idle")
        stage.until("document.title === 'Camera c: Ready'", 5)
        found["title_of_c"] = page.title()
        found["errors"] += stage.errors


def stops(browser, jpeg, found):
    """S, Enter or the pointer is pressed, and let go where the page does not look for it; then what is meant."""
    with Stage(browser, jpeg, ["a", "b"]) as stage:
        page, gateway = stage.page, stage.gateway

        def after(*steps):
            """What comes of it, long after a second; then all is as it was."""
            gateway.asked.clear()
            for do in steps:
                do()
            page.wait_for_timeout(1500)
            asks = page.evaluate("document.getElementById('confirm').open")
            if asks:
                page.click("#confirm-cancel")
            page.keyboard.up("s")
            page.evaluate("document.activeElement.blur()")
            page.keyboard.press("1")
            return {"orders": gateway.orders(), "asks": asks}

        def hold():
            page.keyboard.down("s")

        def dispatch(target, event):
            return lambda: page.evaluate(f"{target}.dispatchEvent(new Event('{event}'))")

        stage.connected()
        assert stage.until("!document.getElementById('stop').disabled")
        found["stops"] = {
            "let go in a field": after(
                hold, lambda: page.keyboard.press("m"), lambda: page.keyboard.up("s")),
            "Enter let go elsewhere": after(
                lambda: page.focus("#stop"), lambda: page.keyboard.down("Enter"),
                lambda: page.focus("#note"), lambda: page.keyboard.up("Enter")),
            "another window": after(hold, dispatch("window", "blur")),
            "another tab": after(hold, dispatch("document", "visibilitychange")),
            "a shortcut": after(hold, lambda: page.keyboard.press("Alt+Shift")),
            "another channel": after(hold, lambda: page.keyboard.press("2")),
            "the other button": after(
                lambda: page.hover("#stop"), lambda: page.mouse.down(button="right"),
                lambda: page.wait_for_timeout(1200), lambda: page.mouse.up(button="right")),
            "held": after(hold),
            "the pointer held": after(
                lambda: page.hover("#stop"), page.mouse.down, lambda: page.wait_for_timeout(1200),
                page.mouse.up),
        }
        # The question is about the channel that was chosen when the key was pressed.
        page.keyboard.press("2")
        page.keyboard.press("s")
        page.wait_for_selector("#confirm[open]")
        gateway.asked.clear()
        gateway.remove("b")
        stage.until("document.title.includes('Camera a')")
        page.click("#confirm-stop")
        stage.until(gateway.orders, 5)
        found["confirmed"] = gateway.orders()
        found["errors"] += stage.errors


def viewers_that_are_refused(browser, jpeg, found):
    """Pictures that are damaged; the ninth who wants source pixels; the 33rd viewer."""
    with Stage(browser, jpeg, ["a"]) as stage:
        page, gateway = stage.page, stage.gateway
        stage.connected()
        found["goes_on_after_damage"] = stage.until(
            "Number(document.getElementById('canvas').dataset.frames) >= 5", 10)
        gateway.is_full_of_regions = True
        page.select_option("#zoom", "0")
        stage.until("document.getElementById('answer').textContent !== ''", 5)
        found["ninth"] = [page.input_value("#zoom"), stage.text("answer")]
        gateway.turns_away = True
        stage.restart(lambda: None)
        stage.until("document.getElementById('no-picture').textContent.includes('viewers')", 10)
        found["turned_away"] = page.inner_text("#no-picture") if page.is_visible("#no-picture") else ""
        gateway.tries.clear()
        page.wait_for_timeout(6000)
        found["tries"] = gateway.tries.get("/channels/a/monitor", 0)
        gateway.turns_away = False
        gateway.pictures_left = 50
        found["let_in"] = stage.until("document.getElementById('no-picture').hidden", 10)
        found["errors"] += stage.errors


def tokens_that_changed(browser, jpeg, found):
    """The token is taken away from a page that is open; and a link that cannot be exchanged at first."""
    with Stage(browser, jpeg, ["a", "b"]) as stage:
        page, gateway = stage.page, stage.gateway
        stage.connected()
        gateway.token = "new-0123456789abcdef"
        gateway.hang_up()
        gateway.is_up = True
        gateway.asked.clear()
        gateway.tries.clear()
        found["asks_for_token"] = stage.until("document.getElementById('login').open", 10)
        page.wait_for_timeout(4000)
        # Requests and WebSockets alike.
        found["wrong_tokens"] = len(gateway.asked) + sum(gateway.tries.values())
        if found["asks_for_token"]:
            page.fill("#token", gateway.token)
            page.press("#token", "Enter")
            page.wait_for_selector("body:not(.lost)")
            found["tiles_after_login"] = page.evaluate("document.querySelectorAll('.tile').length")
        found["errors"] += stage.errors
    stage = Stage(browser, jpeg, ["a"], "#token=good-0123456789abcdef")
    stage.gateway.cookie = None
    stage.gateway.is_up = False
    with stage:
        stage.until("document.getElementById('connection').textContent !== ''", 5)
        stage.gateway.is_up = True
        found["late_link_counts"] = stage.connected() and "token" not in stage.page.url
        found["errors"] += stage.errors


def looks_back_that_end(browser, jpeg, found):
    """A take is looked back at: its movie cannot be read for a moment, another one runs in its place, it is over."""
    take = {
        "id": "0123456789abcdef", "number": 1, "path": "a-001.mov", "movie": "a-001.mov", "frameCount": 50,
        "duration": 2}
    with Stage(browser, jpeg, ["a"]) as stage:
        page, gateway = stage.page, stage.gateway

        def looks():
            return sum(path.endswith("/takes/running") for _, path in gateway.asked)

        def looked_back(change):
            gateway.running = take
            page.click("#look-back")
            page.wait_for_selector("#take-dialog[open]")
            before = looks()
            stage.until(lambda: looks() > before, 10)
            change()
            page.wait_for_timeout(2000)
            before = looks()
            page.wait_for_timeout(2500)
            result = {
                "says": stage.text("take-facts").strip(), "asks": looks() - before,
                "steps": page.is_enabled("#take-newest")}
            page.keyboard.press("Escape")
            return result

        def split():
            gateway.running = None

        def next_take():
            gateway.running = {**take, "id": "fedcba9876543210", "path": "a-002.mov"}

        def stop():
            gateway.running = None
            gateway.change("a", "idle")

        stage.connected()
        found["looks_back"] = {
            "split": looked_back(split), "next take": looked_back(next_take), "stop": looked_back(stop)}
        found["errors"] += stage.errors


def main():
    found = {"errors": []}
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=chromium, args=["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"])
        blank = browser.new_page()
        address = blank.evaluate("""() => {
            const canvas = document.createElement('canvas');
            [canvas.width, canvas.height] = [64, 36];
            return canvas.toDataURL('image/jpeg');
        }""")
        jpeg = base64.b64decode(address.split(",")[1])
        for scene in (
                channels_that_went, stops, viewers_that_are_refused, tokens_that_changed, looks_back_that_end):
            scene(browser, jpeg, found)
        browser.close()
    print("RESULT", json.dumps(found), flush=True)


main()
