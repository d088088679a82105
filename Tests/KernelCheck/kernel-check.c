// kernel-check [ROUNDS] [SEED]: compares every kernel in every table that this processor runs with
// the portable one, on random and extreme input. Memory that a kernel may read ends right before an
// inaccessible page; its output lies between walls of known bytes.
//
// scripts/check-kernels builds and runs it, also for other processors.

#include "check.h"

#include "CProResKernels.h"

// Layouts, and the least size in bytes of a row of each plane.

typedef struct format {
  const char *name;
  prores_layout layout;
  int depth, shift, full_chroma, half_rows, planes;
} format;

static const format formats[] = {
    {"planar 8 4:2:2", PRORES_LAYOUT_PLANAR_8, 8, 0, 0, 0, 3},
    {"planar 8 4:4:4", PRORES_LAYOUT_PLANAR_8, 8, 0, 1, 0, 3},
    {"planar 8 4:2:0", PRORES_LAYOUT_PLANAR_8, 8, 0, 0, 1, 3},
    {"planar 10 4:2:2", PRORES_LAYOUT_PLANAR_16, 10, 0, 0, 0, 3},
    {"planar 12 4:4:4", PRORES_LAYOUT_PLANAR_16, 12, 0, 1, 0, 3},
    {"planar 10 4:2:0", PRORES_LAYOUT_PLANAR_16, 10, 0, 0, 1, 3},
    {"planar 16 4:2:2", PRORES_LAYOUT_PLANAR_16, 16, 16, 0, 0, 3},
    {"planar 16 4:4:4", PRORES_LAYOUT_PLANAR_16, 16, 16, 1, 0, 3},
    {"biplanar 8 4:2:2", PRORES_LAYOUT_BIPLANAR_8, 8, 0, 0, 0, 2},
    {"biplanar 8 4:2:0", PRORES_LAYOUT_BIPLANAR_8, 8, 0, 0, 1, 2},
    {"biplanar 10 4:2:2", PRORES_LAYOUT_BIPLANAR_16, 10, 6, 0, 0, 2},
    {"biplanar 16 4:2:2", PRORES_LAYOUT_BIPLANAR_16, 16, 16, 0, 0, 2},
    {"biplanar 16 4:2:0", PRORES_LAYOUT_BIPLANAR_16, 16, 16, 0, 1, 2},
    {"biplanar packed 10", PRORES_LAYOUT_BIPLANAR_10_PACKED, 10, 0, 0, 0, 2},
    {"yuyv 8", PRORES_LAYOUT_YUYV_8, 8, 0, 0, 0, 1},
    {"uyvy 8", PRORES_LAYOUT_UYVY_8, 8, 0, 0, 0, 1},
    {"yuyv 10", PRORES_LAYOUT_YUYV_16, 10, 6, 0, 0, 1},
    {"yuyv 16", PRORES_LAYOUT_YUYV_16, 16, 16, 0, 0, 1},
    {"v210", PRORES_LAYOUT_V210, 10, 0, 0, 0, 1},
};

static size_t row_bytes(const format *f, int plane, int width) {
  const size_t wide = f->depth > 8 ? 2 : 1, w = (size_t)width, pairs = (w + 1) / 2;
  switch (f->layout) {
    case PRORES_LAYOUT_PLANAR_8:
    case PRORES_LAYOUT_PLANAR_16:
      return (plane == 0 || f->full_chroma ? w : pairs) * wide;
    case PRORES_LAYOUT_BIPLANAR_8:
    case PRORES_LAYOUT_BIPLANAR_16:
      return (plane == 0 ? w : pairs * 2) * wide;
    case PRORES_LAYOUT_BIPLANAR_10_PACKED:
      return ((plane == 0 ? w : pairs * 2) * 10 + 7) / 8;
    case PRORES_LAYOUT_V210:
      return (w + 5) / 6 * 16;
    default:
      return pairs * 4 * wide;
  }
}

// Compares the samples that two tables loaded for one slice.
static int same_samples(const int16_t *a, const int16_t *b, const format *f, int macroblocks) {
  const int width = macroblocks * 16, chroma = f->full_chroma ? width : width / 2;
  const int second = PRORES_SAMPLE_PLANE;
  const int third = second + (f->full_chroma ? PRORES_SAMPLE_PLANE : PRORES_CHROMA_OFFSET);
  const int starts[3] = {0, second, third}, widths[3] = {width, chroma, chroma};
  for (int c = 0; c < 3; c++) {
    for (int y = 0; y < 16; y++) {
      const int at = PRORES_SAMPLE_MARGIN + starts[c] + y * PRORES_SAMPLE_STRIDE;
      if (memcmp(a + at, b + at, (size_t)widths[c] * 2)) return 0;
    }
  }
  return 1;
}

