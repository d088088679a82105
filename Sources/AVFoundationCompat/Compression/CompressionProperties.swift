import AssetWriter
import MediaCore

/// The properties of a compression session, by Video Toolbox's keys.
///
/// Unchecked because `Any` is never `Sendable`: `set(_:for:)` accepts only values that `settings(for:)` can read
/// (numbers, strings and dictionaries), and nothing mutates them.
struct CompressionProperties: @unchecked Sendable {
  /// A property that sessions for a codec support.
  struct Property {
    var key: String
    var type: String?
    var isReadOnly = false
    /// The allowed strings.
    var names: [String] = []
  }

  let codec: VideoCodecType
  let dimensions: VideoDimensions
  private var values: [String: Any] = [:]
  /// True for real-time encoding.
  private(set) var isRealTime = false

  init(_ codec: VideoCodecType, _ dimensions: VideoDimensions) {
    (self.codec, self.dimensions) = (codec, dimensions)
  }

  /// The properties that sessions for a codec support.
  static func all(of codec: VideoCodecType) -> [Property] {
    let (flag, number) = (kVTPropertyType_Boolean, kVTPropertyType_Number)
    let choice = kVTPropertyType_Enumeration
    var all = [
      Property(key: kVTCompressionPropertyKey_RealTime, type: flag),
      Property(key: kVTCompressionPropertyKey_AllowFrameReordering, type: flag),
      Property(key: kVTCompressionPropertyKey_AllowTemporalCompression, type: flag),
      Property(key: kVTCompressionPropertyKey_ExpectedFrameRate, type: number),
      Property(
        key: kVTCompressionPropertyKey_ColorPrimaries, type: choice,
        names: ColorNames.primaries.keys.sorted()),
      Property(
        key: kVTCompressionPropertyKey_TransferFunction, type: choice,
        names: ColorNames.transferFunctions.keys.sorted()),
      Property(
        key: kVTCompressionPropertyKey_YCbCrMatrix, type: choice,
        names: ColorNames.matrices.keys.sorted()),
      Property(key: kVTCompressionPropertyKey_PixelAspectRatio),
      Property(
        key: kVTCompressionPropertyKey_NumberOfPendingFrames, type: number, isReadOnly: true),
      Property(
        key: kVTCompressionPropertyKey_UsingHardwareAcceleratedVideoEncoder, type: flag,
        isReadOnly: true),
      Property(key: kVTCompressionPropertyKey_EncoderID, isReadOnly: true),
    ]
    guard codec.isInterframe else { return all }
    all += [
      kVTCompressionPropertyKey_AverageBitRate, kVTCompressionPropertyKey_Quality,
      kVTCompressionPropertyKey_MaxKeyFrameInterval,
      kVTCompressionPropertyKey_MaxKeyFrameIntervalDuration,
    ].map { Property(key: $0, type: number) }
    all.append(Property(key: kVTCompressionPropertyKey_ProfileLevel))
    all.append(Property(key: kVTCompressionPropertyKey_HDRMetadataInsertionMode))
    if codec == .h264 {
      all.append(
        Property(
          key: kVTCompressionPropertyKey_H264EntropyMode, type: choice,
          names: [AVVideoH264EntropyModeCABAC, AVVideoH264EntropyModeCAVLC]))
    }
    return all
  }

  /// The value set for a key; nil if none is.
  subscript(key: String) -> Any? { values[key] }

  /// Why a property could not be set.
  struct Refusal: Error {
    var status: OSStatus
    var error: AVError

    init(_ status: OSStatus, _ message: String) {
      (self.status, error) = (status, AVError(.unsupportedOutputSettings, message))
    }
  }

