#!/bin/bash
# Measures the cost of a conversion in parts beyond encoding itself: processor seconds, user and system, and
# elapsed seconds.
#
#   Benchmarks/Parts/cost.sh [ROUNDS [MOVIE [FOLDER]]]      # 3 rounds
#
# Each round encodes each movie to HQ in one piece and as one part, the bases of the comparison, and as parts of
# 60 and 30 seconds with plan and join. The single part has no audio: join adds it, as does encoding in one
# piece. Prints each round, and the median of the rounds' ratios, because a shared machine is fast in one round
# and slow in the next. Without a movie, ffmpeg makes three, all with noise: a minute of 1080p25 H.264, and
# formats of archives: 20 seconds of 10-bit UHD HEVC and of 10-bit 1080p25 FFV1, also cut into parts of 10
# seconds. SOURCES selects among them ("h264 hevc ffv1"). Needs 6 GB in the folder (default TMPDIR). RECORDCTL
# names another release build.
set -euo pipefail
# Otherwise a command substitution continues after a failure.
shopt -s inherit_errexit
# Reports every failure, even if the failed command prints nothing.
trap 'echo "$0: line $LINENO: status $?" >&2' ERR
set -E
rounds=${1:-3}
root=$(cd "$(dirname "$0")/../.." && pwd)
recordctl=${RECORDCTL:-$root/.build/release/recordctl}
[ -x "$recordctl" ] || { echo "no $recordctl; run make build" >&2; exit 2; }
work=$(mktemp -d "${3:-${TMPDIR:-/tmp}}/parts-cost-XXXXXX")
trap 'rm -rf "$work"' EXIT

# make NAME SIZE SECONDS TIMES ENCODER...: a clip with audio, repeated TIMES times.
make() {
  local movie=$work/$1 size=$2 seconds=$3 times=$4
  shift 4
  ffmpeg -nostdin -v error -f lavfi -i "testsrc2=s=$size:r=25:d=$seconds,noise=alls=12:allf=t" \
    -f lavfi -i "sine=440:r=48000:d=$seconds" "$@" -shortest "$work/clip.${movie##*.}"
  ffmpeg -nostdin -v error -stream_loop $((times - 1)) -i "$work/clip.${movie##*.}" -c copy "$movie"
  rm "$work/clip.${movie##*.}"
}

source_of() {
  case $1 in
    h264)
      make h264.mp4 1920x1080 10 6 -pix_fmt yuv420p -c:v libx264 -preset ultrafast -b:v 14M -g 50 -c:a aac
      echo "$work/h264.mp4" ;;
    hevc)
      make hevc.mp4 3840x2160 2 10 -pix_fmt yuv420p10le -c:v libx265 -preset ultrafast -b:v 60M \
        -x265-params log-level=error:keyint=50 -c:a aac
      echo "$work/hevc.mp4" ;;
    ffv1)
      make ffv1.mkv 1920x1080 4 5 -pix_fmt yuv422p10le -c:v ffv1 -level 3 -slices 16 -slicecrc 1 -g 1 -c:a pcm_s24le
      echo "$work/ffv1.mkv" ;;
    *) echo "no source $1" >&2; exit 2 ;;
  esac
}

# Processor seconds and elapsed seconds of a command. Status 3 means that the movie is whole, but its source was
# damaged or mended.
TIMEFORMAT='%U %S %R'
cost() {
  local times status=0
  times=$({ time "$recordctl" encode "$@" > /dev/null 2> "$work/errors"; } 2>&1) || status=$?
  if [ "$status" -ne 0 ] && [ "$status" -ne 3 ]; then
    echo "recordctl encode $*: status $status" >&2
    cat "$work/errors" >&2
    exit 1
  fi
  awk '{printf "%.3f %.3f\n", $1 + $2, $3}' <<< "$times"
}

median() { sort -n | awk '{v[NR] = $1} END {print (v[int((NR + 1) / 2)] + v[int(NR / 2) + 1]) / 2}'; }

# The median of a column of the rounds' ratios.
ratio() { cut -d' ' -f"$1" "$work/more" | median; }

# measure MOVIE SECONDS...: the rounds of a movie; parts of the first length are the encoding itself.
measure() {
  local movie=$1 round seconds whole piece plan parts join count part spent
  shift
  for round in $(seq "$rounds"); do
    whole=
    piece=$(cost movie "$movie" -o "$work/piece.mov" --codec hq)
    rm -f "$work"/piece.mov*
    for seconds in "$@"; do
      job=$work/job
      plan=$(cost plan "$movie" -o "$job" --codec hq --part-duration "$seconds")
      count=$("$recordctl" encode status "$job" --json | sed -n 's/.*"partCount" *: *\([0-9]*\).*/\1/p')
      parts="0 0"
      for part in $(seq 0 $((count - 1))); do
        spent=$(cost part "$job" "$part")
        parts=$(awk '{printf "%.3f %.3f", $1 + $3, $2 + $4}' <<< "$parts $spent")
      done
      [ -n "$whole" ] || whole=$parts
      join=$(cost join "$job")
      rm -rf "$job"
      awk -v round="$round" -v seconds="$seconds" -v count="$count" '{
        printf "%d  %2d s  plan %.2f (%.2f)  %d parts %.2f (%.2f)  join %.2f (%.2f)  one part %.2f (%.2f)  one piece %.2f (%.2f)",
          round, seconds, $1, $2, count, $3, $4, $5, $6, $7, $8, $9, $10
        printf "  more than one part %.2f (%.2f) %%  than one piece %.2f (%.2f) %%\n",
          100 * (($1 + $3 + $5) / $7 - 1), 100 * (($2 + $4 + $6) / $8 - 1),
          100 * (($1 + $3 + $5) / $9 - 1), 100 * (($2 + $4 + $6) / $10 - 1)
      }' <<< "$plan $parts $join $whole $piece"
    done
  done | tee "$work/rounds"
  for seconds in "$@"; do
    awk -v s="$seconds" '$2 == s {gsub(/[()]/, ""); print $(NF - 8), $(NF - 7), $(NF - 2), $(NF - 1)}' \
      "$work/rounds" > "$work/more"
    printf 'parts of %s s: %s %% more processor than as one part, %s %% more time; than in one piece %s and %s %%; median of %s rounds\n' \
      "$seconds" "$(ratio 1)" "$(ratio 2)" "$(ratio 3)" "$(ratio 4)" "$rounds"
  done
}

echo "processor seconds (elapsed seconds)"
if [ -n "${2:-}" ]; then
  measure "$(realpath "$2")" 60 30
  exit
fi
for name in ${SOURCES:-h264 hevc ffv1}; do
  movie=$(source_of "$name")
  echo "$name: $(wc -c < "$movie" | awk '{printf "%.0f", $1 / 1e6}') MB"
  if [ "$name" = h264 ]; then measure "$movie" 60 30; else measure "$movie" 20 10; fi
  rm -f "$movie"
done