// A frame of a format, without planes.
static prores_picture frame_of(const format *f, int width, int height) {
  return (prores_picture){
      .layout = f->layout, .depth = f->depth, .shift = f->shift, .full_chroma = f->full_chroma,
      .chroma_rows = f->half_rows ? PRORES_CHROMA_ROWS_FRAME : PRORES_CHROMA_ROWS_ALL,
      .width = width, .height = height,
      .chroma_height = f->half_rows ? (height + 1) / 2 : height};
}

// Keeps only one field of a frame; 0 is the top one.
static void take_field(prores_picture *picture, int field) {
  picture->height = (picture->height + 1 - field) / 2;
  picture->chroma_height = (picture->chroma_height + 1 - field) / 2;
  if (picture->chroma_rows != PRORES_CHROMA_ROWS_ALL) {
    picture->chroma_rows = field ? PRORES_CHROMA_ROWS_BOTTOM_FIELD : PRORES_CHROMA_ROWS_TOP_FIELD;
  }
  for (int i = 0; i < 3 && picture->planes[i]; i++) {
    picture->planes[i] += field * picture->strides[i];
    picture->strides[i] *= 2;
  }
}

static void check_load(const prores_kernels *plain, const prores_kernels *fast, const format *f,
                       int width, int height) {
  prores_picture picture = frame_of(f, width, height);
  picture.full_range = between(0, 1);
  fenced planes[3];
  for (int i = 0; i < f->planes; i++) {
    const int rows = i > 0 && f->half_rows ? (height + 1) / 2 : height;
    const size_t bytes = row_bytes(f, i, width);
    planes[i] = fenced_make(bytes * (size_t)rows);
    picture.planes[i] = planes[i].start;
    picture.strides[i] = (ptrdiff_t)bytes;
  }
  // In two rows of 4:2:0, the bottom field has no chroma.
  const int field = height > 2 ? between(-1, 1) : -1;
  if (field >= 0) take_field(&picture, field);
  const size_t size = (size_t)PRORES_SAMPLE_PLANE * 3 * sizeof(int16_t);
  walled wanted = walled_make(size), found = walled_make(size);
  prores_ahead *ahead = allocate(sizeof(prores_ahead));
  const int columns = (width + 15) / 16;
  for (int row = 0; row < (picture.height + 15) / 16; row++) {
    for (int column = 0, step = 8; column < columns; column += step) {
      while (columns - column < step) step /= 2;
      const prores_area area = {column, row, step};
      plain->load(&picture, &area, (int16_t *)wanted.inside, ahead);
      memset(ahead, 0, sizeof *ahead);
      fast->load(&picture, &area, (int16_t *)found.inside, ahead);
      char detail[160];
      snprintf(detail, sizeof detail, "%s, %dx%d, field %d, slice of %d at %d, %d, range %d", f->name,
               width, height, field, step, column, row, picture.full_range);
      expect(same_samples((int16_t *)wanted.inside, (int16_t *)found.inside, f, step), fast->name,
             "load", detail);
      expect(walls_stand(&found), fast->name, "what load writes past its planes", detail);
      const int lines = sizeof *ahead / sizeof(uint8_t *);
      int listed = 0;
      while (listed < lines && ahead->lines[listed]) listed++;
      expect(listed == lines, fast->name, "the list of lines", detail);
    }
  }
  free(ahead);
  free(wanted.memory);
  free(found.memory);
  for (int i = 0; i < f->planes; i++) fenced_free(&planes[i]);
}

