"""A recorder's processor time by thread, in periods of several kinds."""
import pathlib
import re
import time

from gateway import ticks


def say(text):
    print("         " + text, flush=True)


def threads_of(process):
    """For each thread of a process: its name, the seconds that it ran and that it waited for a processor, its other,
    voluntary waits, and the pages mapped for it."""
    threads = {}
    for folder in pathlib.Path(f"/proc/{process}/task").glob("*"):
        try:
            name, rest = (folder / "stat").read_text().rsplit(")", 1)
            fields = rest.split()
            ran, waited, _ = (int(value) for value in (folder / "schedstat").read_text().split())
            waits = int(re.search(r"\nvoluntary_ctxt_switches:\s+(\d+)", (folder / "status").read_text())[1])
            threads[folder.name] = (
                name.split("(", 1)[1], (ran * 1e-9, waited * 1e-9, waits, int(fields[7])))
        except (OSError, ValueError):
            pass
    return threads


class Stretches:
    """Processor time of processes in periods of several kinds."""

    def __init__(self, *processes):
        self.processes, self.used, self.seconds, self.by_thread, self.each = processes, {}, {}, {}, {}

    def measure(self, kind, seconds):
        began, before = time.monotonic(), [ticks(process) for process in self.processes]
        threads = threads_of(self.processes[0])
        time.sleep(seconds)
        sums = self.by_thread.setdefault(kind, {})
        for thread, (name, values) in threads_of(self.processes[0]).items():
            old = threads.get(thread, (name, (0,) * len(values)))[1]
            known = sums.get(name, (0,) * len(values))
            sums[name] = tuple(sum + value - less for sum, value, less in zip(known, values, old))
        length = time.monotonic() - began
        self.seconds[kind] = self.seconds.get(kind, 0) + length
        used = [ticks(process) - old for process, old in zip(self.processes, before)]
        self.used[kind] = [a + b for a, b in zip(self.used.get(kind, [0] * len(used)), used)]
        self.each.setdefault(kind, []).append(used[0] / length)

    def cores(self, kind):
        return [value / self.seconds[kind] for value in self.used[kind]]

    def threads(self, kind):
        """For the first process, by thread name: cores used, cores waited for, other waits a second, pages mapped a
        second."""
        return {name: [value / self.seconds[kind] for value in values]
                for name, values in self.by_thread[kind].items()}

    def tell_each(self):
        """Prints the recorder's cores in each period, which shows how far other work on the machine changes them."""
        say("the recorder's cores in each period: " + "; ".join(
            f"{kind} " + ", ".join(f"{value:.3f}" for value in values) for kind, values in self.each.items()))

    def tell_threads(self, before, after, beside=None):
        """Prints how much more each thread ran in one kind of period than in another. With `beside`, periods in which
        other processes did the same work without the recorder, separates the neighbors' effect from its own work."""
        first, last = self.threads(before), self.threads(after)
        middle = self.threads(beside) if beside else None
        nothing = [0.0] * 4
        for name in sorted(last, key=lambda name: first.get(name, nothing)[0] - last[name][0]):
            old, new = first.get(name, nothing), last[name]
            if max(abs(new[0] - old[0]), abs(middle.get(name, nothing)[0] - old[0]) if middle else 0) < 0.001:
                continue
            text = f"{name:16} {new[0] - old[0]:+.3f} cores"
            if middle:
                mid = middle.get(name, nothing)
                text += f" = {new[0] - mid[0]:+.3f} its own {mid[0] - old[0]:+.3f} by neighbors"
            say(text + f"; waited for a processor {new[1] - old[1]:+.3f}; "
                f"other waits {old[2]:.0f} -> {new[2]:.0f}/s; pages mapped {old[3]:.0f} -> {new[3]:.0f}/s")
