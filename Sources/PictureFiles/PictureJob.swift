import DNG
import MediaCore
import RawDevelop

/// A picture being written to a file.
///
/// Each format adds a method that writes it.
struct PictureJob {
  let content: PictureContent
  let settings: PictureFileSettings
  let output: PictureOutput
  /// Bits per sample in the file.
  let bitDepth: Int
  /// The picture's rows as the file's values.
  let rows: CodeRows
  var notes: [PictureFileNote] = []
  private let isCanceled: @Sendable () -> Bool

  var picture: RenderedPicture { content.picture }
  var width: Int { picture.width }
  var height: Int { picture.height }

  /// Checks the settings against the format and the picture.
  init(
    _ content: PictureContent, _ settings: PictureFileSettings, _ output: PictureOutput,
    _ isCanceled: @escaping @Sendable () -> Bool
  ) throws(PictureFileError) {
    self.settings = settings
    self.output = output
    self.isCanceled = isCanceled
    let (picture, format) = (content.picture, settings.format)
    guard settings.quality >= 0, settings.quality <= 1 else {
      throw PictureFileError(.invalidArgument, "quality \(settings.quality) is not within 0 to 1")
    }
    guard picture.width > 0, picture.height > 0, picture.isWhole else {
      throw PictureFileError(
        .invalidArgument,
        "\(picture.samples.count) samples do not fit a picture of "
          + "\(picture.width)x\(picture.height)")
    }
    if let limit = format.sideLimit, max(picture.width, picture.height) > limit {
      throw PictureFileError(
        .unsupported,
        "\(format.rawValue) has at most \(limit) pixels in a row or a column, not "
          + "\(picture.width)x\(picture.height)")
    }
    guard format.dynamicRanges.contains(settings.dynamicRange) else {
      let able = PictureFileFormat.allCases.filter {
        $0.dynamicRanges.contains(settings.dynamicRange)
      }
      throw PictureFileError(
        .unsupported,
        "\(format.rawValue) does not support \(settings.dynamicRange.rawValue); choose "
          + able.map(\.rawValue).joined(separator: ", "))
    }
    bitDepth = try Self.depth(settings, picture)
    let isHighRange = settings.dynamicRange != .standard
    if isHighRange, !picture.isFloat {
      throw PictureFileError(
        .invalidArgument,
        "\(settings.dynamicRange.rawValue) needs a picture in floats, with white at 1")
    }
    let base = picture.finite(
      asHalves: bitDepth == 16 && !isHighRange && Self.floatFormats.contains(format))
    let high =
      format == .gainMapJPEG ? content.highRange.map { $0.finite(asHalves: false) } : nil
    self.content = PictureContent(
      base.picture, highRange: high?.picture, metadata: content.metadata,
      xmp: content.xmp.map(XMPPacket.whole))
    rows = CodeRows(
      base.picture,
      range: isHighRange ? HighRangeCurve(settings.dynamicRange, picture.colorSpace) : nil)
    noteChanges()
    noteNotFinite(base.notFiniteCount)
    noteNotFinite(high?.notFiniteCount ?? 0, of: " of the HDR picture")
    noteClipping(base.beyondHalfCount)
  }

  private static func depth(
    _ settings: PictureFileSettings, _ picture: RenderedPicture
  ) throws(PictureFileError) -> Int {
    let depths = settings.format.bitDepths
    if let asked = settings.bitDepth {
      guard depths.contains(asked) else {
        throw PictureFileError(
          .unsupported,
          "\(settings.format.rawValue) has no samples of \(asked) bits; choose "
            + depths.map(String.init).joined(separator: ", "))
      }
      guard asked < 32 || picture.isFloat else {
        throw PictureFileError(
          .invalidArgument, "32 bits are floats; the picture's samples are integers")
      }
      guard asked < 32 || settings.dynamicRange == .standard else {
        throw PictureFileError(
          .unsupported, "\(settings.dynamicRange.rawValue) is for integers; choose 16 bits")
      }
      return asked
    }
    // PQ and HLG are integer formats.
    let most = settings.dynamicRange == .standard ? picture.bitDepth : 16
    return depths.last { $0 <= most } ?? depths[0]
  }

  private static let floatFormats: Set<PictureFileFormat> = [.tiff, .jpegXL, .openEXR]

  /// True if the file's samples are floats.
  var writesFloats: Bool {
    picture.isFloat && bitDepth >= 16 && settings.dynamicRange == .standard
      && Self.floatFormats.contains(settings.format)
  }

  private mutating func noteChanges() {
    if settings.dynamicRange == .standard, picture.isFloat, !writesFloats {
      note(
        .floatsBecameIntegers,
        "\(settings.format.rawValue) of \(bitDepth) bits holds no floats: they became integers of 0 "
          + "to \(1 << bitDepth - 1)")
    } else if !picture.isFloat || writesFloats, bitDepth < picture.bitDepth {
      note(
        .fewerBits, "the picture's \(picture.bitDepth) bits per sample became \(bitDepth)")
    }
    if settings.dynamicRange == .standard, picture.colorSpace.curve == .linear, !writesFloats,
      bitDepth <= 12
    {
      note(
        .linearInFewBits,
        "\(bitDepth) bits of linear light show banding in shadows; a curve or floats would avoid it"
      )
    }
  }

  mutating func note(_ kind: PictureFileNote.Kind, _ message: String) {
    notes.append(PictureFileNote(kind, message))
  }

  /// Notes samples that were infinite or NaN, if any.
  private mutating func noteNotFinite(_ count: Int, of picture: String = "") {
    guard count > 0 else { return }
    let samples = count == 1 ? "1 sample\(picture) is not a" : "\(count) samples\(picture) are not"
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

  /// - Throws: ``PictureFileError/Code/canceled``.
  func checkCancellation() throws(PictureFileError) {
    if isCanceled() { throw .canceled }
  }
}

extension RenderedPicture {
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