// Loading and transforming in one step against one after the other.
static void check_transform_words(const prores_kernels *plain, const prores_kernels *fast,
                                  const format *f, int width, int height) {
  if (!fast->transform_words) return;
  prores_picture picture = frame_of(f, width, height);
  fenced planes[3];
  for (int i = 0; i < f->planes; i++) {
    const size_t bytes = (row_bytes(f, i, width) + 1) / 2 * 2;
    planes[i] = fenced_make(bytes * (size_t)(i > 0 && f->half_rows ? (height + 1) / 2 : height));
    picture.planes[i] = planes[i].start;
    picture.strides[i] = (ptrdiff_t)bytes;
  }
  const size_t component = 64 * PRORES_LANES;
  int16_t *samples = allocate((size_t)PRORES_SAMPLE_PLANE * 3 * sizeof(int16_t));
  walled wanted = walled_make(component * 6), found = walled_make(component * 6);
  prores_ahead *ahead = allocate(sizeof(prores_ahead));
  for (int row = 0; row < (height + 15) / 16; row++) {
    for (int column = 0; column * 16 < width; column += 8) {
      const int left = (width + 15) / 16 - column;
      const prores_area area = {column, row, left < 8 ? 1 : 8};
      char detail[160];
      snprintf(detail, sizeof detail, "%s, %dx%d, slice at %d, %d", f->name, width, height, column,
               row);
      const int is_taken = f->layout == PRORES_LAYOUT_PLANAR_16 ||
                           f->layout == PRORES_LAYOUT_BIPLANAR_16 ||
                           (f->layout == PRORES_LAYOUT_V210 && !strcmp(fast->name, "avx512"));
      const int is_whole = (column + 8) * 16 <= width && (row + 1) * 16 <= height && is_taken &&
                           !f->half_rows;
      const int done =
          fast->transform_words(&picture, &area, (int16_t *)found.inside, ahead);
      expect(done == is_whole, fast->name, "what transform_words takes", detail);
      expect(walls_stand(&found), fast->name, "what transform_words writes past its end", detail);
      if (!done) continue;
      plain->load(&picture, &area, samples, ahead);
      int16_t *to = (int16_t *)wanted.inside;
      plain->transform(samples, PRORES_ARRANGEMENT_LUMA, to);
      for (int c = 1; c < (f->full_chroma ? 3 : 2); c++) {
        plain->transform(samples + c * PRORES_SAMPLE_PLANE,
                         f->full_chroma ? PRORES_ARRANGEMENT_CHROMA_444
                                        : PRORES_ARRANGEMENT_CHROMA_422,
                         to + (size_t)c * component);
      }
      const size_t size = component * (f->full_chroma ? 6 : 4);
      expect(!memcmp(wanted.inside, found.inside, size), fast->name, "transform_words", detail);
    }
  }
  free(ahead);
  free(samples);
  free(wanted.memory);
  free(found.memory);
  for (int i = 0; i < f->planes; i++) fenced_free(&planes[i]);
}

static void fill_samples(int16_t *samples, int kind) {
  for (int i = 0; i < PRORES_SAMPLE_PLANE; i++) {
    const int x = i % PRORES_SAMPLE_STRIDE, y = i / PRORES_SAMPLE_STRIDE;
    const int bits[] = {0, 1, x ^ y, x / 4, y / 4, x, (int)draw()};
    if (kind < 7) {
      samples[i] = bits[kind] & 1 ? 8191 : -8192;
    } else {
      const int limit = kind == 7 ? 16 : kind == 8 ? 700 : 8191;
      samples[i] = (int16_t)between(-limit, limit);
    }
  }
}

static void check_transform(const prores_kernels *plain, const prores_kernels *fast) {
  const size_t input = (size_t)PRORES_SAMPLE_PLANE * 2, output = 64 * PRORES_LANES * 2;
  int16_t *samples = allocate(input);
  walled wanted = walled_make(output), found = walled_make(output);
  for (int kind = 0; kind < 10; kind++) {
    fill_samples(samples, kind);
    for (int a = 0; a < 3; a++) {
      plain->transform(samples, (prores_arrangement)a, (int16_t *)wanted.inside);
      fast->transform(samples, (prores_arrangement)a, (int16_t *)found.inside);
      char detail[80];
      snprintf(detail, sizeof detail, "samples %d, arrangement %d", kind, a);
      expect(!memcmp(wanted.inside, found.inside, output), fast->name, "transform", detail);
      expect(walls_stand(&found), fast->name, "what transform writes past its end", detail);
    }
  }
  free(samples);
  free(wanted.memory);
  free(found.memory);
}

