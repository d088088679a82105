#include "CLateCalls.h"
#include "CHEIF.h"

/* The only ABI that libheif has had so far. Parameters are named by position. */
static late_library library = {"libheif.so.1", NULL};

#define HEIF(result, name, parameters, arguments)                                                 \
  LATE_CALL(library, result, name, parameters, arguments)

HEIF(struct heif_error, heif_context_add_XMP_metadata,
     (struct heif_context *a, const struct heif_image_handle *b, const void *c, int d),
     (a, b, c, d))
HEIF(struct heif_error, heif_context_add_exif_metadata,
     (struct heif_context *a, const struct heif_image_handle *b, const void *c, int d),
     (a, b, c, d))
HEIF(struct heif_context *, heif_context_alloc, (void), ())
HEIF(struct heif_error, heif_context_encode_image,
     (struct heif_context *a, const struct heif_image *b, struct heif_encoder *c,
      const struct heif_encoding_options *d, struct heif_image_handle **e), (a, b, c, d, e))
HEIF(void, heif_context_free, (struct heif_context *a), (a))
HEIF(struct heif_error, heif_context_get_encoder_for_format,
     (struct heif_context *a, enum heif_compression_format b, struct heif_encoder **c), (a, b, c))
HEIF(struct heif_error, heif_context_get_image_handle,
     (struct heif_context *a, heif_item_id b, struct heif_image_handle **c), (a, b, c))
HEIF(int, heif_context_get_list_of_top_level_image_IDs,
     (struct heif_context *a, heif_item_id *b, int c), (a, b, c))
HEIF(int, heif_context_get_number_of_top_level_images, (struct heif_context *a), (a))
HEIF(struct heif_error, heif_context_get_primary_image_ID,
     (struct heif_context *a, heif_item_id *b), (a, b))
HEIF(struct heif_error, heif_context_get_primary_image_handle,
     (struct heif_context *a, struct heif_image_handle **b), (a, b))
HEIF(struct heif_error, heif_context_read_from_memory,
     (struct heif_context *a, const void *b, size_t c, const struct heif_reading_options *d),
     (a, b, c, d))
HEIF(struct heif_error, heif_context_write,
     (struct heif_context *a, struct heif_writer *b, void *c), (a, b, c))
HEIF(struct heif_error, heif_decode_image,
     (const struct heif_image_handle *a, struct heif_image **b, enum heif_colorspace c,
      enum heif_chroma d, const struct heif_decoding_options *e), (a, b, c, d, e))
HEIF(struct heif_decoding_options *, heif_decoding_options_alloc, (void), ())
HEIF(void, heif_decoding_options_free, (struct heif_decoding_options *a), (a))
HEIF(void, heif_encoder_release, (struct heif_encoder *a), (a))
HEIF(struct heif_error, heif_encoder_set_lossy_quality, (struct heif_encoder *a, int b), (a, b))
HEIF(struct heif_error, heif_encoder_set_parameter_string,
     (struct heif_encoder *a, const char *b, const char *c), (a, b, c))
HEIF(struct heif_encoding_options *, heif_encoding_options_alloc, (void), ())
HEIF(void, heif_encoding_options_free, (struct heif_encoding_options *a), (a))
HEIF(struct heif_error, heif_image_add_plane,
     (struct heif_image *a, enum heif_channel b, int c, int d, int e), (a, b, c, d, e))
HEIF(struct heif_error, heif_image_create,
     (int a, int b, enum heif_colorspace c, enum heif_chroma d, struct heif_image **e),
     (a, b, c, d, e))
HEIF(int, heif_image_get_bits_per_pixel_range,
     (const struct heif_image *a, enum heif_channel b), (a, b))
HEIF(int, heif_image_get_height, (const struct heif_image *a, enum heif_channel b), (a, b))
HEIF(uint8_t *, heif_image_get_plane,
     (struct heif_image *a, enum heif_channel b, int *c), (a, b, c))
HEIF(const uint8_t *, heif_image_get_plane_readonly,
     (const struct heif_image *a, enum heif_channel b, int *c), (a, b, c))
