// plain-check: checks that a processor without the instruction sets of the other tables uses the
// portable kernels, and that a slice survives encoding and decoding by them.
//
// scripts/check-kernels builds it and runs it on an emulator of such a processor.

#include "check.h"

#include "CProResKernels.h"

enum { WIDTH = 128, HEIGHT = 16, SAMPLES = WIDTH * HEIGHT, BLOCKS = 32, WEIGHT = 4 };

// Encodes 10-bit luma; returns the size of the code words in bytes.
static size_t encode(const prores_kernels *k, const uint16_t *luma, uint8_t *bytes) {
  static uint16_t chroma[SAMPLES / 2];
  const uint8_t *gray = (const uint8_t *)chroma;
  const prores_picture picture = {
      .layout = PRORES_LAYOUT_PLANAR_16, .depth = 10, .width = WIDTH, .height = HEIGHT,
      .planes = {(const uint8_t *)luma, gray, gray}, .strides = {WIDTH * 2, WIDTH, WIDTH}};
  const prores_area area = {0, 0, WIDTH / 16};
  int16_t *samples = allocate(3 * PRORES_SAMPLE_PLANE * sizeof(int16_t));
  int16_t *coefficients = allocate(64 * PRORES_LANES * sizeof(int16_t));
  uint32_t *symbols = allocate((64 * BLOCKS + 2 * PRORES_SYMBOL_MARGIN) * sizeof(uint32_t));
  prores_ahead *ahead = allocate(sizeof(prores_ahead));
  int16_t dc[PRORES_LANES];
  // WEIGHT counts quarters, coefficients eighths.
  prores_quantizer q = {.dc_step = 2 * WEIGHT, .dc_reciprocal = (1ull << 32) / (2 * WEIGHT)};
  for (int i = 0; i < 64; i++) {
    q.position[i] = (uint8_t)i;
    q.reciprocal[i] = 65536 / (2 * WEIGHT) * 0x10001u;
    q.rounding[i] = WEIGHT * 0x10001u;
  }
  prores_component component = {.coefficients = coefficients, .quantizer = &q, .blocks = BLOCKS,
                                .dc = dc, .symbols = symbols + PRORES_SYMBOL_MARGIN};
  k->load(&picture, &area, samples, ahead);
  k->transform(samples, PRORES_ARRANGEMENT_LUMA, coefficients);
  k->quantize(&component, 1, ahead->lines);
  const size_t size = k->code(&component, 1, bytes, ahead->lines);
  free(ahead);
  free(symbols);
  free(coefficients);
  free(samples);
  return size;
}

static void decode(const prores_decoder_kernels *k, const uint8_t *bytes, size_t size,
                   uint16_t *luma) {
  int16_t *levels = allocate((PRORES_LEVELS + PRORES_LEVELS_MARGIN) * sizeof(int16_t));
  memset(levels, 0, (PRORES_LEVELS + PRORES_LEVELS_MARGIN) * sizeof(int16_t));
  prores_dequantizer dequantizer;
  for (int i = 0; i < 64; i++) {
    dequantizer.step[i] = WEIGHT;
    dequantizer.index[i] = (uint8_t)i;
  }
  prores_coded coded = {.bytes = bytes, .size = size, .blocks = BLOCKS, .levels = levels};
  k->read(&coded, 1);
  expect(coded.padding >= 0 && coded.padding < 8, k->name, "read", "code words");
  const prores_inversion inversion = {
      .levels = levels, .dequantizer = &dequantizer, .blocks = BLOCKS, .columns = 8,
      .arrangement = PRORES_ARRANGEMENT_LUMA, .depth = 10, .first = luma, .stride = WIDTH};
  k->inverse(&inversion);
  free(levels);
}

int main(void) {
  const prores_kernels *encoder = prores_kernels_best();
  const prores_decoder_kernels *decoder = prores_decoder_kernels_best();
  expect(encoder == prores_kernels_portable(), encoder->name, "the encoder's best table", "");
  expect(decoder == prores_decoder_kernels_portable(), decoder->name, "the decoder's best table", "");
  uint16_t luma[SAMPLES], found[SAMPLES];
  for (int i = 0; i < SAMPLES; i++) luma[i] = (uint16_t)between(64, 940);
  walled bytes = walled_make(SAMPLES * 7 + PRORES_CODE_MARGIN);
  const size_t size = encode(encoder, luma, bytes.inside);
  expect(walls_stand(&bytes), encoder->name, "what code writes past its end", "");
  fenced coded = fenced_make(size + PRORES_CODED_MARGIN);
  memcpy(coded.start, bytes.inside, size);
  decode(decoder, coded.start, size, found);
  for (int i = 0; i < SAMPLES; i++) {
    expect(abs(found[i] - luma[i]) <= WEIGHT, encoder->name, "a sample", "what comes back");
  }
  fenced_free(&coded);
  free(bytes.memory);
  printf("without vectors, %s: %ld of %ld checks hold\n", encoder->name, checks - failures, checks);
  return failures != 0;
}
