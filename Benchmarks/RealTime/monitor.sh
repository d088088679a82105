#!/bin/bash
# What it costs a recorder to be watched, and that its movie is the same: the same pattern is recorded
# without a monitor, with one that takes every picture, scope and level, and with one that never reads.
#
#   Benchmarks/RealTime/monitor.sh [--duration 20s] [--size 1920x1080] [--rate 60] [--codec hq]
#       [--device pattern:bars] [--picture-rate 15] [--folder DIR]
#
# Prints for each run frames dropped, processor time of the recorder in cores, and whether the first
# frames' checksums are those of the first run. Ends with status 1 where a watched run dropped more frames, or
# other frames were written. The clients are processes of their own, whose time does not count.
set -u
duration=20s size=1920x1080 rate=60 codec=hq device=pattern:bars pictures=15 folder=${TMPDIR:-/tmp}
while [ $# -gt 0 ]; do
  case $1 in
    --duration) duration=$2; shift 2 ;;
    --size) size=$2; shift 2 ;;
    --rate) rate=$2; shift 2 ;;
    --codec) codec=$2; shift 2 ;;
    --device) device=$2; shift 2 ;;
    --picture-rate) pictures=$2; shift 2 ;;
    --folder) folder=$2; shift 2 ;;
    *) echo "unknown option $1" >&2; exit 2 ;;
  esac
done
root=$(cd "$(dirname "$0")/../.." && pwd)
recordctl=${RECORDCTL:-$root/.build/release/recordctl}
[ -x "$recordctl" ] || { echo "no $recordctl; run make build" >&2; exit 2; }
work=$(mktemp -d "$folder/monitor-XXXXXX")
trap 'rm -rf "$work"' EXIT

# A client: reads and acknowledges, or asks for everything and never reads.
cat > "$work/client.py" <<'PYTHON'
import json, socket, sys, time

path, mode, rate = sys.argv[1:4]
link = socket.socket(socket.AF_UNIX)
for _ in range(100):
    try:
        link.connect(path)
        break
    except OSError:
        time.sleep(0.05)
wish = {"command": "monitor", "pictureRate": float(rate), "levels": True,
        "scopes": ["waveform", "parade", "vectorscope", "histogram"]}
link.sendall((json.dumps(wish) + "\n").encode())
if mode == "deaf":
    time.sleep(3600)
stream = link.makefile("rb")
count = 0
for line in stream:
    event = json.loads(line)
    if event.get("event") == "picture":
        stream.read(event["picture"]["byteCount"])
        count += 1
        print(count, flush=True)
        number = event["picture"]["number"]
        link.sendall((json.dumps({"command": "acknowledge", "number": number}) + "\n").encode())
PYTHON

# Fields of the report, and seconds of processor time of a finished child.
measure() {
  local name=$1 mode=$2 client=
  if [ "$mode" != none ]; then
    python3 "$work/client.py" "$work/$name.socket" "$mode" "$pictures" > "$work/$name.pictures" 2> /dev/null &
    client=$!
  fi
  python3 - "$work/$name.json" "$recordctl" record --control "$work/$name.socket" --device "$device" \
    --size "$size" --rate "$rate" --codec "$codec" --duration "$duration" --timecode 01:00:00:00 --json \
    -o "$work/$name.mov" <<'PYTHON'
import json, resource, subprocess, sys, time

began = time.monotonic()
with open(sys.argv[1], "w") as report:
    status = subprocess.run(sys.argv[2:], stdout=report, stderr=subprocess.DEVNULL).returncode
usage = resource.getrusage(resource.RUSAGE_CHILDREN)
with open(sys.argv[1] + ".cost", "w") as cost:
    cost.write(f"{(usage.ru_utime + usage.ru_stime) / (time.monotonic() - began):.3f} {status}")
PYTHON
  [ -z "$client" ] || kill "$client" 2> /dev/null
  [ -z "$client" ] || wait "$client" 2> /dev/null
}

measure alone none
measure watched reads
measure deaf deaf
python3 - "$work" <<'PYTHON'
import json, pathlib, sys

work = pathlib.Path(sys.argv[1])
first, bad = None, False
for name in ["alone", "watched", "deaf"]:
    report = json.loads((work / f"{name}.json").read_text())
    sums = json.loads((work / f"{name}.mov.json").read_text())["checksums"]["frames"]
    cores = (work / f"{name}.json.cost").read_text().split()[0]
    dropped = report["frames"]["dropped"]
    pictures = work / f"{name}.pictures"
    shown = len(pictures.read_text().splitlines()) if pictures.exists() else 0
    if first is None:
        first = (dropped, sums)
    # Frames that were dropped differ from run to run; of those that are there each must be the same. A
    # recording may begin with a frame or two later of the device's than the other.
    def overlap(shift):
        one, other = first[1][max(shift, 0):], sums[max(-shift, 0):]
        return min(len(one), len(other)), one[:len(other)] == other[:len(one)]
    fits = [count for shift in range(-30, 31) for count, fit in [overlap(shift)] if fit]
    same = max(fits, default=0) > len(sums) // 2 if dropped == first[0] == 0 else None
    bad |= dropped > first[0] or same is False
    word = {True: "the same", False: "OTHERS", None: "not compared, for some are missing"}[same]
    print(f"{name:8} {report['movie']['frameCount']} frames, {dropped} dropped, {cores} cores, "
          f"{shown} pictures shown; the movie's frames are {word}")
sys.exit(1 if bad else 0)
PYTHON