HEIF(int, heif_image_get_width, (const struct heif_image *a, enum heif_channel b), (a, b))
HEIF(void, heif_image_handle_free_auxiliary_types,
     (const struct heif_image_handle *a, const char **b), (a, b))
HEIF(struct heif_error, heif_image_handle_get_auxiliary_image_handle,
     (const struct heif_image_handle *a, heif_item_id b, struct heif_image_handle **c), (a, b, c))
HEIF(struct heif_error, heif_image_handle_get_auxiliary_type,
     (const struct heif_image_handle *a, const char **b), (a, b))
HEIF(int, heif_image_handle_get_chroma_bits_per_pixel, (const struct heif_image_handle *a), (a))
HEIF(int, heif_image_handle_get_height, (const struct heif_image_handle *a), (a))
HEIF(int, heif_image_handle_get_ispe_height, (const struct heif_image_handle *a), (a))
HEIF(int, heif_image_handle_get_ispe_width, (const struct heif_image_handle *a), (a))
HEIF(int, heif_image_handle_get_list_of_auxiliary_image_IDs,
     (const struct heif_image_handle *a, int b, heif_item_id *c, int d), (a, b, c, d))
HEIF(int, heif_image_handle_get_list_of_metadata_block_IDs,
     (const struct heif_image_handle *a, const char *b, heif_item_id *c, int d), (a, b, c, d))
HEIF(int, heif_image_handle_get_list_of_thumbnail_IDs,
     (const struct heif_image_handle *a, heif_item_id *b, int c), (a, b, c))
HEIF(int, heif_image_handle_get_luma_bits_per_pixel, (const struct heif_image_handle *a), (a))
HEIF(struct heif_error, heif_image_handle_get_metadata,
     (const struct heif_image_handle *a, heif_item_id b, void *c), (a, b, c))
HEIF(size_t, heif_image_handle_get_metadata_size,
     (const struct heif_image_handle *a, heif_item_id b), (a, b))
HEIF(struct heif_error, heif_image_handle_get_nclx_color_profile,
     (const struct heif_image_handle *a, struct heif_color_profile_nclx **b), (a, b))
HEIF(struct heif_error, heif_image_handle_get_raw_color_profile,
     (const struct heif_image_handle *a, void *b), (a, b))
HEIF(size_t, heif_image_handle_get_raw_color_profile_size, (const struct heif_image_handle *a), (a))
HEIF(struct heif_error, heif_image_handle_get_thumbnail,
     (const struct heif_image_handle *a, heif_item_id b, struct heif_image_handle **c), (a, b, c))
HEIF(int, heif_image_handle_get_width, (const struct heif_image_handle *a), (a))
HEIF(int, heif_image_handle_has_alpha_channel, (const struct heif_image_handle *a), (a))
HEIF(int, heif_image_handle_is_premultiplied_alpha, (const struct heif_image_handle *a), (a))
HEIF(void, heif_image_handle_release, (const struct heif_image_handle *a), (a))
HEIF(void, heif_image_release, (const struct heif_image *a), (a))
HEIF(void, heif_image_set_content_light_level,
     (const struct heif_image *a, const struct heif_content_light_level *b), (a, b))
HEIF(struct heif_error, heif_image_set_nclx_color_profile,
     (struct heif_image *a, const struct heif_color_profile_nclx *b), (a, b))
HEIF(struct heif_error, heif_image_set_raw_color_profile,
     (struct heif_image *a, const char *b, const void *c, const size_t d), (a, b, c, d))
HEIF(struct heif_color_profile_nclx *, heif_nclx_color_profile_alloc, (void), ())
HEIF(void, heif_nclx_color_profile_free, (struct heif_color_profile_nclx *a), (a))
HEIF(struct heif_error, heif_nclx_color_profile_set_color_primaries,
     (struct heif_color_profile_nclx *a, uint16_t b), (a, b))
HEIF(struct heif_error, heif_nclx_color_profile_set_matrix_coefficients,
     (struct heif_color_profile_nclx *a, uint16_t b), (a, b))
HEIF(struct heif_error, heif_nclx_color_profile_set_transfer_characteristics,
     (struct heif_color_profile_nclx *a, uint16_t b), (a, b))
