"""Misbehaving clients, and how others are served meanwhile."""
import http.client
import random
import selectors
import socket
import threading
import time

from gateway import SCOPES, TOKEN, Gateway, Viewer, WebSocket, memory
from measure import say
from takes import small, verify, wait_for

WORDS = [
    "help", "?", "commands", "device info", "disk list", "ping", "preview: enable: true", "play", "playrange set",
    "clips count", "clips get", "transport info", "slot info: slot id: 1", "slot select: slot id: 1", "notify",
    "notify: transport: true slot: true", "goto: clip id: 1", "jog: timecode: 00:00:00:00", "shuttle: speed: 100",
    "remote: enable: true", "configuration", "uptime", "format: prepare: exFAT", "identify: enable: true",
    "watchdog: period: 0", "reboot", "slate clips", "authenticate:", "nas add:", "record: name: a/b", "spill order",
]


class Witness:
    """A well-behaved client: asks for the channels ten times a second, and watches the video."""

    def __init__(self, gateway):
        self.gateway, self.is_over, self.slowest, self.failed, self.most = gateway, False, 0, 0, 0
        self.viewer = Viewer(gateway.port, "a")
        self.thread = threading.Thread(target=self.run, daemon=True)
        self.thread.start()

    def run(self):
        while not self.is_over:
            began = time.monotonic()
            try:
                self.gateway.ask("GET", "/channels")
            except (OSError, RuntimeError, http.client.HTTPException):
                self.failed += 1
            self.slowest = max(self.slowest, time.monotonic() - began)
            self.most = max(self.most, memory(self.gateway.process.pid)[0])
            time.sleep(0.1)

    def report(self, what, before, seconds):
        """Reports what was seen since the last report."""
        pictures, self.viewer.pictures = self.viewer.pictures, 0
        say(f"{what}: {seconds:.0f} s; gateway {before:.0f} MB before, {self.most:.0f} MB at most; the slowest of other "
            f"answers {1000 * self.slowest:.0f} ms, {self.failed} not given; {pictures / seconds:.1f} frames a second shown")
        good = self.failed == 0 and self.slowest < 2 and pictures > 0 and self.most - before < 200
        self.slowest, self.failed, self.most = 0, 0, 0
        return good

    def end(self):
        self.is_over = True
        self.thread.join()
        self.viewer.end()


def deaf(gateway, ports, options):
    """Ask for everything, and never read."""
    links = []
    for _ in range(20):
        link = WebSocket(gateway.port, "/channels/a/monitor")
        link.send({"pictureRate": 60, "scopes": SCOPES, "levels": True})
        links.append(link)
        links.append(WebSocket(gateway.port, "/events"))
    for _ in range(20):
        link = socket.create_connection(("127.0.0.1", gateway.port))
        head = f"GET /api/v1/channels/a/snapshot.jpg HTTP/1.1\r\nHost: 127.0.0.1:{gateway.port}\r\nAuthorization: Bearer {TOKEN}\r\n\r\n"
        link.setblocking(False)
        try:
            for _ in range(1000):
                link.send(head.encode())
        except OSError:
            pass
        links.append(link)
    for _ in range(8):
        link = socket.create_connection(("127.0.0.1", ports["hyperdeck"]))
        link.setblocking(False)
        try:
            while True:
                link.send(b"clips get\r\ncommands\r\nhelp\r\n" * 100)
        except OSError:
            pass
        links.append(link)
    time.sleep(options.seconds or 20)
    for link in links:
        link.close()
    return f"{len(links)} clients that never read"


def garbage(gateway, ports, options):
    """Send meaningless bytes."""
    random.seed(1)
    count = 0
    datagrams = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    end = time.monotonic() + (options.seconds or 20)
    while time.monotonic() < end:
        for port in (gateway.port, ports["hyperdeck"], ports["rest"]):
            try:
                link = socket.create_connection(("127.0.0.1", port), timeout=5)
                link.sendall(random.randbytes(random.randrange(1, 100_000)))
                link.close()
            except OSError:
                pass
            count += 1
        datagrams.sendto(random.randbytes(random.randrange(1, 1500)), ("127.0.0.1", ports["osc"]))
        try:
            link = WebSocket(gateway.port, "/channels/a/monitor")
            link.socket.sendall(random.randbytes(5000))
            link.close()
        except OSError:
            pass
        count += 2
    return f"{count} connections with garbage"


