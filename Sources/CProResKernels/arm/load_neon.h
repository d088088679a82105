#pragma once

// Loading of rows with NEON. Rows are multiples of sixteen pixels, so whole vectors never read past
// their end.

#include <arm_neon.h>

#include "../internal/samples.h"

// Words with the value in the top bits to sixteenths of a 10-bit step, centered on zero.
PRORES_INLINE int16x8_t center_top(uint16x8_t v) {
  return vshrq_n_s16(vreinterpretq_s16_u16(veorq_u16(v, vdupq_n_u16(0x8000))), 2);
}

PRORES_INLINE int16x8_t center_bytes(uint8x8_t v) {
  return vsubq_s16(vreinterpretq_s16_u16(vshll_n_u8(v, 6)), vdupq_n_s16(8192));
}

PRORES_INLINE void load_bytes(const uint8_t *from, int16_t *to, int count) {
  for (int i = 0; i < count; i += 8) vst1q_s16(to + i, center_bytes(vld1_u8(from + i)));
}

PRORES_INLINE uint16x8_t load_words(const uint8_t *from) {
  return vreinterpretq_u16_u8(vld1q_u8(from));
}

// A plane of words with the value in the top bits.
PRORES_INLINE void load_words_top(const uint8_t *from, int16_t *to, int count) {
  for (int i = 0; i < count; i += 8) vst1q_s16(to + i, center_top(load_words(from + 2 * i)));
}

// A plane of words with the value in the lowest `depth` bits.
PRORES_INLINE void load_words_bottom(const uint8_t *from, int16_t *to, int count, int depth) {
  const uint16x8_t most = vdupq_n_u16((uint16_t)((1u << depth) - 1));
  const int16x8_t up = vdupq_n_s16((int16_t)(14 - depth)), middle = vdupq_n_s16(8192);
  for (int i = 0; i < count; i += 8) {
    uint16x8_t v = vshlq_u16(vminq_u16(load_words(from + 2 * i), most), up);
    vst1q_s16(to + i, vsubq_s16(vreinterpretq_s16_u16(v), middle));
  }
}

// Words Cb Cr Cb Cr ... with the value in the top bits.
PRORES_INLINE void load_word_pairs(const uint8_t *from, int pairs, int16_t *cb, int16_t *cr) {
  for (int i = 0; i < pairs; i += 8) {
    uint16x8_t a = load_words(from + 4 * i), b = load_words(from + 4 * i + 16);
    vst1q_s16(cb + i, center_top(vuzp1q_u16(a, b)));
    vst1q_s16(cr + i, center_top(vuzp2q_u16(a, b)));
  }
}

PRORES_INLINE void load_packed8(const uint8_t *row, int pixels, int luma_is_high, int16_t *y,
                                int16_t *cb, int16_t *cr) {
  for (int i = 0; i < pixels; i += 16) {
    uint8x8x4_t v = vld4_u8(row + 2 * i);
    int16x8x2_t luma;
    luma.val[0] = center_bytes(v.val[luma_is_high]);
    luma.val[1] = center_bytes(v.val[luma_is_high + 2]);
    vst2q_s16(y + i, luma);
    vst1q_s16(cb + i / 2, center_bytes(v.val[1 - luma_is_high]));
    vst1q_s16(cr + i / 2, center_bytes(v.val[3 - luma_is_high]));
  }
}

PRORES_INLINE void load_packed16(const uint8_t *row, int pixels, int16_t *y, int16_t *cb,
                                 int16_t *cr) {
  for (int i = 0; i < pixels; i += 16) {
    uint16x8_t a = load_words(row + 4 * i), b = load_words(row + 4 * i + 16);
    uint16x8_t c = load_words(row + 4 * i + 32), d = load_words(row + 4 * i + 48);
    vst1q_s16(y + i, center_top(vuzp1q_u16(a, b)));
    vst1q_s16(y + i + 8, center_top(vuzp1q_u16(c, d)));
    uint16x8_t first = vuzp2q_u16(a, b), second = vuzp2q_u16(c, d);
    vst1q_s16(cb + i / 2, center_top(vuzp1q_u16(first, second)));
    vst1q_s16(cr + i / 2, center_top(vuzp2q_u16(first, second)));
  }
}

// Picks bytes from a vector into words, and shifts each word left until its ten bits are at the
// top.
PRORES_INLINE int16x8_t pick_tens(uint8x16_t v, const uint8_t *order, const int16_t *up) {
  uint16x8_t words = vreinterpretq_u16_u8(vqtbl1q_u8(v, vld1q_u8(order)));
  words = vandq_u16(vshlq_u16(words, vld1q_s16(up)), vdupq_n_u16(0xFFC0));
  return center_top(words);
}

