import CHEIF
import MediaCore
import RawDevelop

extension HEIFReader {
  /// Facts about the images in a file, and the index of the primary one.
  ///
  /// - Throws: ``ImageFileError/Code/invalidFile`` with libheif's message.
  static func facts(
    _ bytes: [UInt8]
  ) throws(ImageFileError) -> (images: [ImageFacts], primary: Int) {
    try withImages(bytes) { images, primary throws(ImageFileError) in
      var all: [ImageFacts] = []
      for image in images { all.append(facts(image.handle, bytes, item: image.item)) }
      return (all, primary)
    }
  }

  /// Decodes an image as it is stored, not turned.
  ///
  /// - Throws: ``ImageFileError/Code/invalidFile`` with libheif's message; ``ImageFileError/Code/unsupported``
  ///   if libheif has no decoder for it.
  static func decoded(_ bytes: [UInt8], at index: Int) throws(ImageFileError) -> DecodedImage {
    try withImages(bytes) { images, _ throws(ImageFileError) in
      let (handle, item) = images[index]
      return try decoded(
        handle, facts(handle, bytes, item: item),
        HEIFTransforms.storage(bytes, item: Int(item)))
    }
  }

  /// An image's first thumbnail, not turned; nil if it has none.
  ///
  /// - Throws: As ``decoded(_:at:)``.
  static func thumbnail(
    _ bytes: [UInt8], at index: Int
  ) throws(ImageFileError) -> DecodedImage? {
    try withImages(bytes) { images, _ throws(ImageFileError) in
      let image = images[index].handle
      var identifier: heif_item_id = 0
      guard heif_image_handle_get_list_of_thumbnail_IDs(image, &identifier, 1) == 1 else {
        return nil
      }
      var handle: OpaquePointer?
      try check(heif_image_handle_get_thumbnail(image, identifier, &handle))
      guard let handle else { return nil }
      defer { heif_image_handle_release(handle) }
      let facts = facts(handle, bytes, item: identifier)
      return try decoded(
        handle, facts, HEIFTransforms.storage(bytes, item: Int(identifier)))
    }
  }

  /// Calls `work` with the images of a file and the index of the primary one.
  private static func withImages<Result>(
    _ bytes: [UInt8],
    _ work: ([(handle: OpaquePointer, item: heif_item_id)], Int) throws(ImageFileError) -> Result
  ) throws(ImageFileError) -> Result {
    guard let context = heif_context_alloc() else { throw .refused("libheif", "no memory") }
    defer { heif_context_free(context) }
    try check(
      bytes.withUnsafeBytes {
        heif_context_read_from_memory(context, $0.baseAddress, $0.count, nil)
      })
    let count = heif_context_get_number_of_top_level_images(context)
    var identifiers = [heif_item_id](repeating: 0, count: Int(max(count, 0)))
    _ = heif_context_get_list_of_top_level_image_IDs(context, &identifiers, count)
    var primary: heif_item_id = 0
    try check(heif_context_get_primary_image_ID(context, &primary))
    var images: [(handle: OpaquePointer, item: heif_item_id)] = []
    defer { for image in images { heif_image_handle_release(image.handle) } }
    for identifier in identifiers {
      var handle: OpaquePointer?
      try check(heif_context_get_image_handle(context, identifier, &handle))
      if let handle { images.append((handle, identifier)) }
    }
    guard let place = identifiers.firstIndex(of: primary), images.count == identifiers.count
    else {
      throw .invalidFile("it has no primary image")
    }
    return try work(images, place)
  }

