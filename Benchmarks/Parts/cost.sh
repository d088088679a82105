#!/bin/bash
# What a conversion in parts costs beyond the encoding itself, in seconds of processor, user and system.
#
#   Benchmarks/Parts/cost.sh [ROUNDS [MOVIE [FOLDER]]]      # 3 rounds, a minute of 1080p25 H.264 with noise
#
# Each round encodes the movie to HQ as one part, which is what the rest is compared with, and as parts
# of 60 and of 30 seconds with plan and join. Prints each round, and the median of the rounds' ratios:
# a machine that others share is quick in one round and slow in the next. Needs ffmpeg where no movie is
# given, and 5 GB in the folder, TMPDIR if omitted. RECORDCTL names another release build.
set -eu
rounds=${1:-3}
movie=${2:-}
root=$(cd "$(dirname "$0")/../.." && pwd)
recordctl=${RECORDCTL:-$root/.build/release/recordctl}
[ -x "$recordctl" ] || { echo "no $recordctl; run make build" >&2; exit 2; }
work=$(mktemp -d "${3:-${TMPDIR:-/tmp}}/parts-cost-XXXXXX")
trap 'rm -rf "$work"' EXIT
if [ -z "$movie" ]; then
  movie=$work/minute.mp4
  ffmpeg -v error -f lavfi -i "testsrc2=s=1920x1080:r=25:d=10,noise=alls=12:allf=t" \
    -f lavfi -i "sine=440:r=48000:d=10" -pix_fmt yuv420p -c:v libx264 -preset ultrafast -b:v 14M -g 50 \
    -c:a aac -shortest "$work/clip.mp4"
  ffmpeg -v error -stream_loop 5 -i "$work/clip.mp4" -c copy "$movie"
fi
movie=$(realpath "$movie")

# Seconds of processor that a command takes.
TIMEFORMAT='%U %S'
cost() {
  local times
  times=$({ time "$recordctl" encode "$@" > /dev/null 2> "$work/errors"; } 2>&1) || {
    cat "$work/errors" >&2
    exit 1
  }
  awk '{printf "%.3f\n", $1 + $2}' <<< "$times"
}

median() { sort -n | awk '{v[NR] = $1} END {print (v[int((NR + 1) / 2)] + v[int(NR / 2) + 1]) / 2}'; }

for round in $(seq "$rounds"); do
  for seconds in 60 30; do
    job=$work/job
    plan=$(cost plan "$movie" -o "$job" --codec hq --part-duration "$seconds")
    count=$("$recordctl" encode status "$job" --json | sed -n 's/.*"partCount" *: *\([0-9]*\).*/\1/p')
    parts=0
    for part in $(seq 0 $((count - 1))); do
      spent=$(cost part "$job" "$part")
      parts=$(awk "BEGIN {print $parts + $spent}")
    done
    [ "$seconds" = 60 ] && whole=$parts
    join=$(cost join "$job")
    rm -rf "$job"
    awk "BEGIN {printf \"%d  %2d s  plan %.2f  %d parts %.2f  join %.2f  whole %.2f  more %.2f %%\n\",
      $round, $seconds, $plan, $count, $parts, $join, $whole, 100 * (($plan + $parts + $join) / $whole - 1)}"
  done
done | tee "$work/rounds"
for seconds in 60 30; do
  printf 'parts of %s s: %s %% more than the encoding, median of %s rounds\n' "$seconds" \
    "$(awk -v s="$seconds" '$2 == s {print $(NF - 1)}' "$work/rounds" | median)" "$rounds"
done