PRORES_INLINE void load_v210(const uint8_t *row, int x, int pixels, int16_t *y, int16_t *cb,
                             int16_t *cr) {
  static const uint8_t luma_order[16] = {1, 2,  4,  5,  6,  7,   9,   10,
                                         12, 13, 14, 15, 255, 255, 255, 255};
  static const int16_t luma_up[8] = {4, 6, 2, 4, 6, 2, 0, 0};
  // Four words each of Cb and Cr, of which three are used.
  static const uint8_t chroma_order[16] = {0, 1, 5, 6, 10, 11, 255, 255,
                                           2, 3, 8, 9, 13, 14, 255, 255};
  static const int16_t chroma_up[8] = {6, 4, 2, 0, 2, 6, 4, 0};
  // The first group of six pixels may begin up to four pixels before the slice; those go to the
  // margin.
  int first = x / 6, last = (x + pixels - 1) / 6, before = x - first * 6;
  y -= before;
  cb -= before / 2;
  cr -= before / 2;
  for (int group = first; group <= last; group++) {
    uint8x16_t v = vld1q_u8(row + 16 * group);
    int16x8_t chroma = pick_tens(v, chroma_order, chroma_up);
    vst1q_s16(y, pick_tens(v, luma_order, luma_up));
    vst1_s16(cb, vget_low_s16(chroma));
    vst1_s16(cr, vget_high_s16(chroma));
    y += 6;
    cb += 3;
    cr += 3;
  }
}

// Eight samples from ten bytes; reads sixteen bytes, except at the end of the row.
PRORES_INLINE int16x8_t load_packed10(const uint8_t *from, int is_last) {
  static const uint8_t order[16] = {0, 1, 1, 2, 2, 3, 3, 4, 5, 6, 6, 7, 7, 8, 8, 9};
  static const int16_t up[8] = {6, 4, 2, 0, 6, 4, 2, 0};
  uint8_t copy[16] = {0};
  if (is_last) {
    memcpy(copy, from, 10);
    from = copy;
  }
  return pick_tens(vld1q_u8(from), order, up);
}

PRORES_INLINE void load_biplanar10(const uint8_t *luma, const uint8_t *chroma, int pixels,
                                   int16_t *y, int16_t *cb, int16_t *cr) {
  for (int i = 0; i < pixels; i += 16) {
    int is_last = i + 16 >= pixels, at = i * 5 / 4;
    vst1q_s16(y + i, load_packed10(luma + at, 0));
    vst1q_s16(y + i + 8, load_packed10(luma + at + 10, is_last));
    int16x8_t a = load_packed10(chroma + at, 0), b = load_packed10(chroma + at + 10, is_last);
    vst1q_s16(cb + i / 2, vuzp1q_s16(a, b));
    vst1q_s16(cr + i / 2, vuzp2q_s16(a, b));
  }
}

PRORES_INLINE void load_row_neon(const prores_picture *p, const uint8_t *const *rows, int x,
                                 int pixels, int16_t *y, int16_t *cb, int16_t *cr) {
  const int chroma_x = p->full_chroma ? x : x / 2, chroma = p->full_chroma ? pixels : pixels / 2;
  switch (p->layout) {
    case PRORES_LAYOUT_PLANAR_8:
      load_bytes(rows[0] + x, y, pixels);
      load_bytes(rows[1] + chroma_x, cb, chroma);
      load_bytes(rows[2] + chroma_x, cr, chroma);
      break;
    case PRORES_LAYOUT_PLANAR_16:
      if (p->shift) {
        load_words_top(rows[0] + 2 * x, y, pixels);
        load_words_top(rows[1] + 2 * chroma_x, cb, chroma);
        load_words_top(rows[2] + 2 * chroma_x, cr, chroma);
      } else {
        load_words_bottom(rows[0] + 2 * x, y, pixels, p->depth);
        load_words_bottom(rows[1] + 2 * chroma_x, cb, chroma, p->depth);
        load_words_bottom(rows[2] + 2 * chroma_x, cr, chroma, p->depth);
      }
      break;
    case PRORES_LAYOUT_BIPLANAR_8:
      load_bytes(rows[0] + x, y, pixels);
      for (int i = 0; i < pixels; i += 16) {
        uint8x8x2_t v = vld2_u8(rows[1] + x + i);
        vst1q_s16(cb + i / 2, center_bytes(v.val[0]));
        vst1q_s16(cr + i / 2, center_bytes(v.val[1]));
      }
      break;
    case PRORES_LAYOUT_BIPLANAR_16:
      load_words_top(rows[0] + 2 * x, y, pixels);
      load_word_pairs(rows[1] + 2 * x, pixels / 2, cb, cr);
      break;
    case PRORES_LAYOUT_BIPLANAR_10_PACKED:
      load_biplanar10(rows[0] + x * 5 / 4, rows[1] + x * 5 / 4, pixels, y, cb, cr);
      break;
    case PRORES_LAYOUT_YUYV_8:
      load_packed8(rows[0] + 2 * x, pixels, 0, y, cb, cr);
      break;
    case PRORES_LAYOUT_UYVY_8:
      load_packed8(rows[0] + 2 * x, pixels, 1, y, cb, cr);
      break;
    case PRORES_LAYOUT_YUYV_16:
      load_packed16(rows[0] + 4 * x, pixels, y, cb, cr);
      break;
    case PRORES_LAYOUT_V210:
      load_v210(rows[0], x, pixels, y, cb, cr);
      break;
  }
}