  /// Sets a property; nil resets it.
  mutating func set(_ value: Any?, for key: String) throws(Refusal) {
    guard let property = Self.all(of: codec).first(where: { $0.key == key }) else {
      throw Refusal(
        kVTPropertyNotSupportedErr, "compression of \(codec) has no property '\(key)'")
    }
    guard !property.isReadOnly else {
      throw Refusal(kVTPropertyReadOnlyErr, "'\(key)' is read-only")
    }
    var changed = self
    changed.values[key] = value
    do throws(AVError) { _ = try changed.settings() } catch {
      throw Refusal(kVTParameterErr, error.message)
    }
    self = changed
  }

  /// The encoder settings for frames with a color description.
  ///
  /// - Throws: ``AVError/Code/unsupportedOutputSettings`` for values that no encoder supports.
  mutating func settings(
    for color: ColorDescription? = nil
  ) throws(AVError) -> VideoOutputSettings {
    var settings = VideoOutputSettings(
      codec: codec, width: dimensions.width, height: dimensions.height)
    var values = values
    if codec.isInterframe {
      // Programs that send or write samples rarely handle a separate decode order.
      values[kVTCompressionPropertyKey_AllowFrameReordering] =
        values[kVTCompressionPropertyKey_AllowFrameReordering] ?? false
    }
    var reader = SettingsReader(values, "compression properties")
    isRealTime = try reader.flag(kVTCompressionPropertyKey_RealTime) ?? false
    let isTemporal = try reader.flag(kVTCompressionPropertyKey_AllowTemporalCompression) ?? true
    settings.color = try Self.color(&reader, over: color)
    if let shape = try reader.settings(kVTCompressionPropertyKey_PixelAspectRatio) {
      settings.pixelAspectRatio = try Self.pixelAspectRatio(shape)
    }
    if codec.isInterframe {
      settings.compression = try VideoCompression(&reader, for: codec)
      if !isTemporal { settings.compression.maximumKeyFrameInterval = 1 }
    } else {
      // ProRes frames are never reordered, so either value is accepted.
      _ = try reader.flag(kVTCompressionPropertyKey_AllowFrameReordering)
      _ = try reader.frameRate(kVTCompressionPropertyKey_ExpectedFrameRate)
      try reader.finish()
    }
    do throws(AssetWriterError) { try settings.validate() } catch { throw AVError(error) }
    return settings
  }

  private static func color(
    _ reader: inout SettingsReader, over source: ColorDescription?
  ) throws(AVError) -> ColorDescription? {
    func value<Value>(_ key: String, of names: [String: Value]) throws(AVError) -> Value? {
      guard let name = try reader.text(key) else { return nil }
      if let value = names[name] { return value }
      throw reader.wrong(
        key, "'\(name)' is unknown; use one of \(names.keys.sorted().joined(separator: ", "))")
    }
    let primaries = try value(
      kVTCompressionPropertyKey_ColorPrimaries, of: ColorNames.primaries)
    let transfer = try value(
      kVTCompressionPropertyKey_TransferFunction, of: ColorNames.transferFunctions)
    let matrix = try value(kVTCompressionPropertyKey_YCbCrMatrix, of: ColorNames.matrices)
    guard primaries != nil || transfer != nil || matrix != nil else { return nil }
    let source = source ?? .unspecified
    return ColorDescription(
      primaries: primaries ?? source.primaries,
      transferFunction: transfer ?? source.transferFunction, matrix: matrix ?? source.matrix,
      range: source.range)
  }

  private static func pixelAspectRatio(
    _ shape: SettingsReader
  ) throws(AVError) -> PixelAspectRatio {
    var shape = shape
    func spacing(_ key: String) throws(AVError) -> Int32 {
      guard let number = try shape.integer(key) else { throw shape.missing(key) }
      guard let spacing = Int32(exactly: number), spacing > 0 else {
        throw shape.wrong(key, "\(number) is not a valid width or height of a pixel")
      }
      return spacing
    }
    let horizontal = try spacing(kCVImageBufferPixelAspectRatioHorizontalSpacingKey)
    let vertical = try spacing(kCVImageBufferPixelAspectRatioVerticalSpacingKey)
    try shape.finish()
    return PixelAspectRatio(horizontal, vertical)
  }
}
