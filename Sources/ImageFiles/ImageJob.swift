import DNG
import MediaCore
import RawDevelop

/// An image being written to a file.
///
/// Each format adds a method that writes it.
struct ImageJob {
  let content: ImageContent
  let settings: ImageFileSettings
  let output: ImageOutput
  /// Bits per sample in the file.
  let bitDepth: Int
  /// The image's rows as the file's values.
  let rows: CodeRows
  var notes: [ImageFileNote] = []
  private let isCanceled: @Sendable () -> Bool

  var image: RenderedImage { content.image }
  var width: Int { image.width }
  var height: Int { image.height }

  /// Checks the settings against the format and the image.
  init(
    _ content: ImageContent, _ settings: ImageFileSettings, _ output: ImageOutput,
    _ isCanceled: @escaping @Sendable () -> Bool
  ) throws(ImageFileError) {
    self.settings = settings
    self.output = output
    self.isCanceled = isCanceled
    let (image, format) = (content.image, settings.format)
    guard settings.quality >= 0, settings.quality <= 1 else {
      throw ImageFileError(.invalidArgument, "quality \(settings.quality) is not within 0 to 1")
    }
    guard image.width > 0, image.height > 0, image.isWhole else {
      throw ImageFileError(
        .invalidArgument,
        "\(image.samples.count) samples do not fit an image of "
          + "\(image.width)x\(image.height)")
    }
    if let limit = format.sideLimit, max(image.width, image.height) > limit {
      throw ImageFileError(
        .unsupported,
        "\(format.rawValue) has at most \(limit) pixels in a row or a column, not "
          + "\(image.width)x\(image.height)")
    }
    guard format.dynamicRanges.contains(settings.dynamicRange) else {
      let able = ImageFileFormat.allCases.filter {
        $0.dynamicRanges.contains(settings.dynamicRange)
      }
      throw ImageFileError(
        .unsupported,
        "\(format.rawValue) does not support \(settings.dynamicRange.rawValue); choose "
          + able.map(\.rawValue).joined(separator: ", "))
    }
    bitDepth = try Self.depth(settings, image)
    let isHighRange = settings.dynamicRange != .standard
    if isHighRange, !image.isFloat {
      throw ImageFileError(
        .invalidArgument,
        "\(settings.dynamicRange.rawValue) needs an image with floating-point samples and white at 1"
      )
    }
    let base = image.finite(
      asHalves: bitDepth == 16 && !isHighRange && Self.floatFormats.contains(format))
    let high =
      format == .gainMapJPEG ? content.highRange.map { $0.finite(asHalves: false) } : nil
    self.content = ImageContent(
      base.image, highRange: high?.image, metadata: content.metadata,
      xmp: content.xmp.map(XMPPacket.whole))
    rows = CodeRows(
      base.image,
      range: isHighRange ? HighRangeCurve(settings.dynamicRange, image.colorSpace) : nil)
    noteChanges()
    noteNotFinite(base.notFiniteCount)
    noteNotFinite(high?.notFiniteCount ?? 0, of: " of the HDR image")
    noteClipping(base.beyondHalfCount)
  }

  private static func depth(
    _ settings: ImageFileSettings, _ image: RenderedImage
  ) throws(ImageFileError) -> Int {
    let depths = settings.format.bitDepths
    if let asked = settings.bitDepth {
      guard depths.contains(asked) else {
        throw ImageFileError(
          .unsupported,
          "\(settings.format.rawValue) has no samples of \(asked) bits; choose "
            + depths.map(String.init).joined(separator: ", "))
      }
      guard asked < 32 || image.isFloat else {
        throw ImageFileError(
          .invalidArgument, "32-bit samples are floats; the image's samples are integers")
      }
      guard asked < 32 || settings.dynamicRange == .standard else {
        throw ImageFileError(
          .unsupported, "\(settings.dynamicRange.rawValue) needs integer samples; choose 16 bits")
      }
      return asked
    }
    // PQ and HLG are integer formats.
    let most = settings.dynamicRange == .standard ? image.bitDepth : 16
    return depths.last { $0 <= most } ?? depths[0]
  }

  private static let floatFormats: Set<ImageFileFormat> = [.tiff, .jpegXL, .openEXR]

  /// True if the file's samples are floats.
  var writesFloats: Bool {
    image.isFloat && bitDepth >= 16 && settings.dynamicRange == .standard
      && Self.floatFormats.contains(settings.format)
  }

  private mutating func noteChanges() {
    if settings.dynamicRange == .standard, image.isFloat, !writesFloats {
      note(
        .floatsBecameIntegers,
        "\(settings.format.rawValue) of \(bitDepth) bits holds no floats: they became integers of 0 "
          + "to \(1 << bitDepth - 1)")
    } else if !image.isFloat || writesFloats, bitDepth < image.bitDepth {
      note(
        .fewerBits, "the image's \(image.bitDepth) bits per sample became \(bitDepth)")
    }
    if settings.dynamicRange == .standard, image.colorSpace.curve == .linear, !writesFloats,
      bitDepth <= 12
    {
      note(
        .linearInFewBits,
        "\(bitDepth) bits of linear light show banding in shadows; a curve or floats would avoid it"
      )
    }
  }

  mutating func note(_ kind: ImageFileNote.Kind, _ message: String) {
    notes.append(ImageFileNote(kind, message))
  }

  /// Notes samples that were infinite or NaN, if any.
  private mutating func noteNotFinite(_ count: Int, of image: String = "") {
    guard count > 0 else { return }
    let samples = count == 1 ? "1 sample\(image) is not a" : "\(count) samples\(image) are not"
    note(
      .notFinite,
      "\(samples) finite number\(count == 1 ? "" : "s"): infinity counts as the greatest value, "
        + "anything else as black")
  }

  /// Notes clipped samples, if any.
  mutating func noteClipping(_ count: Int) {
    guard count > 0 else { return }
    let share = Double(count) / Double(3 * width * height) * 100
    let rounded = (share * 100).rounded() / 100
    note(
      .clipped,
      "\(count) samples (\(rounded)%) were outside the file's range"
    )
  }

  /// - Throws: ``ImageFileError/Code/canceled``.
  func checkCancellation() throws(ImageFileError) {
    if isCanceled() { throw .canceled }
  }
}

extension RenderedImage {
  /// True if samples may be below 0 or above 1.
  var isFloat: Bool { samples.format.isFloat }

  /// Bits per sample.
  var bitDepth: Int { samples.format.bitDepth }

  /// True if there is a sample for each component of each pixel.
  var isWhole: Bool {
    let (count, overflows) = width.multipliedReportingOverflow(by: height)
    return !overflows && count < Int.max / 3 && samples.count == 3 * count
  }
}
