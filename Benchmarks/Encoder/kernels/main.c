#define _GNU_SOURCE
// Measures the cycles per sample of each kernel stage, on planar 10-bit 4:2:2 frames.
//
//   kernel-cycles FILE WIDTH HEIGHT [INDEX [PROFILE [ROUNDS]]]
//
// Stages run as in the encoder, slice after slice, so the figures include the cost of memory; if
// loading is part of the transform, the transform has the cycles of both. Cycles are those of the
// time-stamp counter. Tables alternate, and for each stage of each slice the smallest figure of all
// rounds counts, which excludes other processes.

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <x86intrin.h>

#include "CProResKernels.h"

enum { STAGES = 5, MACROBLOCKS = 8 };
static const char *const stage_names[STAGES] = {"load", "transform", "quantize", "code", "all"};

static const uint8_t scan[64] = {
    0,  1,  8,  9,  2,  3,  10, 11, 16, 17, 24, 25, 18, 19, 26, 27, 4,  5,  12, 20, 13, 6,
    7,  14, 21, 28, 29, 22, 15, 23, 30, 31, 32, 33, 40, 48, 41, 34, 35, 42, 49, 56, 57, 50,
    43, 36, 37, 44, 51, 58, 59, 52, 45, 38, 39, 46, 53, 60, 61, 54, 47, 55, 62, 63,
};

// Weights about as steep as the named profile's, to keep the kernels as busy.
static int weight(const char *profile, int position) {
  int far = position % 8 + position / 8;
  if (!strcmp(profile, "proxy")) return far == 0 ? 4 : far > 7 ? 63 : 5 + far * 3 / 2;
  if (!strcmp(profile, "422")) return 4 + far * far / 12;
  return far < 10 ? 4 : far - 6;
}

static void fill(prores_quantizer *q, const char *profile, int index) {
  for (int i = 0; i < 64; i++) {
    uint32_t step = (uint32_t)(weight(profile, scan[i]) * index * 2);
    uint32_t rounding = (uint32_t)(step * 0.36), reciprocal = (65536 + step / 2) / step;
    q->reciprocal[i] = reciprocal << 16 | reciprocal;
    q->rounding[i] = rounding << 16 | rounding;
    q->position[i] = scan[i];
    if (i == 0) {
      q->dc_step = step;
      q->dc_reciprocal = (uint32_t)(((1ull << 32) + step - 1) / step);
    }
  }
}

// Memory as frames have it: aligned to large pages, and in such pages if the system provides them.
static void *frame_memory(size_t size) {
  const size_t page = 2 << 20;
  void *memory = aligned_alloc(page, (size + page - 1) / page * page);
  if (!memory) exit(1);
  madvise(memory, size, MADV_HUGEPAGE);
  memset(memory, 0, size);
  return memory;
}

// The cycles of a slice's stages.
typedef struct slice_cycles {
  uint32_t of[STAGES];
} slice_cycles;

typedef struct totals {
  slice_cycles *slice;
  uint64_t symbols, bytes, slices;
  // A hash of all coded bytes, which must be the same for all tables.
  uint64_t sum;
} totals;

static void keep_least(uint32_t *least, uint64_t cycles) {
  if (*least == 0 || cycles < *least) *least = (uint32_t)cycles;
}

static struct {
  _Alignas(64) int16_t samples[3 * PRORES_SAMPLE_PLANE];
  _Alignas(64) int16_t coefficients[2 * 64 * PRORES_LANES];
  _Alignas(64) int16_t dc[3][64];
  _Alignas(64) uint32_t symbols[3][64 * PRORES_LANES + 2 * PRORES_SYMBOL_MARGIN];
  prores_ahead ahead;
} scratch;

