#pragma once

// Pixels of PNG files through libpng. Its errors jump out of what was called, which must not happen across Swift's frames.

#include <stddef.h>
#include <stdint.h>

/// How far a picture was decoded.
typedef enum {
  /// All of it.
  PNG_PICTURE_WHOLE = 0,
  /// Its data are damaged or cut off; rows that libpng did not reach are 0.
  PNG_PICTURE_PART = 1,
  /// None of it.
  PNG_PICTURE_NONE = 2,
} png_picture_result;

/// Decodes a PNG file's picture: tables of colors become red, green and blue, samples of fewer than 8 bits ones of 8, a
/// color that is transparent alpha, and samples of 16 bits are in the machine's order. Color itself is not changed.
///
/// - Parameters:
///   - bytes: The file, with its mark.
///   - samples: The rows, all 0.
///   - row_bytes: The room for a row; becomes the bytes that a row has, one behind the other.
///   - height: Rows.
///   - message: What libpng first said of the file, of at most `room` bytes with its end; empty for nothing.
png_picture_result png_picture_decode(const uint8_t *bytes, size_t count, uint8_t *samples, size_t *row_bytes,
                                      size_t height, char *message, size_t room);
