#pragma once

// Reads single rows in plain C, and walks over a slice's rows for all tables.
//
// A sample becomes a signed number of sixteenths of a 10-bit step: the value in the top bits of 16,
// its sign bit inverted, shifted right by two.

#include <string.h>

#include "CProResKernels.h"

#define PRORES_INLINE static inline __attribute__((always_inline, unused))

typedef void prores_row_loader(const prores_picture *picture, const uint8_t *const *rows, int x,
                               int pixels, int16_t *y, int16_t *cb, int16_t *cr);

PRORES_INLINE int16_t prores_centered(unsigned top16) {
  return (int16_t)((int16_t)(uint16_t)(top16 ^ 0x8000u) >> 2);
}

PRORES_INLINE int16_t prores_centered8(unsigned value) { return prores_centered(value << 8); }

// A stored word as a centered value; codes above the depth's range are clamped.
PRORES_INLINE int16_t prores_centered16(const prores_picture *picture, uint16_t word) {
  if (picture->shift) return prores_centered(word);
  unsigned most = (1u << picture->depth) - 1;
  return prores_centered((word < most ? word : most) << (16 - picture->depth));
}

PRORES_INLINE uint16_t prores_word(const uint8_t *bytes, size_t index) {
  uint16_t word;
  memcpy(&word, bytes + index * 2, 2);
  return word;
}

// A row of such words.
PRORES_INLINE void prores_center_words(const prores_picture *p, const uint8_t *restrict words,
                                       int count, int16_t *restrict samples) {
  if (p->shift) {
    for (int i = 0; i < count; i++) samples[i] = prores_centered(prores_word(words, (size_t)i));
    return;
  }
  const uint16_t most = (uint16_t)((1u << p->depth) - 1);
  const int up = 16 - p->depth;
  for (int i = 0; i < count; i++) {
    const uint16_t word = prores_word(words, (size_t)i);
    samples[i] = prores_centered((uint16_t)((word < most ? word : most) << up));
  }
}

// Sample `index` in a row of 10-bit values packed four to five bytes, least significant bits first.
PRORES_INLINE unsigned prores_packed10(const uint8_t *row, size_t index) {
  size_t bit = index * 10;
  unsigned word = row[bit >> 3] | (unsigned)row[(bit >> 3) + 1] << 8;
  return word >> (bit & 7) & 1023;
}

// Value `index` in a v210 row, in the order Cb Y Cr Y.
PRORES_INLINE unsigned prores_v210(const uint8_t *row, size_t index) {
  uint32_t word;
  memcpy(&word, row + index / 3 * 4, 4);
  return word >> (index % 3 * 10) & 1023;
}