static void fill_quantizer(prores_quantizer *q, int scale) {
  for (int i = 0; i < 64; i++) q->position[i] = (uint8_t)i;
  // Shuffles all positions but the first.
  for (int i = 63; i > 1; i--) {
    const int other = between(1, i);
    const uint8_t position = q->position[i];
    q->position[i] = q->position[other];
    q->position[other] = position;
  }
  const uint32_t rounding = (uint32_t)between(0, 50);
  for (int i = 0; i < 64; i++) {
    const uint32_t step = (uint32_t)(between(2, 63) * scale * 2);
    const uint32_t reciprocal = (65536 + step / 2) / step, rounded = step * rounding / 100;
    q->reciprocal[i] = reciprocal << 16 | reciprocal;
    q->rounding[i] = rounded << 16 | rounded;
    if (i == 0) {
      q->dc_step = step;
      q->dc_reciprocal = (uint32_t)(((1ull << 32) + step - 1) / step);
    }
  }
}

typedef struct coded {
  walled dc, symbols, bytes;
  size_t count, size;
} coded;

static coded coded_make(int blocks) {
  const size_t b = (size_t)blocks;
  // DC levels may be written for all lanes.
  coded c = {walled_make(PRORES_LANES * 2), walled_make((b * 64 + 2 * PRORES_SYMBOL_MARGIN) * 4),
             walled_make(b * 64 * 7 + PRORES_CODE_MARGIN), 0, 0};
  // After the last symbol lie those of an earlier slice, which must not be taken for this slice's.
  for (size_t i = 0; i < b * 64 + 2 * PRORES_SYMBOL_MARGIN; i++) {
    ((uint32_t *)c.symbols.inside)[i] = (uint32_t)i << 16 | 1;
  }
  return c;
}

static void coded_free(coded *c) {
  free(c->dc.memory);
  free(c->symbols.memory);
  free(c->bytes.memory);
}

static uint32_t *first_symbol(const coded *c) {
  return (uint32_t *)c->symbols.inside + PRORES_SYMBOL_MARGIN;
}

// Valid addresses for prefetching.
static void fill_lines(const uint8_t **lines, int count) {
  for (int i = 0; i < count; i++) lines[i] = (const uint8_t *)lines;
}

static prores_component component_of(const coded *c, int blocks) {
  return (prores_component){.blocks = blocks, .dc = (int16_t *)c->dc.inside,
                            .symbols = first_symbol(c), .count = c->count};
}

static void run_code(const prores_kernels *k, coded *c, int blocks) {
  const uint8_t *lines[PRORES_AHEAD];
  fill_lines(lines, PRORES_AHEAD);
  prores_component component = component_of(c, blocks);
  c->size = k->code(&component, 1, c->bytes.inside, lines);
  expect(c->size == component.bytes, k->name, "code", "size of one component");
}

static void run_quantize(const prores_kernels *k, coded *c, int blocks, const int16_t *coefficients,
                         const prores_quantizer *q) {
  const uint8_t *lines[PRORES_AHEAD];
  fill_lines(lines, PRORES_AHEAD);
  prores_component component = component_of(c, blocks);
  component.coefficients = coefficients;
  component.quantizer = q;
  k->quantize(&component, 1, lines);
  c->count = component.count;
}

static void compare_codes(const prores_kernels *fast, const coded *a, const coded *b,
                          const char *detail) {
  expect(a->size == b->size && !memcmp(a->bytes.inside, b->bytes.inside, a->size), fast->name,
         "code", detail);
  expect(walls_stand(&b->bytes) && walls_stand(&b->symbols) && walls_stand(&b->dc), fast->name,
         "what quantize or code writes past its end", detail);
}

