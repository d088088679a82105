#!/bin/bash
# Measures what monitoring costs a recorder, and checks that its movie is the same: records the same pattern
# without a monitor, with one that takes every frame, scope and level, and with one that never reads.
#
#   Benchmarks/RealTime/monitor.sh [--duration 20s] [--size 1920x1080] [--rate 60] [--codec hq]
#       [--device pattern:bars] [--picture-rate 15] [--folder DIR]
#
# For each run in real time, prints dropped frames and the recorder's processor time in cores. Then repeats the
# runs with the first run's movie as the source, which gives the same frames each time: each frame must have the
# same checksum as without a monitor. The exit status is 1 if a monitored run dropped more frames, or wrote
# other frames. The clients are separate processes, whose time does not count.
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

# Fields of the report, and processor seconds of a finished child.
measure() {
  local name=$1 mode=$2 source=$3 length=$4 client=
  if [ "$mode" != none ]; then
    python3 "$work/client.py" "$work/$name.socket" "$mode" "$pictures" > "$work/$name.pictures" 2> /dev/null &
    client=$!
  fi
  python3 - "$work/$name.json" "$recordctl" record --control "$work/$name.socket" --device "$source" \
    --size "$size" --rate "$rate" --codec "$codec" --duration "$length" --timecode 01:00:00:00 --json \
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

for mode in none reads deaf; do
  measure "$mode" "$mode" "$device" "$duration"
  # The source is the movie recorded first, because a file gives the same frames each time. A recording may
  # begin a frame later, which makes it another movie: hence three of each.
  for try in 1 2 3; do measure "free-$mode-$try" "$mode" "file:$work/none.mov" 100f; done
done
python3 - "$work" <<'PYTHON'
import json, pathlib, sys

work = pathlib.Path(sys.argv[1])
first, bad = None, False

def report(name):
    return json.loads((work / f"{name}.json").read_text())

for name in ["none", "reads", "deaf"]:
    cores = (work / f"{name}.json.cost").read_text().split()[0]
    dropped = report(name)["frames"]["dropped"]
    pictures = work / f"{name}.pictures"
    shown = len(pictures.read_text().splitlines()) if pictures.exists() else 0
    tries = [json.loads((work / f"free-{name}-{number}.mov.json").read_text())["checksums"]["frames"]
             for number in [1, 2, 3]]
    if first is None:
        first = (dropped, tries)
    sums = next((sums for sums in tries if sums in first[1]), None)
    same = sums is not None
    bad |= dropped > first[0] or not same
    print(f"monitor {name:6} {report(name)['movie']['frameCount']} frames, {dropped} dropped, {cores} cores, "
          f"{shown} frames shown; 100 frames {'the same' if same else 'DIFFER'}")
sys.exit(1 if bad else 0)
PYTHON
