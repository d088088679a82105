import CHEIF
import DNG
import MediaCore
import RawDevelop

extension ImageJob {
  /// HEVC in a HEIF file, through libheif.
  mutating func writeHEIF() throws(ImageFileError) {
    let image = try HEIFImage(
      rows, bitDepth: bitDepth, fullChroma: settings.samplesChromaFully, codePoints: codePoints)
    noteClipping(rows.clipped.count)
    if settings.dynamicRange == .standard {
      try image.setProfile(ICCProfile.bytes(self.image.colorSpace))
      noteUnknownCodePoints()
    } else {
      image.setLightLevel(settings.dynamicRange)
    }
    try checkCancellation()
    let file = try HEIFFile()
    try file.add(image, settings, orientation: content.metadata.orientation)
    try checkCancellation()
    try file.add(exif: try ImageEXIF.bytes(content), xmp: content.xmp)
    try file.write(to: output)
  }

  var codePoints: CodePoints { CodePoints(image.colorSpace, settings.dynamicRange) }
}

/// Throws libheif's error, if any.
private func check(_ error: heif_error) throws(ImageFileError) {
  guard error.code != heif_error_Ok else { return }
  throw .refused(
    "libheif", error.message.map { String(cString: $0) } ?? "error \(error.code.rawValue)")
}

/// An image owned by libheif.
private final class HEIFImage {
  let image: OpaquePointer
  let fullChroma: Bool
  /// True for images too small for coding units of 32 pixels: x265 refuses units larger than the image.
  let isSmall: Bool

  init(
    _ rows: CodeRows, bitDepth: Int, fullChroma: Bool, codePoints: CodePoints
  ) throws(ImageFileError) {
    let (width, height) = (rows.image.width, rows.image.height)
    var made: OpaquePointer?
    try check(
      heif_image_create(
        Int32(clamping: width), Int32(clamping: height), heif_colorspace_YCbCr,
        fullChroma ? heif_chroma_444 : heif_chroma_420, &made))
    guard let made else { throw .refused("libheif", "no memory") }
    (image, self.fullChroma) = (made, fullChroma)
    isSmall = min(width, height) < 64
    let chroma = ChromaPlanes.chromaSize(width, height, isFull: fullChroma)
    let sizes = [
      (heif_channel_Y, width, height), (heif_channel_Cb, chroma.width, chroma.height),
      (heif_channel_Cr, chroma.width, chroma.height),
    ]
    var planes: [(start: UnsafeMutableRawPointer, stride: Int)] = []
    for (channel, width, height) in sizes {
      try check(
        heif_image_add_plane(image, channel, Int32(width), Int32(height), Int32(bitDepth)))
      var stride: Int32 = 0
      guard let plane = heif_image_get_plane(image, channel, &stride) else {
        throw .refused("libheif", "no memory")
      }
      planes.append((UnsafeMutableRawPointer(plane), Int(stride)))
    }
    let (weights, maximum) = (codePoints.lumaWeights, 1 << bitDepth - 1)
    if bitDepth > 8 {
      ChromaPlanes.fill(
        rows, weights: weights, isFull: fullChroma, maximum: maximum, planes: planes,
        as: UInt16.self)
    } else {
      ChromaPlanes.fill(
        rows, weights: weights, isFull: fullChroma, maximum: maximum, planes: planes, as: UInt8.self
      )
    }
    try setCodePoints(codePoints)
  }

  deinit { heif_image_release(image) }

  private func setCodePoints(_ points: CodePoints) throws(ImageFileError) {
    guard let profile = heif_nclx_color_profile_alloc() else {
      throw .refused("libheif", "no memory")
    }
    defer { heif_nclx_color_profile_free(profile) }
    try check(heif_nclx_color_profile_set_color_primaries(profile, UInt16(points.primaries)))
    try check(
      heif_nclx_color_profile_set_transfer_characteristics(profile, UInt16(points.transfer)))
    try check(heif_nclx_color_profile_set_matrix_coefficients(profile, UInt16(points.matrix)))
    profile.pointee.full_range_flag = 1
    try check(heif_image_set_nclx_color_profile(image, profile))
  }

  func setProfile(_ profile: [UInt8]) throws(ImageFileError) {
    try check(
      profile.withUnsafeBytes {
        heif_image_set_raw_color_profile(image, "prof", $0.baseAddress, $0.count)
      })
  }

