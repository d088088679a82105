#include "CPNG.h"

#include <png.h>
#include <string.h>

struct picture {
  uint8_t *samples;
  size_t *row_bytes;
  size_t height;
  char *message;
  size_t room;
  png_picture_result result;
};

/// Keeps the first message; later ones are mostly consequences.
static void keep(struct picture *picture, const char *text) {
  if (picture->room == 0 || picture->message[0] != 0) return;
  strncpy(picture->message, text, picture->room - 1);
  picture->message[picture->room - 1] = 0;
}

static void fail(png_structp png, png_const_charp text) {
  keep(png_get_error_ptr(png), text);
  png_longjmp(png, 1);
}

static void warn(png_structp png, png_const_charp text) { keep(png_get_error_ptr(png), text); }

/// Makes libpng skip all chunks other than pixel data: they are read elsewhere, and may be of any
/// size.
static void pass_over_texts(png_structp png) {
  static const png_byte names[] = "bKGD\0cHRM\0cICP\0eXIf\0gAMA\0hIST\0iCCP\0iTXt\0oFFs\0pCAL\0pHYs\0sBIT\0sCAL\0"
                                  "sPLT\0sRGB\0sTER\0tEXt\0tIME\0zTXt";
  png_set_keep_unknown_chunks(png, PNG_HANDLE_CHUNK_NEVER, names, (int)(sizeof names / 5));
}

/// Called once the header is known, before the rows.
static void begin(png_structp png, png_infop info) {
  struct picture *picture = png_get_progressive_ptr(png);
  const uint16_t one = 1;
  png_set_expand(png);
  if (*(const uint8_t *)&one == 1) png_set_swap(png);
  png_set_interlace_handling(png);
  png_read_update_info(png, info);
  const size_t length = png_get_rowbytes(png, info);
  if (length > *picture->row_bytes || png_get_image_height(png, info) != picture->height)
    png_error(png, "there is no room for it");
  *picture->row_bytes = length;
}

/// Called with each row of each pass, or NULL if a pass has no data for it.
static void take_row(png_structp png, png_bytep row, png_uint_32 number, int pass) {
  struct picture *picture = png_get_progressive_ptr(png);
  (void)pass;
  if (row == NULL || number >= picture->height) return;
  png_progressive_combine_row(png, picture->samples + number * *picture->row_bytes, row);
  picture->result = PNG_PICTURE_PART;
}

static void end(png_structp png, png_infop info) {
  struct picture *picture = png_get_progressive_ptr(png);
  (void)info;
  // A file may end without a row if its data are not deflated data.
  if (picture->result == PNG_PICTURE_PART) picture->result = PNG_PICTURE_WHOLE;
}

png_picture_result png_picture_decode(const uint8_t *bytes, size_t count, uint8_t *samples, size_t *row_bytes,
                                      size_t height, char *message, size_t room) {
  struct picture picture = {samples, row_bytes, height, message, room, PNG_PICTURE_NONE};
  if (room > 0) message[0] = 0;
  png_structp png = png_create_read_struct(PNG_LIBPNG_VER_STRING, &picture, fail, warn);
  if (png == NULL) return PNG_PICTURE_NONE;
  png_infop info = png_create_info_struct(png);
  if (info != NULL && setjmp(png_jmpbuf(png)) == 0) {
    png_set_user_limits(png, 1 << 24, 1 << 24);
    // Use a chunk with a wrong checksum, but report it.
    png_set_crc_action(png, PNG_CRC_WARN_USE, PNG_CRC_WARN_USE);
    pass_over_texts(png);
    // Progressive reading returns rows as far as the data reach; otherwise libpng returns none of
    // an unfinished picture.
    png_set_progressive_read_fn(png, &picture, begin, take_row, end);
    png_process_data(png, info, (png_bytep)bytes, count);
    if (picture.result != PNG_PICTURE_WHOLE) keep(&picture, "the file ends too soon");
  }
  png_destroy_read_struct(&png, &info, NULL);
  return picture.result;
}