PRORES_INLINE void prores_load_row_plain(const prores_picture *p, const uint8_t *const *rows,
                                         int x, int pixels, int16_t *y, int16_t *cb, int16_t *cr) {
  size_t first = (size_t)x, half = (size_t)x / 2;
  int chroma = p->full_chroma ? pixels : (pixels + 1) / 2;
  size_t chroma_first = p->full_chroma ? first : half;
  const uint8_t *row = rows[0];
  switch (p->layout) {
    case PRORES_LAYOUT_PLANAR_8:
      for (int i = 0; i < pixels; i++) y[i] = prores_centered8(row[first + i]);
      for (int i = 0; i < chroma; i++) {
        cb[i] = prores_centered8(rows[1][chroma_first + i]);
        cr[i] = prores_centered8(rows[2][chroma_first + i]);
      }
      break;
    case PRORES_LAYOUT_PLANAR_16:
      prores_center_words(p, row + 2 * first, pixels, y);
      prores_center_words(p, rows[1] + 2 * chroma_first, chroma, cb);
      prores_center_words(p, rows[2] + 2 * chroma_first, chroma, cr);
      break;
    case PRORES_LAYOUT_BIPLANAR_8:
      for (int i = 0; i < pixels; i++) y[i] = prores_centered8(row[first + i]);
      for (int i = 0; i < chroma; i++) {
        cb[i] = prores_centered8(rows[1][2 * (half + i)]);
        cr[i] = prores_centered8(rows[1][2 * (half + i) + 1]);
      }
      break;
    case PRORES_LAYOUT_BIPLANAR_16:
      for (int i = 0; i < pixels; i++) y[i] = prores_centered16(p, prores_word(row, first + i));
      for (int i = 0; i < chroma; i++) {
        cb[i] = prores_centered16(p, prores_word(rows[1], 2 * (half + i)));
        cr[i] = prores_centered16(p, prores_word(rows[1], 2 * (half + i) + 1));
      }
      break;
    case PRORES_LAYOUT_BIPLANAR_10_PACKED:
      for (int i = 0; i < pixels; i++) y[i] = prores_centered(prores_packed10(row, first + i) << 6);
      for (int i = 0; i < chroma; i++) {
        cb[i] = prores_centered(prores_packed10(rows[1], 2 * (half + i)) << 6);
        cr[i] = prores_centered(prores_packed10(rows[1], 2 * (half + i) + 1) << 6);
      }
      break;
    case PRORES_LAYOUT_YUYV_8:
    case PRORES_LAYOUT_UYVY_8: {
      size_t luma = p->layout == PRORES_LAYOUT_YUYV_8 ? 0 : 1, other = 1 - luma;
      for (int i = 0; i < pixels; i++) y[i] = prores_centered8(row[2 * (first + i) + luma]);
      for (int i = 0; i < chroma; i++) {
        cb[i] = prores_centered8(row[4 * (half + i) + other]);
        cr[i] = prores_centered8(row[4 * (half + i) + other + 2]);
      }
      break;
    }
    case PRORES_LAYOUT_YUYV_16:
      for (int i = 0; i < pixels; i++) y[i] = prores_centered16(p, prores_word(row, 2 * (first + i)));
      for (int i = 0; i < chroma; i++) {
        cb[i] = prores_centered16(p, prores_word(row, 4 * (half + i) + 1));
        cr[i] = prores_centered16(p, prores_word(row, 4 * (half + i) + 3));
      }
      break;
    case PRORES_LAYOUT_V210:
      for (int i = 0; i < pixels; i++) y[i] = prores_centered(prores_v210(row, 2 * (first + i) + 1) << 6);
      for (int i = 0; i < chroma; i++) {
        cb[i] = prores_centered(prores_v210(row, 4 * (half + i)) << 6);
        cr[i] = prores_centered(prores_v210(row, 4 * (half + i) + 2) << 6);
      }
      break;
  }
}

// Full-range codes to video range: luma is 64 plus 876 / highest of the code, chroma is 512 plus
// 896 / highest of its distance from the middle. Of the 16 bits, those below the depth are empty in
// the highest code.
PRORES_INLINE void prores_bring_to_video_range(int depth, int16_t *samples, int count,
                                               int is_luma) {
  const int64_t highest = 65536 - (65536 >> depth);
  const int scale = (int)((((is_luma ? 876 : 896) * INT64_C(64) << 15) + highest / 2) / highest);
  const int64_t zero = (876 * INT64_C(16) << 30) / highest - (INT64_C(448 * 16) << 15);
  const int offset = (is_luma ? (int)zero : 0) + (1 << 14);
  for (int i = 0; i < count; i++) samples[i] = (int16_t)((samples[i] * scale + offset) >> 15);
}

PRORES_INLINE void prores_repeat_last(int16_t *samples, int have, int want) {
  for (int i = have; i < want; i++) samples[i] = samples[have - 1];
}

// The index of a 4:2:0 chroma row; the first and the last are repeated beyond the picture.
PRORES_INLINE int prores_chroma_line(const prores_picture *p, int line) {
  return line < 0 ? 0 : line < p->chroma_height ? line : p->chroma_height - 1;
}

// The weight, in eighths, of the nearer of two chroma rows at a luma row.
PRORES_INLINE int prores_near_weight(const prores_picture *p, int line) {
  switch (p->chroma_rows) {
    case PRORES_CHROMA_ROWS_TOP_FIELD: return line & 1 ? 5 : 7;
    case PRORES_CHROMA_ROWS_BOTTOM_FIELD: return line & 1 ? 7 : 5;
    default: return 6;
  }
}

PRORES_INLINE void prores_blend_rows(int16_t *near, const int16_t *far, int weight, int count) {
  for (int i = 0; i < count; i++) {
    near[i] = (int16_t)((near[i] * weight + far[i] * (8 - weight) + 4) >> 3);
  }
}