def crowd(gateway, ports, options):
    """Two hundred at the same time: 20 watch the video, 20 the events, the others ask."""
    all = [Viewer(gateway.port, "a", 5) for _ in range(20)]
    events = [WebSocket(gateway.port, "/events") for _ in range(20)]
    selector, asked, refused = selectors.DefaultSelector(), 0, 0
    head = f"GET /api/v1/channels HTTP/1.1\r\nHost: 127.0.0.1:{gateway.port}\r\nAuthorization: Bearer {TOKEN}\r\n\r\n".encode()
    for _ in range(160):
        link = socket.create_connection(("127.0.0.1", gateway.port))
        link.sendall(head)
        selector.register(link, selectors.EVENT_READ)
    end = time.monotonic() + (options.seconds or 20)
    while time.monotonic() < end:
        for key, _ in selector.select(1):
            data = key.fileobj.recv(1 << 16)
            if not data:
                refused += 1
                selector.unregister(key.fileobj)
                continue
            if data.startswith(b"HTTP/1.1 200"):
                asked += 1
                key.fileobj.sendall(head)
        # The two hundred share this process, and the machine with a recorder.
        time.sleep(0.1)
    for viewer in all:
        viewer.end()
    for link in events:
        link.close()
    for key in list(selector.get_map().values()):
        key.fileobj.close()
    shown = sum(viewer.pictures for viewer in all)
    return f"200 clients, {asked} answers, {refused} connections closed, {shown} frames for 20 of them"


def mutated(generator):
    """A line of the protocol with some bytes changed, which neither begins nor ends a take."""
    while True:
        line = mutation(generator)
        name = line.strip().lower()
        if line and not (name.startswith((b"stop", b"record", b"quit")) and b"/" not in name):
            return line


def mutation(generator):
    line = bytearray(generator.choice(WORDS).encode())
    for _ in range(generator.randrange(4)):
        place = generator.randrange(len(line) + 1)
        match generator.randrange(4):
            case 0: line[place:place] = generator.randbytes(generator.randrange(1, 8))
            case 1: del line[place:place + generator.randrange(1, 5)]
            case 2: line[place:place] = generator.choice(WORDS).encode()
            case 3: line[place:place] = b": " * generator.randrange(1, 40)
    return bytes(line.replace(b"\n", b" ").replace(b"\r", b" "))


def fuzzed(gateway, ports, options):
    """Four clients that read send lines as fast as these are accepted."""
    counts, answers, again = [0] * 4, [0] * 4, [0] * 4

    def speak(index):
        generator = random.Random(index)
        while counts[index] < options.lines // 4:
            again[index] += 1
            try:
                link = socket.create_connection(("127.0.0.1", ports["hyperdeck"]), timeout=10)
                # The first line decides what kind of client this is.
                link.sendall(b"ping\r\n")
                reader = threading.Thread(target=listen, args=(link, index), daemon=True)
                reader.start()
                while counts[index] < options.lines // 4:
                    # An empty line ends a block begun by a line with a colon at its end.
                    link.sendall(b"".join(mutated(generator) + b"\r\n\r\n" for _ in range(200)))
                    counts[index] += 200
                link.sendall(b"quit\r\n")
                reader.join(20)
                link.close()
            except OSError:
                # The gateway dropped the client: a line was too long, or the like.
                time.sleep(0.01)

    def listen(link, index):
        try:
            while data := link.recv(1 << 16):
                answers[index] += data.count(b"\n")
        except OSError:
            pass

    threads = [threading.Thread(target=speak, args=(index,)) for index in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    # Valid commands still work.
    link = socket.create_connection(("127.0.0.1", ports["hyperdeck"]), timeout=10)
    file = link.makefile("rb")
    while file.readline() not in (b"\r\n", b""):
        pass
    link.sendall(b"ping\r\n")
    answer = file.readline()
    link.close()
    if answer != b"200 ok\r\n":
        raise RuntimeError(f"a ping was answered with {answer}")
    return f"{sum(counts)} mutated lines, {sum(answers)} lines of answers, {sum(again)} connections"


def free_port(kind=socket.SOCK_STREAM):
    with socket.socket(socket.AF_INET, kind) as link:
        link.bind(("127.0.0.1", 0))
        return link.getsockname()[1]


def run(options):
    ports = {"hyperdeck": free_port(), "rest": free_port(), "osc": free_port(socket.SOCK_DGRAM)}
    channel = small(options, **{name: f"127.0.0.1:{port}" for name, port in ports.items()})
    gateway = Gateway(options.program / "recordctl-serve", options.work, [channel])
    witness, good = None, True
    try:
        gateway.wait_until("a", "idle")
        gateway.ask("POST", "/channels/a/start", {})
        gateway.wait_until("a", "recording")
        witness = Witness(gateway)
        time.sleep(2)
        for part in (deaf, garbage, crowd, fuzzed):
            before, began = memory(gateway.process.pid)[0], time.monotonic()
            witness.viewer.pictures = 0
            what = part(gateway, ports, options)
            good &= witness.report(what, before, time.monotonic() - began)
            # Disconnected clients are gone.
            time.sleep(2)
        state = gateway.recorder("a").get("state")
        gateway.ask("POST", "/channels/a/stop", {})
        wait_for("the take is complete", lambda: gateway.takes("a"))
        take = gateway.takes("a")[-1]
    finally:
        if witness:
            witness.end()
        gateway.end()
    is_valid = verify(options, f"{options.work}/a-001.mov")
    say(f"the take continued meanwhile ({state}): {take['frameCount']} frames, {take['dropped']} dropped, "
        f"{'valid' if is_valid else 'NOT VALID'}; gateway {'ended' if gateway.process.returncode is not None else 'runs'}")
    return good and is_valid and take["dropped"] == 0 and take["number"] == 1
