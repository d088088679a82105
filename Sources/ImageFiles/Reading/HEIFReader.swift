import CHEIF
import MediaCore
import RawDevelop

/// Reads a HEIF file's primary image and its metadata, through libheif.
enum HEIFReader {
  /// - Throws: ``ImageFileError/Code/invalidFile`` with libheif's message.
  static func summary(_ bytes: [UInt8]) throws(ImageFileError) -> ImageFileSummary {
    try withPrimary(bytes) { primary, storage throws(ImageFileError) in
      try summary(bytes, primary, storage)
    }
  }

  /// Decodes the primary image to 8 bits, as it is stored, not turned.
  ///
  /// - Throws: ``ImageFileError/Code/invalidFile`` with libheif's message; ``ImageFileError/Code/unsupported``
  ///   for HDR images, and if libheif has no decoder.
  static func image(_ bytes: [UInt8]) throws(ImageFileError) -> RenderedImage {
    try withPrimary(bytes) { primary, storage throws(ImageFileError) in
      try decoded(primary, try colorSpace(of: primary), storage)
    }
  }

  private static func withPrimary<Result>(
    _ bytes: [UInt8],
    _ work: (OpaquePointer, HEIFTransforms.Storage?) throws(ImageFileError) -> Result
  ) throws(ImageFileError) -> Result {
    guard let context = heif_context_alloc() else { throw .refused("libheif", "no memory") }
    defer { heif_context_free(context) }
    try check(
      bytes.withUnsafeBytes {
        heif_context_read_from_memory(context, $0.baseAddress, $0.count, nil)
      })
    var primary: OpaquePointer?
    try check(heif_context_get_primary_image_handle(context, &primary))
    guard let primary else { throw .invalidFile("it has no primary image") }
    defer { heif_image_handle_release(primary) }
    var item: heif_item_id = 0
    try check(heif_context_get_primary_image_ID(context, &item))
    return try work(primary, HEIFTransforms.storage(bytes, item: Int(item)))
  }

  private static func summary(
    _ bytes: [UInt8], _ primary: OpaquePointer, _ storage: HEIFTransforms.Storage?
  ) throws(ImageFileError) -> ImageFileSummary {
    var summary = ImageFileSummary(
      kind: kind(bytes), width: Int(heif_image_handle_get_width(primary)),
      height: Int(heif_image_handle_get_height(primary)),
      bitDepth: Int(heif_image_handle_get_luma_bits_per_pixel(primary)),
      components: heif_image_handle_get_chroma_bits_per_pixel(primary) > 0 ? 3 : 1,
      byteCount: bytes.count)
    if let exif = metadata("Exif", of: primary), exif.count > 4 {
      // The first four bytes are the offset of the TIFF header.
      let skip = exif.prefix(4).reduce(0) { $0 << 8 | Int($1) }
      summary.take(exif: Array(exif.dropFirst(4).dropFirst(skip)))
    }
    if let storage {
      (summary.width, summary.height) = (storage.width, storage.height)
      // The file's transforms take precedence over EXIF.
      if let turn = storage.orientation { summary.orientation = turn }
    }
    summary.hasXMP = metadata("mime", of: primary) != nil
    takeColors(of: primary, into: &summary)
    summary.gainMap = gainMap(of: primary, brands(bytes))
    return summary
  }

  /// - Parameter storage: The visible part of the decoded image; nil if the file does not state it.
  private static func decoded(
    _ primary: OpaquePointer, _ colorSpace: ImageColorSpace, _ storage: HEIFTransforms.Storage?
  ) throws(ImageFileError) -> RenderedImage {
    try decode(primary, as: heif_chroma_interleaved_RGB, inEightBits: true) {
      plane throws(ImageFileError) in
      let (width, height) = (storage?.width ?? plane.width, storage?.height ?? plane.height)
      let first = try plane.start(of: storage, width, height, bytesPerPixel: 3)
      let samples = [UInt8](unsafeUninitializedCapacity: width * height * 3) { rows, count in
        for y in 0..<height {
          let row = UnsafeBufferPointer(start: first + y * plane.stride, count: width * 3)
          _ = rows[(y * width * 3)...].initialize(fromContentsOf: row)
        }
        count = width * height * 3
      }
      return RenderedImage(
        width: width, height: height, samples: .uint8(samples), colorSpace: colorSpace)
    }
  }

