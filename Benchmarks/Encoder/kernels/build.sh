#!/bin/sh
# Builds kernel-cycles into the folder in the first argument, with the package's flags.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
kernels=$here/../../../Sources/CProResKernels
mkdir -p "$1"
find "$kernels" -name '*.c' -print0 |
  xargs -0 "${CC:-clang}" -std=gnu11 -O2 -I"$kernels/include" "$here/main.c" -o "$1/kernel-cycles"
