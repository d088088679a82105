#!/bin/bash
# Records in real time, to disk, with audio, and measures the cost: processor time by thread, memory, its
# growth, drops, latencies.
#
#   Benchmarks/RealTime/run.sh [--duration 10m] [--size 3840x2160] [--rate 60] [--codec hq]
#       [--device pattern] [--folder DIR] [--preset FILE] [--whole]
#   Benchmarks/RealTime/run.sh --v210 120 ...      # from a packed v210 file with that many frames
#
# Ten minutes of UHD60 are 130 GB. To fit on a smaller disk, a second process frees the file's blocks (fallocate
# --punch-hole) ten seconds after they were written: the recorder writes and syncs every byte as always, and
# knows nothing of it. The first 64 MB and the last ten seconds stay; --whole keeps everything. The file is
# removed at the end.
#
# The generator in place of a camera is a thread of the same process; its time is reported separately.
set -u
duration=1m size=3840x2160 rate=60 codec=hq device=pattern folder=${TMPDIR:-/tmp} punch=yes v210=0
options=()
while [ $# -gt 0 ]; do
  case $1 in
    --duration) duration=$2; shift 2 ;;
    --size) size=$2; shift 2 ;;
    --rate) rate=$2; shift 2 ;;
    --codec) codec=$2; shift 2 ;;
    --device) device=$2; shift 2 ;;
    --folder) folder=$2; shift 2 ;;
    --preset) options+=(--preset "$2"); shift 2 ;;
    --v210) v210=$2; shift 2 ;;
    --whole) punch=no; shift ;;
    *) echo "unknown option $1" >&2; exit 2 ;;
  esac
done
root=$(cd "$(dirname "$0")/../.." && pwd)
recordctl=${RECORDCTL:-$root/.build/release/recordctl}
[ -x "$recordctl" ] || { echo "no $recordctl; run make build" >&2; exit 2; }
work=$(mktemp -d "$folder/real-time-XXXXXX")
movie=$work/take.mov
trap 'rm -rf "$work"' EXIT

audio=()
if [ "$v210" -gt 0 ]; then
  # Frames with grain, which need the full rate; played from the page cache, without a copy.
  ffmpeg -v error -f lavfi -i "testsrc2=s=$size:r=25,format=yuv422p10le,noise=alls=6:allf=t" \
    -frames:v "$v210" -c:v v210 -f rawvideo "$work/source.v210" || exit 1
  cat "$work/source.v210" > /dev/null
  device="file:$work/source.v210?size=$size&rate=$rate&format=v210&loop=yes&access=map"
  audio=(--audio tone)
fi

"$recordctl" record --device "$device" "${audio[@]}" --size "$size" --rate "$rate" --codec "$codec" \
  --duration "$duration" "${options[@]}" -o "$movie" > "$work/report" 2> "$work/messages" &
pid=$!

# Clock ticks of a process or thread: fields 14 and 15 of its stat, after the name in parentheses.
ticks() { sed 's/.*) //' "$1" 2> /dev/null | awk '{print $12 + $13}'; }
# Resident memory, that of mapped files, and the peak, all read at the same time: files come and go.
memory() {
  awk '/^VmRSS:/ {all = $2} /^RssFile:/ {files = $2} /^VmHWM:/ {most = $2}
    END {print all, files, most}' "/proc/$pid/status" 2> /dev/null
}
hertz=$(getconf CLK_TCK)
# Ticks in which a virtual machine's processors were ready but the host ran others.
stolen() { awk '/^cpu / {print $9}' /proc/stat; }
stolen_before=$(stolen)
kept=$((64 << 20))
punched=$kept
sizes=()
samples=$work/samples
while sleep 1 && [ -d "/proc/$pid/task" ] && ! grep -q '^State:.Z' "/proc/$pid/status" 2> /dev/null; do
  for task in "/proc/$pid"/task/*; do
    echo "$(cat "$task/comm" 2> /dev/null) $(ticks "$task/stat")"
  done > "$work/threads.new" 2> /dev/null
  total=$(ticks "/proc/$pid/stat")
  if [ -z "$total" ] || [ ! -s "$work/threads.new" ]; then break; fi
  mv "$work/threads.new" "$work/threads"
  now=$(date +%s.%N)
  echo "$now $total $(memory)" >> "$samples"
  # Frees blocks that were written ten seconds ago.
  sizes+=("$(stat -c %s "$movie" 2> /dev/null || echo 0)")
  if [ $punch = yes ] && [ ${#sizes[@]} -gt 10 ]; then
    end=$((sizes[${#sizes[@]} - 11] >> 20 << 20))
    if [ "$end" -gt "$punched" ]; then
      fallocate --punch-hole --offset "$punched" --length $((end - punched)) "$movie" && punched=$end
    fi
  fi
done
wait "$pid"
status=$?

echo "machine  $(sed -n 's/^model name.*: //p' /proc/cpuinfo | head -1), $(nproc) processors, load before $(cut -d' ' -f1-3 /proc/loadavg)"
cat "$work/report"
grep -v '^rec ' "$work/messages" | head -5
[ -s "$samples" ] || exit "$status"
stolen_ticks=$(($(stolen) - stolen_before))
awk -v hertz="$hertz" -v punched=$((punched - kept)) -v stolen=$stolen_ticks '
  NR == 1 { t0 = $1; c0 = $2 }
  { t = $1; c = $2; anonymous = ($3 - $4) / 1000; if (anonymous > most) most = anonymous
    if ($3 / 1000 > all) all = $3 / 1000
    # The slope after the first 15 seconds, when queues and pools have reached their size.
    if (t - t0 > 15) { n++; x = t - t0; sx += x; sy += anonymous; sxx += x * x; sxy += x * anonymous } }
  END {
    printf "cores    %.2f over %.0f s, the source among them; %.2f taken by the host\n", (c - c0) / hertz / (t - t0), t - t0, stolen / hertz / (t - t0)
    printf "memory   at most %.0f MB, %.0f MB with mapped files", most, all
    if (n > 10 && n * sxx > sx * sx) printf "; slope %.2f MB a minute", 60 * (n * sxy - sx * sy) / (n * sxx - sx * sx)
    printf "\nblocks   %.1f GB given back while recording\n", punched / 1e9
  }' "$samples"
# Threads that ended before the last sample are missing; those that matter live to the end.
seconds=$(awk 'NR == 1 {a = $1} {b = $1} END {print b - a + 1}' "$samples")
awk -v hertz="$hertz" -v seconds="$seconds" '
  { name = $1; kind = "other"
    if (name ~ /^(pattern|file-capture|v4l2-capture)/) kind = "source, video"
    else if (name ~ /^(tone|alsa)/) kind = "source, audio"
    else if (name ~ /^(encode|prores)/) kind = "encoding"
    else if (name ~ /^movie-writer/) kind = "writing"
    sum[kind] += $NF }
  END { for (kind in sum) printf "thread   %-18s %.3f cores\n", kind, sum[kind] / hertz / seconds }' \
  "$work/threads" | sort -k2
exit "$status"