  private static func takeColors(of handle: OpaquePointer, into summary: inout ImageFileSummary) {
    let size = heif_image_handle_get_raw_color_profile_size(handle)
    if size > 0, size < 1 << 24 {
      var profile = [UInt8](repeating: 0, count: size)
      if heif_image_handle_get_raw_color_profile(handle, &profile).code == heif_error_Ok {
        summary.take(profile: profile)
      }
    }
    guard let points = codePoints(of: handle) else { return }
    summary.colors =
      "\(points.color_primaries.rawValue)-\(points.transfer_characteristics.rawValue)"
      + "-\(points.matrix_coefficients.rawValue)"
    summary.isFullRange = points.full_range_flag != 0
  }

  static func codePoints(of handle: OpaquePointer) -> heif_color_profile_nclx? {
    var points: UnsafeMutablePointer<heif_color_profile_nclx>?
    guard heif_image_handle_get_nclx_color_profile(handle, &points).code == heif_error_Ok,
      let points
    else { return nil }
    defer { heif_nclx_color_profile_free(points) }
    return points.pointee
  }

  /// sRGB if the file does not state a color space.
  private static func colorSpace(
    of handle: OpaquePointer
  ) throws(ImageFileError) -> ImageColorSpace {
    guard let points = codePoints(of: handle) else { return .sRGB }
    switch points.transfer_characteristics {
    case heif_transfer_characteristic_ITU_R_BT_2100_0_PQ,
      heif_transfer_characteristic_ITU_R_BT_2100_0_HLG:
      throw ImageFileError(
        .unsupported, "a HEIF image of high dynamic range cannot be decoded to 8 bits")
    default: break
    }
    return points.color_primaries == heif_color_primaries_SMPTE_EG_432_1 ? .displayP3 : .sRGB
  }

  /// The first metadata block of a kind.
  static func metadata(_ kind: String, of handle: OpaquePointer) -> [UInt8]? {
    var identifier: heif_item_id = 0
    guard heif_image_handle_get_list_of_metadata_block_IDs(handle, kind, &identifier, 1) == 1 else {
      return nil
    }
    let size = heif_image_handle_get_metadata_size(handle, identifier)
    guard size > 0, size < 1 << 26 else { return nil }
    var block = [UInt8](repeating: 0, count: size)
    let result = heif_image_handle_get_metadata(handle, identifier, &block)
    return result.code == heif_error_Ok ? block : nil
  }

  static func gainMap(
    of handle: OpaquePointer, _ brands: [String]
  ) -> ImageFileSummary.GainMapForm? {
    // The derived image of ISO 21496-1 has its own brand.
    if brands.contains("tmap") { return .iso }
    var identifiers = [heif_item_id](repeating: 0, count: 16)
    let count = heif_image_handle_get_list_of_auxiliary_image_IDs(handle, 0, &identifiers, 16)
    for identifier in identifiers.prefix(Int(max(count, 0))) {
      var auxiliary: OpaquePointer?
      guard
        heif_image_handle_get_auxiliary_image_handle(handle, identifier, &auxiliary).code
          == heif_error_Ok, let auxiliary
      else { continue }
      defer { heif_image_handle_release(auxiliary) }
      var name: UnsafePointer<CChar>?
      guard heif_image_handle_get_auxiliary_type(auxiliary, &name).code == heif_error_Ok else {
        continue
      }
      defer { heif_image_handle_free_auxiliary_types(auxiliary, &name) }
      if name.map({ String(cString: $0) })?.hasSuffix("aux:hdrgainmap") == true { return .apple }
    }
    return nil
  }

  /// The brands of the file's first box.
  static func brands(_ bytes: [UInt8]) -> [String] {
    let size = bytes.prefix(4).reduce(0) { $0 << 8 | Int($1) }
    let content = bytes[8..<max(min(size, bytes.count, 512), 8)]
    return stride(from: content.startIndex, to: content.endIndex - 3, by: 4).map {
      String(decoding: content[$0..<$0 + 4], as: UTF8.self)
    }
  }

  static func kind(_ bytes: [UInt8]) -> ImageFileSummary.Kind {
    let brands = brands(bytes)
    if brands.contains(where: { $0 == "avif" || $0 == "avis" }) { return .avif }
    if brands.contains(where: { $0.hasPrefix("hei") || $0.hasPrefix("hev") }) { return .heic }
    return .heif
  }

  static func check(_ error: heif_error) throws(ImageFileError) {
    guard error.code != heif_error_Ok else { return }
    throw .invalidFile("libheif says: \(words(error))")
  }

  static func words(_ error: heif_error) -> String {
    error.message.map { String(cString: $0) } ?? "error \(error.code.rawValue)"
  }
}