static void check_quantize(const prores_kernels *plain, const prores_kernels *fast, int blocks,
                           int amplitude, int scale) {
  prores_quantizer *q = allocate(sizeof(prores_quantizer));
  fill_quantizer(q, scale);
  // Components of at most sixteen blocks may begin in the middle of the lanes.
  const size_t size = 64 * PRORES_LANES * 2;
  int16_t *coefficients = allocate(size);
  const int offset = blocks <= 16 && between(0, 1) ? 16 : 0;
  for (int i = 0; i < 64 * PRORES_LANES; i++) {
    const int limit = amplitude < 0 ? 32767 : amplitude / (1 + i / PRORES_LANES / 4) + 1;
    coefficients[i] = (int16_t)(amplitude < 0 ? between(0, 1) ? 32767 : -32768
                                              : between(-limit, limit));
  }
  coded a = coded_make(blocks), b = coded_make(blocks);
  run_quantize(plain, &a, blocks, coefficients + offset, q);
  run_quantize(fast, &b, blocks, coefficients + offset, q);
  char detail[120];
  snprintf(detail, sizeof detail, "%d blocks, amplitude %d, scale %d, %zu symbols", blocks,
           amplitude, scale, a.count);
  expect(!memcmp(a.dc.inside, b.dc.inside, (size_t)blocks * 2), fast->name, "DC", detail);
  const int same =
      a.count == b.count && !memcmp(first_symbol(&a), first_symbol(&b), a.count * 4);
  expect(same, fast->name, "quantize", detail);
  if (same) {
    run_code(plain, &a, blocks);
    run_code(fast, &b, blocks);
    compare_codes(fast, &a, &b, detail);
  }
  coded_free(&a);
  coded_free(&b);
  free(coefficients);
  free(q);
}

// The three components of a slice at the same time: 4:2:2, where two share rows of lanes, or 4:4:4.
static void check_slice(const prores_kernels *plain, const prores_kernels *fast, int macroblocks,
                        int full_chroma, int amplitude, int scale) {
  prores_quantizer *quantizers = allocate(2 * sizeof(prores_quantizer));
  fill_quantizer(&quantizers[0], scale);
  fill_quantizer(&quantizers[1], scale);
  const int planes = full_chroma ? 3 : 2, chroma_blocks = macroblocks * (full_chroma ? 4 : 2);
  int16_t *coefficients = allocate((size_t)planes * 64 * PRORES_LANES * 2);
  for (int i = 0; i < planes * 64 * PRORES_LANES; i++) {
    const int limit = amplitude / (1 + i / PRORES_LANES % 64 / 4) + 1;
    coefficients[i] = (int16_t)between(-limit, limit);
  }
  const uint8_t *lines[3 * PRORES_AHEAD];
  fill_lines(lines, 3 * PRORES_AHEAD);
  walled bytes[2];
  prores_component components[2][3];
  coded parts[2][3];
  for (int k = 0; k < 2; k++) {
    bytes[k] = walled_make(3 * 2048 * 7 + PRORES_CODE_MARGIN);
    for (int i = 0; i < 3; i++) {
      const int blocks = i ? chroma_blocks : macroblocks * 4;
      parts[k][i] = coded_make(blocks);
      components[k][i] = component_of(&parts[k][i], blocks);
      components[k][i].coefficients =
          coefficients + (i < 2 ? i * 64 * PRORES_LANES
                                : 64 * PRORES_LANES + (full_chroma ? 64 * PRORES_LANES : 16));
      components[k][i].quantizer = &quantizers[i > 0];
    }
    const prores_kernels *kernels = k ? fast : plain;
    kernels->quantize(components[k], 3, lines);
    // As for a slice that exceeds its limit.
    if (amplitude % 2) components[k][1].count /= 2;
    const size_t size = kernels->code(components[k], 3, bytes[k].inside, lines);
    expect(size == components[k][0].bytes + components[k][1].bytes + components[k][2].bytes,
           kernels->name, "code", "size of three components");
  }
  char detail[120];
  snprintf(detail, sizeof detail, "slice of %d macroblocks, %s, amplitude %d, scale %d",
           macroblocks, full_chroma ? "4:4:4" : "4:2:2", amplitude, scale);
  size_t size = 0;
  for (int i = 0; i < 3; i++) {
    const prores_component *a = &components[0][i], *b = &components[1][i];
    expect(a->count == b->count && !memcmp(a->symbols, b->symbols, a->count * 4) &&
               !memcmp(a->dc, b->dc, (size_t)a->blocks * 2),
           fast->name, "quantize", detail);
    expect(a->bytes == b->bytes, fast->name, "size of code", detail);
    expect(walls_stand(&parts[1][i].dc) && walls_stand(&parts[1][i].symbols), fast->name,
           "what quantize writes past its end", detail);
    size += a->bytes;
    for (int k = 0; k < 2; k++) coded_free(&parts[k][i]);
  }
  expect(!memcmp(bytes[0].inside, bytes[1].inside, size), fast->name, "code", detail);
  expect(walls_stand(&bytes[1]), fast->name, "what code writes past its end", detail);
  for (int k = 0; k < 2; k++) free(bytes[k].memory);
  free(coefficients);
  free(quantizers);
}

