// decoder-check [ROUNDS] [SEED]: compares every kernel in every table of the decoder with the
// portable one, on sound, damaged and random code words. Memory that a kernel may read ends right
// before an inaccessible page; its output lies between walls of known bytes.
//
// scripts/check-kernels builds and runs it, also for other processors and with sanitizers.

#include "check.h"

#include "CProResDecoding.h"

typedef struct component {
  fenced bytes;
  size_t size;
  walled levels;
} component;

// Code words written by the encoder's kernel: levels of any size in any position.
static size_t write_sound(int blocks, uint8_t *bytes) {
  int16_t dc[PRORES_LANES];
  uint32_t *symbols = allocate((64 * PRORES_LANES + 2 * PRORES_SYMBOL_MARGIN) * sizeof(uint32_t));
  memset(symbols, 0, PRORES_SYMBOL_MARGIN * sizeof(uint32_t));
  uint32_t *const first = symbols + PRORES_SYMBOL_MARGIN;
  const int reach = between(0, 1) ? 16000 : 40;
  for (int i = 0; i < PRORES_LANES; i++) dc[i] = (int16_t)between(-reach, reach);
  const int longest_run = between(0, 3) ? between(1, 12) : between(1, 900);
  const int largest = between(0, 2) ? between(1, 9) : between(1, 8191);
  size_t count = 0;
  int position = blocks - 1;
  while ((position += between(1, longest_run)) < blocks * 64) {
    const uint32_t level = (uint32_t)(between(0, 1) ? 1 : between(1, largest));
    first[count++] = (uint32_t)position << 16 | (uint32_t)between(0, 1) << 15 | level;
  }
  const uint8_t *lines[PRORES_AHEAD];
  for (int i = 0; i < PRORES_AHEAD; i++) lines[i] = (const uint8_t *)lines;
  prores_component c = {.blocks = blocks, .dc = dc, .symbols = first, .count = count};
  const size_t size = prores_kernels_portable()->code(&c, 1, bytes, lines);
  free(symbols);
  return size;
}

static size_t damage(uint8_t *bytes, size_t size) {
  const size_t place = size ? (size_t)between(0, (int)size - 1) : 0;
  switch (between(0, 5)) {
    case 0: return place;
    case 1: if (size) bytes[place] ^= (uint8_t)(1 << between(0, 7)); return size;
    case 2: for (size_t i = place; i < size && i < place + 9; i++) bytes[i] = 0; return size;
    case 3: for (size_t i = place; i < size && i < place + 9; i++) bytes[i] = 0xFF; return size;
    case 4: for (size_t i = 0; i < size; i++) bytes[i] = (uint8_t)draw(); return size;
    default: for (size_t i = 0; i < size; i++) bytes[i] = (uint8_t)(draw() & draw() & draw()); return size;
  }
}

static component component_make(int blocks) {
  uint8_t *bytes = allocate((size_t)blocks * 64 * 9 + PRORES_CODE_MARGIN);
  component c = {.size = write_sound(blocks, bytes)};
  if (between(0, 2)) c.size = damage(bytes, c.size);
  // The margin is the last readable memory.
  c.bytes = fenced_make(c.size + PRORES_CODED_MARGIN);
  memcpy(c.bytes.start, bytes, c.size);
  free(bytes);
  const size_t size = (PRORES_LEVELS + PRORES_LEVELS_MARGIN) * sizeof(int16_t);
  c.levels = walled_make(size);
  return c;
}

static void clear_levels(component *c, int count) {
  for (int i = 0; i < count; i++) memset(c[i].levels.inside, 0, c[i].levels.size);
}

static void check_read(const prores_decoder_kernels *plain, const prores_decoder_kernels *fast,
                       int blocks) {
  const int count = between(1, 4);
  component components[4];
  prores_coded wanted[4], found[4], judged[4];
  int16_t *levels[4];
  for (int i = 0; i < count; i++) {
    components[i] = component_make(blocks);
    wanted[i] = (prores_coded){components[i].bytes.start, components[i].size, blocks,
                               (int16_t *)components[i].levels.inside, 7, 7, 7};
    found[i] = wanted[i];
    judged[i] = wanted[i];
    judged[i].levels = NULL;
    levels[i] = allocate(PRORES_LEVELS * sizeof(int16_t));
  }
  clear_levels(components, count);
  plain->read(wanted, (size_t)count);
  for (int i = 0; i < count; i++) {
    memcpy(levels[i], components[i].levels.inside, PRORES_LEVELS * sizeof(int16_t));
  }
  clear_levels(components, count);
  fast->read(found, (size_t)count);
  fast->read(judged, (size_t)count);
  char detail[120];
  for (int i = 0; i < count; i++) {
    snprintf(detail, sizeof detail, "%d blocks, component %d of %d, %zu bytes", blocks, i, count,
             components[i].size);
    expect(wanted[i].padding == found[i].padding, fast->name, "padding", detail);
    expect(wanted[i].padding == judged[i].padding, fast->name, "padding of what is judged", detail);
    expect(walls_stand(&components[i].levels), fast->name, "what is written past levels", detail);
    if (wanted[i].padding >= 0) {
      expect(wanted[i].last == found[i].last, fast->name, "last", detail);
      expect(wanted[i].longest == found[i].longest, fast->name, "longest", detail);
      expect(!memcmp(levels[i], components[i].levels.inside, (size_t)blocks * 128), fast->name,
             "levels", detail);
    }
    int16_t dc[PRORES_LANES];
    const int has_dc =
        prores_read_dc(components[i].bytes.start, components[i].size, blocks, dc);
    expect(has_dc || wanted[i].padding < 0, fast->name, "DC alone", detail);
    if (wanted[i].padding >= 0) {
      expect(!memcmp(dc, levels[i], (size_t)blocks * 2), fast->name, "DC levels alone", detail);
    }
    fenced_free(&components[i].bytes);
    free(components[i].levels.memory);
    free(levels[i]);
  }
}

