#pragma once

// Pixels of PNG files through libpng, whose errors use longjmp, which must not cross Swift frames.

#include <stddef.h>
#include <stdint.h>

/// How much of a picture was decoded.
typedef enum {
  /// The whole picture.
  PNG_PICTURE_WHOLE = 0,
  /// A part: its data are damaged or truncated; rows that libpng did not reach are 0.
  PNG_PICTURE_PART = 1,
  /// Nothing.
  PNG_PICTURE_NONE = 2,
} png_picture_result;

/// Decodes a PNG file's picture: palettes become red, green and blue, samples of fewer than 8 bits
/// become 8 bits, a transparent color becomes alpha, and 16-bit samples have native byte order. No
/// color conversion takes place.
///
/// - Parameters:
///   - bytes: The file, including its signature.
///   - samples: The rows, initialized to 0.
///   - row_bytes: The capacity for a row; becomes the size of a row, without padding.
///   - height: The number of rows.
///   - message: libpng's first message, at most `room` bytes including the terminator; empty if
///     none.
png_picture_result png_picture_decode(const uint8_t *bytes, size_t count, uint8_t *samples, size_t *row_bytes,
                                      size_t height, char *message, size_t room);
