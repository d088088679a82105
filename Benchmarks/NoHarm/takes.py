"""The parts that record: watched, killed, and several at the same time."""
import contextlib
import http.client
import json
import os
import pathlib
import subprocess
import threading
import time
from fractions import Fraction

from gateway import TOKEN, Gateway, Viewer, memory, wait_for
from measure import Stretches, say
from stand_in import StandIn


# Frames of noise, played in a loop.
NOISE = 60


def noise(options, count=NOISE):
    """A file of frames with grain, in memory, which a device plays in a loop."""
    path = f"{options.folder}/no-harm-{options.size}.v210"
    if not os.path.exists(path):
        source = f"testsrc2=s={options.size}:r=25,format=yuv422p10le,noise=alls=6:allf=t"
        subprocess.run(
            ["ffmpeg", "-v", "error", "-f", "lavfi", "-i", source, "-frames:v", str(count), "-c:v", "v210",
             "-f", "rawvideo", path + ".part"], check=True)
        os.rename(path + ".part", path)
    with open(path, "rb") as file:
        while file.read(1 << 24):
            pass
    return f"file:{path}?size={options.size}&rate={options.rate}&format=v210&loop=yes&access=map"


class Recorder:
    """A take from its first frame on, with a socket."""

    def __init__(self, options, name, seconds):
        self.movie, self.path = f"{options.work}/{name}.mov", f"{options.work}/{name}.socket"
        self.report = open(f"{options.work}/{name}.json", "w+")
        self.process = subprocess.Popen(
            [options.program / "recordctl", "record", "--control", self.path, "--device", noise(options),
             "--audio", "tone", "--size", options.size, "--rate", options.rate, "--codec", "hq", "--duration",
             f"{seconds}s", "--timecode", "01:00:00:00", "--json", "-o", self.movie],
            stdin=subprocess.DEVNULL, stdout=self.report, stderr=subprocess.DEVNULL)
        wait_for("the recorder listens", lambda: os.path.exists(self.path))

    def finish(self):
        self.process.wait()
        self.report.seek(0)
        return json.load(self.report)

    def frames(self):
        """A checksum of each coded frame in the movie."""
        text = subprocess.run(
            ["ffmpeg", "-v", "error", "-i", self.movie, "-map", "0:v", "-c", "copy", "-f", "framemd5", "-"],
            check=True, capture_output=True, text=True).stdout
        os.unlink(self.movie)
        return [line.rsplit(",", 1)[1].strip() for line in text.splitlines() if not line.startswith("#")]


def compare(alone, watched):
    """How many frames are the same, out of how many, and the offset; a source may begin a frame later."""
    best = (0, 0, 0)
    for shift in range(-8, 9):
        left, right = alone[max(0, shift):], watched[max(0, -shift):]
        same = sum(one == other for one, other in zip(left, right))
        best = max(best, (same, min(len(left), len(right)), shift))
    return best


def alone(options, seconds, wanted):
    """Frames dropped by a take without a gateway, and how many of its frames, out of how many, are as wanted. It may
    begin a frame later than the other take, and encoding depends on earlier frames: hence up to three tries for the
    same first frame."""
    dropped, best = None, (0, 0, 0)
    for number in range(3):
        recorder = Recorder(options, f"alone-{number}", seconds)
        lost = recorder.finish()["frames"]["dropped"]
        dropped = lost if dropped is None else dropped
        best = max(best, compare(recorder.frames(), wanted))
        if best[0] == best[1] > 0:
            break
    return dropped, *best[:2]