// Symbol lists of any length, with the longest code words, which no quantizer would make.
static void check_code(const prores_kernels *plain, const prores_kernels *fast, int blocks,
                       size_t most) {
  coded a = coded_make(blocks), b = coded_make(blocks);
  for (int i = 0; i < blocks; i++) {
    ((int16_t *)a.dc.inside)[i] = ((int16_t *)b.dc.inside)[i] = (int16_t)between(-16384, 16383);
  }
  const int longest_run = between(0, 3) ? between(1, 20) : between(1, 700);
  const int largest = between(0, 1) ? 8191 : between(1, 40);
  int position = blocks - 1;
  while (a.count < most && (position += between(1, longest_run)) < blocks * 64) {
    // Small levels before large ones give the longest codes.
    const int level = between(0, 1) ? 1 : between(1, largest);
    const uint32_t symbol =
        (uint32_t)position << 16 | (uint32_t)between(0, 1) << 15 | (uint32_t)level;
    first_symbol(&a)[a.count] = first_symbol(&b)[a.count] = symbol;
    a.count++;
  }
  b.count = a.count;
  run_code(plain, &a, blocks);
  run_code(fast, &b, blocks);
  char detail[120];
  snprintf(detail, sizeof detail, "%d blocks, %zu symbols, levels to %d, runs to %d", blocks,
           a.count, largest, longest_run - 1);
  compare_codes(fast, &a, &b, detail);
  coded_free(&a);
  coded_free(&b);
}

static void check_table(const prores_kernels *plain, const prores_kernels *fast, int rounds) {
  static const int widths[] = {16, 32, 48, 96, 128, 144, 240, 256, 272, 384};
  static const int scales[] = {1, 2, 3, 7, 40, 128, 512};
  static const int amplitudes[] = {0, 3, 40, 900, 9000, 32766, -1};
  for (size_t f = 0; f < sizeof formats / sizeof *formats; f++) {
    for (size_t w = 0; w < sizeof widths / sizeof *widths; w++) {
      check_load(plain, fast, &formats[f], widths[w], between(1, 34));
    }
    for (int i = 0; i < rounds; i++) {
      check_load(plain, fast, &formats[f], between(1, 400), between(1, 34));
      check_transform_words(plain, fast, &formats[f], between(100, 400), between(12, 50));
    }
  }
  for (int i = 0; i < rounds; i++) {
    check_transform(plain, fast);
    for (int blocks = 2; blocks <= PRORES_LANES; blocks *= 2) {
      for (size_t s = 0; s < sizeof scales / sizeof *scales; s++) {
        for (size_t a = 0; a < sizeof amplitudes / sizeof *amplitudes; a++) {
          check_quantize(plain, fast, blocks, amplitudes[a], scales[s]);
        }
      }
      if (blocks <= PRORES_LANES / 2) {
        for (size_t s = 0; s < sizeof scales / sizeof *scales; s++) {
          for (int amplitude = 1; amplitude < 32767; amplitude = amplitude * 5 + between(0, 1)) {
            check_slice(plain, fast, blocks / 2, 0, amplitude, scales[s]);
            check_slice(plain, fast, blocks / 2, 1, amplitude, scales[s]);
          }
        }
      }
      for (size_t most = 0; most < 40; most++) check_code(plain, fast, blocks, most);
      for (int n = 0; n < 40; n++) check_code(plain, fast, blocks, 2048);
    }
  }
}

int main(int argc, char **argv) {
  const int rounds = argc > 1 ? atoi(argv[1]) : 4;
  state = argc > 2 ? strtoull(argv[2], NULL, 0) : 1;
  const prores_kernels *plain = prores_kernels_portable();
  const prores_kernels *const tables[] = {prores_kernels_avx2(), prores_kernels_avx512(),
                                          prores_kernels_neon()};
  int found = 0;
  for (size_t i = 0; i < sizeof tables / sizeof *tables; i++) {
    if (!tables[i]) continue;
    const long checks_before = checks, failures_before = failures;
    check_table(plain, tables[i], rounds);
    printf("%s: %ld of %ld checks hold\n", tables[i]->name,
           checks - checks_before - (failures - failures_before), checks - checks_before);
    found++;
  }
  if (!found) printf("this processor has the portable table only\n");
  return failures != 0;
}