static void check_inverse(const prores_decoder_kernels *plain, const prores_decoder_kernels *fast,
                          int kind) {
  static const int blocks_of[] = {32, 16, 8, 4, 2};
  for (int a = 0; a < 3; a++) {
    const int is_shared = a == PRORES_ARRANGEMENT_CHROMA_422;
    const int blocks = blocks_of[between(is_shared, 4)];
    prores_dequantizer dequantizer;
    const int scale = between(0, 1) ? between(1, 8) : between(1, 512);
    for (int i = 0; i < 64; i++) {
      dequantizer.step[i] = (uint16_t)(scale * between(2, 63));
      dequantizer.index[i] = (uint8_t)i;
    }
    fenced levels[2];
    for (int k = 0; k < 2; k++) {
      levels[k] = fenced_make(PRORES_LEVELS * sizeof(int16_t));
      int16_t *to = (int16_t *)levels[k].start;
      for (int i = 0; i < PRORES_LEVELS && kind; i++) {
        const int most = kind == 1 ? 1 : i < 32 ? 900 : 12;
        to[i] = (int16_t)(kind == 2 && between(0, 9) ? 0 : between(-most, most));
      }
    }
    const size_t plane = 128 * 16 * sizeof(uint16_t);
    walled found = walled_make(2 * plane), wanted = walled_make(2 * plane);
    memset(found.inside, 0, 2 * plane);
    memset(wanted.inside, 0, 2 * plane);
    prores_inversion n = {(const int16_t *)levels[0].start,
                          is_shared ? (const int16_t *)levels[1].start : NULL,
                          &dequantizer, blocks, between(1, 8), (prores_arrangement)a,
                          between(0, 1) ? 10 : 12, NULL, NULL, 128};
    n.first = (uint16_t *)wanted.inside;
    n.second = n.first + 128 * 16;
    plain->inverse(&n);
    n.first = (uint16_t *)found.inside;
    n.second = n.first + 128 * 16;
    fast->inverse(&n);
    char detail[80];
    snprintf(detail, sizeof detail, "levels %d, arrangement %d, %d blocks", kind, a, blocks);
    expect(!memcmp(wanted.inside, found.inside, 2 * plane), fast->name, "inverse", detail);
    expect(walls_stand(&found), fast->name, "what inverse writes past its end", detail);
    for (int k = 0; k < 2; k++) fenced_free(&levels[k]);
    free(found.memory);
    free(wanted.memory);
  }
}

// Reads random alpha without harm, and expects the samples of alpha that the coder wrote.
static void check_alpha(void) {
  const int depth = between(0, 1) ? 16 : 8, width = 16 << between(0, 3), rows = between(1, 16);
  const size_t count = (size_t)(width * rows), most = (size_t)width * 16;
  uint16_t *samples = allocate(most * 2);
  uint16_t value = 0;
  for (size_t i = 0; i < count; i++) {
    if (!between(0, 20)) value = (uint16_t)(draw() & ((1u << depth) - 1));
    if (!between(0, 4)) value = (uint16_t)((value + between(-3, 3)) & ((1 << depth) - 1));
    samples[i] = value;
  }
  uint8_t *bytes = allocate(most * 5 + PRORES_CODE_MARGIN);
  size_t size = prores_code_alpha(samples, count, depth, bytes);
  const int is_sound = between(0, 2) == 0;
  if (!is_sound) size = damage(bytes, size);
  fenced coded = fenced_make(size + PRORES_CODED_MARGIN);
  memcpy(coded.start, bytes, size);
  walled found = walled_make(most * 2);
  size_t end = 0;
  const int64_t padding = prores_read_alpha(coded.start, size, depth, count, most,
                                            (uint16_t *)found.inside, &end);
  expect(walls_stand(&found), "alpha", "what is written past its end", "");
  expect(padding < 0 || (end >= count && end <= most), "alpha", "the number of samples", "");
  if (is_sound) {
    expect(padding >= 0 && padding < 8 && !memcmp(found.inside, samples, count * 2), "alpha",
           "samples", "");
  }
  fenced_free(&coded);
  free(found.memory);
  free(bytes);
  free(samples);
}

int main(int argc, char **argv) {
  const int rounds = argc > 1 ? atoi(argv[1]) : 4;
  state = argc > 2 ? strtoull(argv[2], NULL, 0) : 1;
  const prores_decoder_kernels *plain = prores_decoder_kernels_portable();
  const prores_decoder_kernels *const tables[] = {plain, prores_decoder_kernels_avx2(),
                                                  prores_decoder_kernels_avx512(),
                                                  prores_decoder_kernels_neon()};
  for (size_t i = 0; i < sizeof tables / sizeof *tables; i++) {
    if (!tables[i]) continue;
    const long checks_before = checks, failures_before = failures;
    for (int round = 0; round < rounds * 25; round++) {
      for (int blocks = 2; blocks <= PRORES_LANES; blocks *= 2) {
        check_read(plain, tables[i], blocks);
      }
      check_inverse(plain, tables[i], round % 4);
      check_alpha();
    }
    printf("decoder, %s: %ld of %ld checks hold\n", tables[i]->name,
           checks - checks_before - (failures - failures_before), checks - checks_before);
  }
  return failures != 0;
}