def whole_rounds(options, seconds):
    """The part of a duration that is a whole number of loops of the noise: at each restart the recorder frees the
    file's memory, which takes as long as a second of watching, and each period must have as much of that."""
    round_length = NOISE / float(Fraction(options.rate))
    return max(1, seconds // round_length) * round_length


def watched(options, name, watch, has_stand_in=False):
    """Records while `watch(gateway, channel)` watches in some periods; then alone. With a stand-in, in other periods
    the same is done with the frames that it sends instead of the recorder."""
    seconds = options.seconds or (62 if has_stand_in else 32)
    recorder = Recorder(options, "watched", seconds)
    end = time.monotonic() + seconds - 4
    with contextlib.ExitStack() as stack:
        channels = [{"name": "a", "socket": recorder.path}]
        processes = [recorder.process.pid]
        # Each kind is on average as early in the take as the others.
        kinds = ("not", "watched", "watched", "not")
        if has_stand_in:
            stand_in = StandIn(options.work, recorder.path)
            stack.callback(stand_in.end)
            channels.append({"name": "b", "socket": stand_in.path})
            processes.append(stand_in.process.pid)
            kinds = ("not", "watched", "beside", "beside", "watched", "not")
        gateway = Gateway(options.program / "recordctl-serve", options.work, channels)
        stack.callback(gateway.end)
        gateway.wait_until("a", "recording")
        stretches = Stretches(*processes[:1], gateway.process.pid, *processes[1:])
        seen = in_stretches(options, stretches, kinds, end, lambda channel: watch(gateway, channel))
        report = recorder.finish()
    dropped, same, count = alone(options, seconds, recorder.frames())
    say(f"{options.size} at {options.rate}, {count} frames: {dropped} dropped alone, "
        f"{report['frames']['dropped']} {name}; {same} of {count} byte for byte the same")
    more, gateway_cores = tell_cost(stretches, seen, name)
    return (report["frames"]["dropped"] <= dropped and same == count and count > 0, more, gateway_cores)


def in_stretches(options, stretches, kinds, end, watch):
    """Measures a period of each kind until about `end`, and returns the frames seen per second."""
    measured = whole_rounds(options, (end - time.monotonic()) / len(kinds) - 1)
    if time.monotonic() + len(kinds) * (measured + 1) > end + 3:
        raise ValueError("the take is too short for its periods; increase --seconds")
    seen = {}
    for kind in kinds:
        finish = watch("b" if kind == "beside" else "a") if kind != "not" else None
        time.sleep(0.5)
        stretches.measure(kind, measured)
        if finish:
            seen.setdefault(kind, []).append(finish() / (measured + 0.5))
        time.sleep(0.5)
    return seen


def tell_cost(stretches, seen, name):
    """Reports and returns the additional cores while watched, and the gateway's cores."""
    off, on = stretches.cores("not"), stretches.cores("watched")
    rates = {kind: " and ".join(f"{value:.1f}" for value in values) for kind, values in seen.items()}
    say(f"recorder {off[0]:.3f} cores, {on[0]:.3f} {name}: {on[0] - off[0]:+.3f}; "
        f"gateway {off[1]:.3f}, {on[1]:.3f} {name}; {rates['watched']} frames a second")
    if "beside" in seen:
        beside = stretches.cores("beside")
        say(f"recorder {beside[0]:.3f} cores beside the same gateway that shows a stand-in's frames: "
            f"{beside[0] - off[0]:+.3f} by its neighbors, {on[0] - beside[0]:+.3f} its own; "
            f"gateway {beside[1]:.3f}, stand-in {beside[2]:.3f}; {rates['beside']} frames a second")
    stretches.tell_each()
    stretches.tell_threads("not", "watched", "beside" if "beside" in seen else None)
    return on[0] - off[0], on[1]


def viewers(options):
    def watch(gateway, channel):
        all = [Viewer(gateway.port, channel) for _ in range(5)]

        def end():
            for viewer in all:
                viewer.end()
            return sum(viewer.pictures for viewer in all) / len(all)

        return end

    is_same, more, gateway = watched(options, "watched by five", watch, has_stand_in=True)
    return is_same and more <= 0.02 and gateway <= 0.35


def looking_back(options):
    """A client reads each frame of the running take as soon as it has the one before."""
    def watch(gateway, channel):
        is_over, count = threading.Event(), [0]

        def look():
            link = http.client.HTTPConnection("127.0.0.1", gateway.port, timeout=30)
            headers = {"Authorization": f"Bearer {TOKEN}"}
            number = 0
            while not is_over.is_set():
                link.request("GET", f"/api/v1/channels/{channel}/takes/running/frames/{number}.jpg", headers=headers)
                answer = link.getresponse()
                if len(answer.read()) > 10_000 and answer.status == 200:
                    count[0] += 1
                    number += 1

        thread = threading.Thread(target=look, daemon=True)
        thread.start()

        def end():
            is_over.set()
            thread.join()
            return count[0]

        return end

    is_same, more, _ = watched(options, "looked back at", watch)
    return is_same and more <= 0.02


def small(options, name="a", **keys):
    """A channel of 360p25."""
    preset = pathlib.Path(f"{options.work}/small.toml")
    preset.write_text('[video]\nsize = "640x360"\nrate = "25"\ncodec = "proxy"\n')
    return {"name": name, "device": "pattern:bars", "preset": str(preset), "folder": options.work,
            "output": name + "-{take}.mov"} | keys


def verify(options, path):
    return subprocess.run(
        [options.program / "recordctl", "verify", path], capture_output=True).returncode == 0


def kills(options):
    count = 100
    gateway = Gateway(options.program / "recordctl-serve", options.work, [small(options)])
    viewer = None
    try:
        gateway.wait_until("a", "idle")
        gateway.ask("POST", "/channels/a/start", {})
        viewer = Viewer(gateway.port, "a")
        began = time.monotonic()
        for number in range(count):
            time.sleep(0.05 + number % 5 * 0.05)
            gateway.kill()
            gateway.start()
        seconds = time.monotonic() - began
        gateway.wait_until("a", "recording")
        gateway.ask("POST", "/channels/a/stop", {})
        wait_for("the take is complete", lambda: gateway.takes("a"))
        take = gateway.takes("a")[-1]
    finally:
        if viewer:
            viewer.end()
        gateway.end()
    is_valid = verify(options, f"{options.work}/a-001.mov")
    say(f"killed {count} times in {seconds:.0f} s: {take['frameCount']} frames, {take['dropped']} dropped, "
        f"{take['repeated']} repeated, {'valid' if is_valid else 'NOT VALID'}; "
        f"{viewer.pictures} frames shown in between")
    return is_valid and take["dropped"] == 0 and take["repeated"] == 0


def give_back(paths, is_over):
    """Frees blocks that were written ten seconds ago, so that long takes fit on a small disk: the recorders write
    and sync every byte, and know nothing of it."""
    kept, sizes, ends = 64 << 20, [], {path: 64 << 20 for path in paths}
    while not is_over.wait(1):
        sizes.append({path: os.path.getsize(path) if os.path.exists(path) else 0 for path in paths})
        if len(sizes) <= 10:
            continue
        for path in paths:
            end = sizes[-11][path] >> 20 << 20
            if end > max(ends[path], kept):
                subprocess.run(["fallocate", "--punch-hole", "--offset", str(ends[path]), "--length",
                                str(end - ends[path]), path], check=False)
                ends[path] = end


def channels(options):
    seconds = options.seconds or 600
    names = ["a", "b", "c", "d"]
    preset = pathlib.Path(f"{options.work}/full.toml")
    preset.write_text('[video]\nsize = "1920x1080"\nrate = "60"\ncodec = "hq"\n')
    gateway = Gateway(
        options.program / "recordctl-serve", options.work,
        [small(options, name, device="pattern", audio="tone", preset=str(preset)) for name in names])
    is_over = threading.Event()
    thread = threading.Thread(
        target=give_back, args=([f"{options.work}/{name}-001.mov" for name in names], is_over), daemon=True)
    viewer = Viewer(gateway.port, "a")
    try:
        for name in names:
            gateway.wait_until(name, "idle")
        thread.start()
        answer = gateway.ask("POST", "/start", {})
        processes = [gateway.recorder(name)["processID"] for name in names] + [gateway.process.pid]
        stretches = Stretches(*processes)
        stretches.measure("all", seconds)
        sizes = [memory(process)[1] for process in processes]
        gateway.ask("POST", "/stop", {})
        for name in names:
            wait_for("the take is complete", lambda: gateway.takes(name))
        done = [gateway.takes(name)[-1] for name in names]
    finally:
        is_over.set()
        viewer.end()
        gateway.end()
    late = max(abs(result["start"]["late"]) for result in answer["results"])
    for name, take, cores, size in zip(names, done, stretches.cores("all"), sizes):
        say(f"channel {name}: {take['frameCount']} frames, {take['dropped']} dropped, "
            f"{take['repeated']} repeated, {cores:.2f} cores, {size:.0f} MB at most")
    say(f"gateway {stretches.cores('all')[-1]:.2f} cores, {sizes[-1]:.0f} MB at most; one viewer, "
        f"{viewer.pictures / seconds:.1f} frames a second; first frames at most {1000 * late:.1f} ms apart from the start")
    return all(take["dropped"] == 0 and take["outcome"] == "complete" for take in done)