static size_t encode_slice(const prores_kernels *k, const prores_picture *p, prores_area area,
                           const prores_quantizer *q, uint8_t *target, totals *t) {
  prores_component components[3];
  for (int i = 0; i < 3; i++) {
    const int16_t *chroma = scratch.coefficients + 64 * PRORES_LANES;
    components[i] = (prores_component){
        .coefficients = i ? chroma + (i - 1) * PRORES_LANES / 2 : scratch.coefficients,
        .quantizer = q, .blocks = MACROBLOCKS * (i ? 2 : 4), .dc = scratch.dc[i],
        .symbols = scratch.symbols[i] + PRORES_SYMBOL_MARGIN};
  }
  uint64_t times[STAGES];
  times[0] = __rdtsc();
  times[1] = times[0];
  if (!k->transform_words || !k->transform_words(p, &area, scratch.coefficients, &scratch.ahead)) {
    k->load(p, &area, scratch.samples, &scratch.ahead);
    times[1] = __rdtsc();
    k->transform(scratch.samples, PRORES_ARRANGEMENT_LUMA, scratch.coefficients);
    k->transform(scratch.samples + PRORES_SAMPLE_PLANE, PRORES_ARRANGEMENT_CHROMA_422,
                 scratch.coefficients + 64 * PRORES_LANES);
  }
  times[2] = __rdtsc();
  k->quantize(components, 3, scratch.ahead.lines);
  times[3] = __rdtsc();
  size_t bytes = k->code(components, 3, target, scratch.ahead.lines + 3 * PRORES_AHEAD);
  times[4] = __rdtsc();
  slice_cycles *least = &t->slice[t->slices++];
  for (int s = 0; s < STAGES - 1; s++) keep_least(&least->of[s], times[s + 1] - times[s]);
  keep_least(&least->of[STAGES - 1], times[4] - times[0]);
  for (size_t i = 0; i < bytes; i++) t->sum = (t->sum ^ target[i]) * 0x100000001B3u;
  for (int i = 0; i < 3; i++) t->symbols += components[i].count;
  t->bytes += bytes;
  return bytes;
}

static void encode(const prores_kernels *k, const prores_picture *p, const prores_quantizer *q,
                   uint8_t *target, totals *t) {
  for (int row = 0; row < p->height / 16; row++) {
    for (int column = 0; column + MACROBLOCKS <= p->width / 16; column += MACROBLOCKS) {
      target += encode_slice(k, p, (prores_area){column, row, MACROBLOCKS}, q, target, t);
    }
  }
}

static void print(const char *name, const totals *t, int frames) {
  double samples = (double)t->slices * MACROBLOCKS * 512, symbols = (double)t->symbols;
  printf("%-7s", name);
  for (int s = 0; s < STAGES; s++) {
    uint64_t sum = 0;
    for (uint64_t i = 0; i < t->slices; i++) sum += t->slice[i].of[s];
    printf("  %s %.3f", stage_names[s], (double)sum / samples);
  }
  printf("  symbols a sample %.3f, bits a symbol %.2f, bytes a frame %.0f\n", symbols / samples,
         (double)t->bytes * 8 / symbols, (double)t->bytes / frames);
}

int main(int count, char **arguments) {
  if (count < 4) return 2;
  int width = atoi(arguments[2]), height = atoi(arguments[3]);
  int index = count > 4 ? atoi(arguments[4]) : 4, rounds = count > 6 ? atoi(arguments[6]) : 5;
  const char *profile = count > 5 ? arguments[5] : "hq";
  size_t size = (size_t)width * (size_t)height * 4;
  uint8_t *frames[16], *target = frame_memory(size * 2);
  int have = 0;
  FILE *file = fopen(arguments[1], "rb");
  while (file && have < 16) {
    frames[have] = frame_memory(size);
    if (fread(frames[have], 1, size, file) != size) break;
    have++;
  }
  prores_quantizer quantizer;
  fill(&quantizer, profile, index);
  const prores_kernels *tables[3] = {prores_kernels_avx512(), prores_kernels_avx2(),
                                     prores_kernels_portable()};
  totals results[3];
  int status = 0;
  for (int i = 0; i < 3; i++) {
    results[i].slice = calloc((size_t)have * size / 4096, sizeof(slice_cycles));
  }
  for (int round = 0; round < rounds; round++) {
    for (int i = 0; i < 3; i++) {
      if (!tables[i]) continue;
      totals *t = &results[i];
      t->symbols = t->bytes = t->slices = t->sum = 0;
      for (int f = 0; f < have; f++) {
        const uint8_t *luma = frames[f];
        prores_picture picture = {
            .layout = PRORES_LAYOUT_PLANAR_16, .depth = 10, .width = width, .height = height,
            .planes = {luma, luma + size / 2, luma + size / 4 * 3},
            .strides = {width * 2, width, width}};
        encode(tables[i], &picture, &quantizer, target, t);
      }
    }
  }
  for (int i = 0; i < 3; i++) {
    if (!tables[i]) continue;
    print(tables[i]->name, &results[i], have);
    if (results[i].sum != results[2].sum) {
      printf("%s: not the portable table's bytes\n", tables[i]->name);
      status = 1;
    }
  }
  return status;
}