// Interpolates 4:2:0 chroma for a luma row, beginning with that of the nearer row, which is loaded.
// Sets `rows` to the other row.
PRORES_INLINE void prores_blend_chroma(const prores_picture *p, const uint8_t **rows, int line, int x,
                                       int pixels, int16_t *cb, int16_t *cr) {
  const int far = prores_chroma_line(p, (line >> 1) + (line & 1 ? 1 : -1));
  const int weight = prores_near_weight(p, line), chroma = (pixels + 1) / 2;
  for (int i = 1; i < 3; i++) {
    if (p->planes[i]) rows[i] = p->planes[i] + far * p->strides[i];
  }
  int16_t unused[128], far_cb[64], far_cr[64];
  prores_load_row_plain(p, rows, x, pixels, unused, far_cb, far_cr);
  prores_blend_rows(cb, far_cb, weight, chroma);
  prores_blend_rows(cr, far_cr, weight, chroma);
}

// A contiguous part of a plane's rows, in bytes.
typedef struct prores_stretch_of_rows {
  size_t from, bytes;
} prores_stretch_of_rows;

// The bytes of `pixels` pixels from `x` in each plane.
PRORES_INLINE void prores_find_stretches(const prores_picture *p, size_t x, size_t pixels,
                                         prores_stretch_of_rows *planes) {
  const size_t wide = p->depth > 8 ? 2 : 1, shift = p->full_chroma ? 0 : 1;
  const prores_stretch_of_rows whole = {x * wide, pixels * wide};
  planes[0] = planes[1] = planes[2] = (prores_stretch_of_rows){0, 0};
  switch (p->layout) {
    case PRORES_LAYOUT_PLANAR_8:
    case PRORES_LAYOUT_PLANAR_16:
      planes[0] = whole;
      planes[1] = planes[2] =
          (prores_stretch_of_rows){(x >> shift) * wide, (pixels >> shift) * wide};
      break;
    case PRORES_LAYOUT_BIPLANAR_8:
    case PRORES_LAYOUT_BIPLANAR_16:
      planes[0] = planes[1] = whole;
      break;
    case PRORES_LAYOUT_BIPLANAR_10_PACKED:
      planes[0] = planes[1] = (prores_stretch_of_rows){x * 5 / 4, pixels * 5 / 4};
      break;
    case PRORES_LAYOUT_YUYV_8:
    case PRORES_LAYOUT_UYVY_8:
    case PRORES_LAYOUT_YUYV_16:
      planes[0] = (prores_stretch_of_rows){x * 2 * wide, pixels * 2 * wide};
      break;
    case PRORES_LAYOUT_V210:
      planes[0] = (prores_stretch_of_rows){x / 6 * 16, pixels / 6 * 16 + 16};
      break;
  }
}

// Lists the cache lines of the slice to the right, assumed as wide as this one, or lines that are
// already cached if there is none. Sixteen rows are listed at a time, which compilers vectorize,
// and divided between quantizing and coding; coding takes longest and gets most of the remainder.
PRORES_INLINE void prores_list_ahead(const prores_picture *p, const prores_area *area,
                                     const int16_t *samples, prores_ahead *ahead) {
  enum { ROWS = 16, PLACES = 3 * 2 * PRORES_AHEAD / ROWS };
  static const uint8_t places[PLACES] = {0, 2, 4, 6, 7, 8, 9, 10, 11, 1, 3, 5};
  const int pixels = area->macroblocks * 16, x = area->column * 16 + pixels;
  const uint8_t **lines = ahead->lines;
  size_t listed = 0;
  if (x + pixels <= p->width && area->row * 16 + 16 <= p->height) {
    prores_stretch_of_rows planes[3];
    prores_find_stretches(p, (size_t)x, (size_t)pixels, planes);
    for (int i = 0; i < 3; i++) {
      const int half = i && p->chroma_rows != PRORES_CHROMA_ROWS_ALL;
      const ptrdiff_t stride = p->strides[i];
      const uint8_t *row = p->planes[i] + (area->row * 16 >> half) * stride + planes[i].from;
      for (size_t k = 0; k < planes[i].bytes && listed < PLACES; k += 64, listed++) {
        const uint8_t **rows = lines + places[listed] * ROWS;
        for (ptrdiff_t r = 0; r < ROWS; r++) rows[r] = row + k + (r >> half) * stride;
      }
    }
  }
  for (; listed < PLACES; listed++) {
    const uint8_t **rows = lines + places[listed] * ROWS;
    for (size_t r = 0; r < ROWS; r++) rows[r] = (const uint8_t *)samples;
  }
}