  /// The greatest level that the values can represent; a measured level would be lower.
  func setLightLevel(_ range: ImageDynamicRange) {
    var level = heif_content_light_level()
    level.max_content_light_level =
      UInt16(range == .pq ? HighRangeCurve.pqPeak : HighRangeCurve.hlgPeak)
    heif_image_set_content_light_level(image, &level)
  }
}

/// A HEIF file that libheif writes.
private final class HEIFFile {
  private let context: OpaquePointer
  private var handle: OpaquePointer?

  init() throws(ImageFileError) {
    guard let context = heif_context_alloc() else { throw .refused("libheif", "no memory") }
    self.context = context
  }

  deinit {
    heif_image_handle_release(handle)
    heif_context_free(context)
  }

  func add(
    _ image: HEIFImage, _ settings: ImageFileSettings, orientation: PhotoMetadata.Orientation
  ) throws(ImageFileError) {
    var encoder: OpaquePointer?
    let found = heif_context_get_encoder_for_format(context, heif_compression_HEVC, &encoder)
    guard found.code == heif_error_Ok, let encoder else {
      throw ImageFileError(
        .unsupported, "libheif has no encoder for HEVC; install libheif-plugin-x265")
    }
    defer { heif_encoder_release(encoder) }
    try check(heif_encoder_set_lossy_quality(encoder, settings.percentage))
    try check(
      heif_encoder_set_parameter_string(encoder, "chroma", image.fullChroma ? "444" : "420"))
    // A single image has no motion: slower presets save a few percent of size at many times the work.
    try check(
      heif_encoder_set_parameter_string(
        encoder, "preset", settings.effort == .fast ? "ultrafast" : "slow"))
    if settings.effort == .fast, !image.isSmall { Self.spareSearch(encoder) }
    guard let options = heif_encoding_options_alloc() else {
      throw .refused("libheif", "no memory")
    }
    defer { heif_encoding_options_free(options) }
    options.pointee.macOS_compatibility_workaround_no_nclx_profile = 0
    options.pointee.save_two_colr_boxes_when_ICC_and_nclx_available = 1
    options.pointee.image_orientation = heif_orientation(UInt32(orientation.rawValue))
    try check(heif_context_encode_image(context, image.image, encoder, options, &handle))
  }

  /// Skips the search for the best division of coding units, which takes half the time of x265's fastest preset and
  /// saves a few percent of size. Encoders other than x265 do not know these parameters.
  private static func spareSearch(_ encoder: OpaquePointer) {
    for (name, value) in [("min-cu-size", "32"), ("max-tu-size", "16"), ("rd", "1")] {
      _ = heif_encoder_set_parameter_string(encoder, "x265:" + name, value)
    }
  }

  func add(exif: [UInt8], xmp: String?) throws(ImageFileError) {
    try check(
      exif.withUnsafeBytes {
        heif_context_add_exif_metadata(context, handle, $0.baseAddress, Int32(clamping: $0.count))
      })
    guard let xmp else { return }
    try check(
      Array(xmp.utf8).withUnsafeBytes {
        heif_context_add_XMP_metadata(context, handle, $0.baseAddress, Int32(clamping: $0.count))
      })
  }

  /// Receives the file from libheif's writer, and keeps the error if writing fails.
  private final class Sink {
    let output: ImageOutput
    var failure: ImageFileError?
    init(_ output: ImageOutput) { self.output = output }

    /// Writes the file, which libheif passes in one piece.
    func take(_ file: UnsafeRawBufferPointer) {
      var bytes = Array(file)
      HEIFPropertyOrder.correct(&bytes)
      do throws(ImageFileError) { try output.append(bytes) } catch { failure = error }
    }
  }

  func write(to output: ImageOutput) throws(ImageFileError) {
    let sink = Sink(output)
    var writer = heif_writer()
    writer.writer_api_version = 1
    writer.write = { _, data, size, target in
      if let data, let target {
        Unmanaged<Sink>.fromOpaque(target).takeUnretainedValue()
          .take(UnsafeRawBufferPointer(start: data, count: size))
      }
      return heif_error(code: heif_error_Ok, subcode: heif_suberror_Unspecified, message: nil)
    }
    try check(heif_context_write(context, &writer, Unmanaged.passUnretained(sink).toOpaque()))
    if let failure = withExtendedLifetime(sink, { sink.failure }) { throw failure }
  }
}