  private static func facts(
    _ image: OpaquePointer, _ bytes: [UInt8], item: heif_item_id
  ) -> ImageFacts {
    var facts = ImageFacts(
      width: Int(heif_image_handle_get_width(image)),
      height: Int(heif_image_handle_get_height(image)),
      bitDepth: max(Int(heif_image_handle_get_luma_bits_per_pixel(image)), 8))
    facts.hasAlpha = heif_image_handle_has_alpha_channel(image) != 0
    facts.colorModel =
      heif_image_handle_get_chroma_bits_per_pixel(image) > 0 ? .rgb : .gray
    if let exif = metadata("Exif", of: image), exif.count > 4 {
      // The first four bytes are the offset of the TIFF header.
      let skip = exif.prefix(4).reduce(0) { $0 << 8 | Int($1) }
      facts.take(exif: Array(exif.dropFirst(4).dropFirst(skip)))
    }
    if let storage = HEIFTransforms.storage(bytes, item: Int(item)) {
      (facts.width, facts.height) = (storage.width, storage.height)
      // The file's transforms take precedence over EXIF.
      if let turn = storage.orientation { facts.orientation = turn }
    }
    facts.xmp = metadata("mime", of: image)
    if let form = gainMap(of: image, brands(bytes)) {
      facts.notes.append("the gain map (\(form.rawValue)) is not read")
    }
    let size = heif_image_handle_get_raw_color_profile_size(image)
    if size > 0, size < 1 << 24 {
      var profile = [UInt8](repeating: 0, count: size)
      if heif_image_handle_get_raw_color_profile(image, &profile).code == heif_error_Ok {
        facts.profile = profile
      }
    }
    facts.codePoints = codePoints(of: image).map {
      [
        Int($0.color_primaries.rawValue), Int($0.transfer_characteristics.rawValue),
        Int($0.matrix_coefficients.rawValue),
      ]
    }
    return facts
  }

  private static func decoded(
    _ image: OpaquePointer, _ facts: ImageFacts, _ storage: HEIFTransforms.Storage?
  ) throws(ImageFileError) -> DecodedImage {
    let isDeep = facts.bitDepth > 8
    let chroma =
      isDeep
      ? facts.hasAlpha ? heif_chroma_interleaved_RRGGBBAA_LE : heif_chroma_interleaved_RRGGBB_LE
      : facts.hasAlpha ? heif_chroma_interleaved_RGBA : heif_chroma_interleaved_RGB
    let channels = facts.hasAlpha ? 4 : 3
    let samples = try decode(image, as: chroma) { plane throws(ImageFileError) in
      let first = try plane.start(
        of: storage, facts.width, facts.height, bytesPerPixel: channels * (isDeep ? 2 : 1))
      let length = facts.width * channels
      return isDeep
        ? deepSamples(
          UnsafeRawPointer(first), stride: plane.stride, length: length, facts.height,
          depth: plane.bitDepth)
        : shallowSamples(first, stride: plane.stride, length: length, facts.height)
    }
    var made = ImageSamples(
      width: facts.width, height: facts.height, channels: channels, samples: samples)
    made.isPremultiplied =
      facts.hasAlpha && heif_image_handle_is_premultiplied_alpha(image) != 0
    return ImageFileColor(profile: facts.profile, codePoints: facts.codePoints).decoded(made)
  }

  /// Scales samples of more than 8 bits to 16.
  private static func deepSamples(
    _ rows: UnsafeRawPointer, stride: Int, length: Int, _ height: Int, depth: Int32
  ) -> RenderedImage.Samples {
    let most = Int(1 << depth) - 1
    return .uint16(
      [UInt16](unsafeUninitializedCapacity: length * height) { target, count in
        for index in 0..<length * height {
          let place = index / length * stride + index % length * 2
          let code = Int(
            UInt16(littleEndian: rows.loadUnaligned(fromByteOffset: place, as: UInt16.self)))
          target.initializeElement(
            at: index, to: UInt16(min((code * 65_535 + most / 2) / most, 65_535)))
        }
        count = length * height
      })
  }

  private static func shallowSamples(
    _ rows: UnsafePointer<UInt8>, stride: Int, length: Int, _ height: Int
  ) -> RenderedImage.Samples {
    .uint8(
      [UInt8](unsafeUninitializedCapacity: length * height) { target, count in
        for y in 0..<height {
          let row = UnsafeBufferPointer(start: rows + y * stride, count: length)
          _ = target[(y * length)...].initialize(fromContentsOf: row)
        }
        count = length * height
      })
  }

  /// - Throws: ``ImageFileError/Code/unsupported`` if a decoder is missing; the error code depends on libheif's
  ///   version.
  static func checkDecoder(_ result: heif_error) throws(ImageFileError) {
    guard [heif_error_Unsupported_feature, heif_error_Plugin_loading_error].contains(result.code)
    else { return }
    throw ImageFileError(
      .unsupported,
      "libheif does not decode this image: \(words(result)); for HEIC, install "
        + "libheif-plugin-libde265")
  }
}