// Prefetches four lines and returns the next four, or the same ones if these are the last, for
// loops whose number of passes differs from the number of lines.
PRORES_INLINE const uint8_t *const *prores_ask(const uint8_t *const *next,
                                               const uint8_t *const *last) {
  for (int i = 0; i < 4; i++) __builtin_prefetch(next[i]);
  return next < last ? next + 4 : last;
}

PRORES_INLINE void prores_ask_rest(const uint8_t *const *next, const uint8_t *const *last) {
  for (; next <= last; next += 4) prores_ask(next, last);
}

// True for planes of words; in 4:2:2, Cb and Cr may share one.
PRORES_INLINE int prores_is_words(const prores_picture *p) {
  return p->layout == PRORES_LAYOUT_PLANAR_16 ||
         (p->layout == PRORES_LAYOUT_BIPLANAR_16 && p->shift && !p->full_chroma);
}

// True for a slice of eight macroblocks within the picture that needs only scaling, with rows a
// whole number of words apart.
PRORES_INLINE int prores_is_whole(const prores_picture *p, const prores_area *area) {
  return !p->full_range && p->chroma_rows == PRORES_CHROMA_ROWS_ALL && area->macroblocks == 8 &&
         area->column * 16 + 128 <= p->width && area->row * 16 + 16 <= p->height &&
         ((p->strides[0] | p->strides[1] | p->strides[2]) & 1) == 0;
}

// A slice's first word in a plane.
PRORES_INLINE const int16_t *prores_slice_words(const prores_picture *p, const prores_area *area,
                                                int plane) {
  const int shift = plane && !p->full_chroma && p->layout == PRORES_LAYOUT_PLANAR_16 ? 1 : 0;
  return (const int16_t *)(p->planes[plane] + area->row * 16 * p->strides[plane]) +
         (area->column * 16 >> shift);
}

// Loads a slice, with `fast` for complete rows, and plainly where the picture's edge cuts it.
PRORES_INLINE void prores_load_slice(const prores_picture *p, const prores_area *area,
                                     int16_t *samples, prores_ahead *ahead,
                                     prores_row_loader *fast) {
  prores_list_ahead(p, area, samples, ahead);
  int pixels = area->macroblocks * 16, x = area->column * 16;
  int have = p->width - x < pixels ? p->width - x : pixels;
  int chroma = p->full_chroma ? pixels : pixels / 2;
  int chroma_have = p->full_chroma ? have : (have + 1) / 2;
  int16_t *y = samples + PRORES_SAMPLE_MARGIN;
  int16_t *cb = y + PRORES_SAMPLE_PLANE;
  int16_t *cr = p->full_chroma ? cb + PRORES_SAMPLE_PLANE : cb + PRORES_CHROMA_OFFSET;
  const int is_halved = p->chroma_rows != PRORES_CHROMA_ROWS_ALL;
  for (int r = 0; r < 16; r++) {
    int line = area->row * 16 + r;
    if (line >= p->height) line = p->height - 1;
    int chroma_line = is_halved ? prores_chroma_line(p, line >> 1) : line;
    const uint8_t *rows[3] = {
        p->planes[0] + line * p->strides[0],
        p->planes[1] ? p->planes[1] + chroma_line * p->strides[1] : NULL,
        p->planes[2] ? p->planes[2] + chroma_line * p->strides[2] : NULL,
    };
    if (have == pixels) {
      fast(p, rows, x, pixels, y, cb, cr);
    } else {
      prores_load_row_plain(p, rows, x, have, y, cb, cr);
    }
    if (is_halved) prores_blend_chroma(p, rows, line, x, have, cb, cr);
    if (p->full_range) {
      prores_bring_to_video_range(p->depth, y, have, 1);
      prores_bring_to_video_range(p->depth, cb, chroma_have, 0);
      prores_bring_to_video_range(p->depth, cr, chroma_have, 0);
    }
    if (have != pixels) {
      prores_repeat_last(y, have, pixels);
      prores_repeat_last(cb, chroma_have, chroma);
      prores_repeat_last(cr, chroma_have, chroma);
    }
    y += PRORES_SAMPLE_STRIDE;
    cb += PRORES_SAMPLE_STRIDE;
    cr += PRORES_SAMPLE_STRIDE;
  }
}
