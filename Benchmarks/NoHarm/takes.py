"""The parts that record: watched, killed, and several at once."""
import http.client
import json
import os
import pathlib
import subprocess
import threading
import time

from gateway import TOKEN, Gateway, Viewer, memory, thread_ticks, ticks, wait_for


def say(text):
    print("         " + text, flush=True)


def noise(options, count=60):
    """A file of pictures with grain, in memory; a device plays it again and again."""
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
        """A checksum of each frame as it is in the movie."""
        text = subprocess.run(
            ["ffmpeg", "-v", "error", "-i", self.movie, "-map", "0:v", "-c", "copy", "-f", "framemd5", "-"],
            check=True, capture_output=True, text=True).stdout
        os.unlink(self.movie)
        return [line.rsplit(",", 1)[1].strip() for line in text.splitlines() if not line.startswith("#")]


def compare(alone, watched):
    """How many frames are the same, and of how many; a source may begin a frame later."""
    best = (0, 0, 0)
    for shift in range(-8, 9):
        left, right = alone[max(0, shift):], watched[max(0, -shift):]
        same = sum(one == other for one, other in zip(left, right))
        best = max(best, (same, min(len(left), len(right)), shift))
    return best


class Stretches:
    """Processor time of processes in stretches of two kinds."""

    def __init__(self, *processes):
        self.processes, self.used, self.seconds, self.by_thread = processes, {}, {}, {}

    def measure(self, kind, seconds):
        began, before = time.monotonic(), [ticks(process) for process in self.processes]
        threads = thread_ticks(self.processes[0])
        time.sleep(seconds)
        sums = self.by_thread.setdefault(kind, {})
        for thread, (name, value) in thread_ticks(self.processes[0]).items():
            sums[name] = sums.get(name, 0) + value - threads.get(thread, (name, 0))[1]
        self.seconds[kind] = self.seconds.get(kind, 0) + time.monotonic() - began
        used = [ticks(process) - old for process, old in zip(self.processes, before)]
        self.used[kind] = [a + b for a, b in zip(self.used.get(kind, [0] * len(used)), used)]

    def cores(self, kind):
        return [value / self.seconds[kind] for value in self.used[kind]]

    def threads(self, kind):
        """Of the first process, by the threads' names."""
        return {name: value / self.seconds[kind] for name, value in self.by_thread[kind].items()}


def alone(options, seconds, wanted):
    """Frames that a take without a gateway drops, and how many of its frames are the wanted ones, and of how many.
    It may begin a frame later than the one that it is compared with, and an encoder goes by the frames before:
    hence up to three tries for the same first frame."""
    dropped, best = None, (0, 0, 0)
    for number in range(3):
        recorder = Recorder(options, f"alone-{number}", seconds)
        lost = recorder.finish()["frames"]["dropped"]
        dropped = lost if dropped is None else dropped
        best = max(best, compare(recorder.frames(), wanted))
        if best[0] == best[1] > 0:
            break
    return dropped, *best[:2]


def watched(options, name, watch):
    """Records with what `watch(gateway)` begins and ends in every other stretch; then alone."""
    seconds = options.seconds or 32
    recorder = Recorder(options, "watched", seconds)
    gateway = Gateway(
        options.program / "recordctl-serve", options.work, [{"name": "a", "socket": recorder.path}])
    try:
        gateway.wait_until("a", "recording")
        stretches = Stretches(recorder.process.pid, gateway.process.pid)
        began = time.monotonic()
        stretch = (seconds - 6) / 4
        seen = []
        for kind in ("not", "watched") * 2:
            end = watch(gateway) if kind == "watched" else None
            time.sleep(0.5)
            stretches.measure(kind, stretch - 1)
            if end:
                seen.append(end() / stretch)
            time.sleep(max(0, 0.5 - (time.monotonic() - began) % 0.1))
        report = recorder.finish()
    finally:
        gateway.end()
    dropped, same, count = alone(options, seconds, recorder.frames())
    off, on = stretches.cores("not"), stretches.cores("watched")
    say(f"{options.size} at {options.rate}, {count} frames: {dropped} dropped alone, "
        f"{report['frames']['dropped']} {name}; {same} of {count} byte for byte the same")
    say(f"recorder {off[0]:.3f} cores, {on[0]:.3f} {name}: {on[0] - off[0]:+.3f}; "
        f"gateway {off[1]:.3f}, {on[1]:.3f} {name}; {' and '.join(f'{value:.1f}' for value in seen)} pictures a second")
    before, after = stretches.threads("not"), stretches.threads("watched")
    changes = sorted(((value - before.get(thread, 0), thread) for thread, value in after.items()), reverse=True)
    say("by the recorder's threads: " + ", ".join(
        f"{thread} {change:+.3f}" for change, thread in changes if abs(change) >= 0.001))
    return (report["frames"]["dropped"] <= dropped and same == count and count > 0, on[0] - off[0], on[1])


def viewers(options):
    def watch(gateway):
        all = [Viewer(gateway.port, "a") for _ in range(5)]

        def end():
            for viewer in all:
                viewer.end()
            return sum(viewer.pictures for viewer in all) / len(all)

        return end

    is_same, more, gateway = watched(options, "watched by five", watch)
    return is_same and more <= 0.02 and gateway <= 0.35


def looking_back(options):
    """Whoever looks at the running take reads each frame as soon as the one before was shown."""
    def watch(gateway):
        is_over, count = threading.Event(), [0]

        def look():
            link = http.client.HTTPConnection("127.0.0.1", gateway.port, timeout=30)
            headers = {"Authorization": f"Bearer {TOKEN}"}
            number = 0
            while not is_over.is_set():
                link.request("GET", f"/api/v1/channels/a/takes/running/frames/{number}.jpg", headers=headers)
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
        f"{viewer.pictures} pictures shown in between")
    return is_valid and take["dropped"] == 0 and take["repeated"] == 0


def give_back(paths, is_over):
    """Gives blocks that were written ten seconds ago back, so that a small disk can take long takes: the
    recorders write and sync every byte, and know nothing of it."""
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
        f"{viewer.pictures / seconds:.1f} pictures a second; first frames at most {1000 * late:.1f} ms apart from the start")
    return all(take["dropped"] == 0 and take["outcome"] == "complete" for take in done)
