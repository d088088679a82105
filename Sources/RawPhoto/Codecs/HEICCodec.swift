import CHEIF
import DNG
import MediaCore

/// HEIC through libheif and x265.
enum HEICCodec {
  /// Compresses a picture: 8 or 10 bits, sRGB primaries and transfer told by an nclx box, EXIF.
  ///
  /// - Parameter isThorough: True for x265's slow preset in place of its fastest; it takes nine times as long.
  /// - Throws: ``RawPhotoError/Code/codecFailed`` with libheif's own words.
  static func encode(
    _ picture: Rendering, quality: Double, bitDepth: Int, isThorough: Bool, metadata: PhotoMetadata
  ) throws(RawPhotoError) -> [UInt8] {
    let image = try makeImage(picture, bitDepth)
    defer { heif_image_release(image) }
    guard let context = heif_context_alloc() else { throw failure("no memory") }
    defer { heif_context_free(context) }
    var encoder: OpaquePointer?
    try check(
      heif_context_get_encoder_for_format(context, heif_compression_HEVC, &encoder))
    defer { heif_encoder_release(encoder) }
    try check(
      heif_encoder_set_lossy_quality(encoder, Int32((quality * 100).rounded())))
    // An encoder without presets has a speed of its own.
    _ = heif_encoder_set_parameter_string(encoder, "preset", isThorough ? "slow" : "ultrafast")
    guard let options = heif_encoding_options_alloc() else { throw failure("no memory") }
    defer { heif_encoding_options_free(options) }
    // Left out otherwise, for macOS before 11.
    options.pointee.macOS_compatibility_workaround_no_nclx_profile = 0
    var handle: OpaquePointer?
    try check(heif_context_encode_image(context, image, encoder, options, &handle))
    defer { heif_image_handle_release(handle) }
    let exif = try RawPhotoError.from { () throws(DNGError) in try EXIFBlock.tiff(metadata) }
    try check(
      exif.withUnsafeBytes {
        heif_context_add_exif_metadata(context, handle, $0.baseAddress, Int32($0.count))
      })
    return try write(context)
  }

  private static func makeImage(
    _ picture: Rendering, _ bitDepth: Int
  ) throws(RawPhotoError) -> OpaquePointer {
    var image: OpaquePointer?
    let isWide = bitDepth > 8
    try check(
      heif_image_create(
        Int32(picture.width), Int32(picture.height), heif_colorspace_RGB,
        isWide ? heif_chroma_interleaved_RRGGBB_LE : heif_chroma_interleaved_RGB, &image))
    guard let image else { throw failure("no memory") }
    do throws(RawPhotoError) {
      try check(
        heif_image_add_plane(
          image, heif_channel_interleaved, Int32(picture.width), Int32(picture.height),
          Int32(bitDepth)))
      var stride: Int32 = 0
      guard let plane = heif_image_get_plane(image, heif_channel_interleaved, &stride) else {
        throw failure("no memory")
      }
      fill(plane, Int(stride), picture, bitDepth)
      try setProfile(image)
    } catch {
      heif_image_release(image)
      throw error
    }
    return image
  }

  private static func fill(
    _ plane: UnsafeMutablePointer<UInt8>, _ stride: Int, _ picture: Rendering, _ bitDepth: Int
  ) {
    for row in 0..<picture.height {
      let target = UnsafeMutableRawPointer(plane + row * stride)
      for index in 0..<3 * picture.width {
        let value = picture.pixels[row * 3 * picture.width + index]
        if bitDepth > 8 {
          // The nearest of 1024 codes.
          let wide = UInt16((Int(value) * 1023 + 127) / 255)
          target.storeBytes(of: wide.littleEndian, toByteOffset: 2 * index, as: UInt16.self)
        } else {
          target.storeBytes(of: value, toByteOffset: index, as: UInt8.self)
        }
      }
    }
  }

  private static func setProfile(_ image: OpaquePointer) throws(RawPhotoError) {
    guard let profile = heif_nclx_color_profile_alloc() else { throw failure("no memory") }
    defer { heif_nclx_color_profile_free(profile) }
    profile.pointee.color_primaries = heif_color_primaries_ITU_R_BT_709_5
    profile.pointee.transfer_characteristics = heif_transfer_characteristic_IEC_61966_2_1
    profile.pointee.matrix_coefficients = heif_matrix_coefficients_ITU_R_BT_601_6
    profile.pointee.full_range_flag = 1
    try check(heif_image_set_nclx_color_profile(image, profile))
  }

  /// Where libheif's writer leaves the file.
  private final class Sink {
    var bytes: [UInt8] = []
  }

  private static func write(_ context: OpaquePointer) throws(RawPhotoError) -> [UInt8] {
    let sink = Sink()
    var writer = heif_writer()
    writer.writer_api_version = 1
    writer.write = { _, data, size, target in
      if let data, let target {
        let bytes = UnsafeRawBufferPointer(start: data, count: size)
        Unmanaged<Sink>.fromOpaque(target).takeUnretainedValue().bytes.append(contentsOf: bytes)
      }
      return heif_error(code: heif_error_Ok, subcode: heif_suberror_Unspecified, message: nil)
    }
    try check(
      heif_context_write(context, &writer, Unmanaged.passUnretained(sink).toOpaque()))
    return withExtendedLifetime(sink) { sink.bytes }
  }

  private static func check(_ error: heif_error) throws(RawPhotoError) {
    guard error.code != heif_error_Ok else { return }
    throw failure(error.message.map { String(cString: $0) } ?? "error \(error.code.rawValue)")
  }

  private static func failure(_ reason: String) -> RawPhotoError {
    RawPhotoError(
      .codecFailed, "libheif refused: \(reason); see that its x265 plugin is installed")
  }
}
