public import AssetWriter
public import MediaCore
import QuickTime

extension VideoOutputSettings {
  /// Settings from a dictionary with Apple's keys.
  ///
  /// - Parameters:
  ///   - dictionary: `AVVideoCodecKey` and further keys; see the porting guide.
  ///   - source: The source format, for values that the dictionary omits; nil if it must have width and height.
  ///   - frameRate: The frame rate if the dictionary has none.
  /// - Throws: ``AVError/Code/unsupportedOutputSettings``, with the key and what is wrong with it.
  public init(
    dictionary: [String: Any], source: VideoFormatDescription? = nil, frameRate: FrameRate? = nil
  ) throws(AVError) {
    var reader = SettingsReader(dictionary, "video settings")
    guard let code = try reader.text(AVVideoCodecKey) else { throw reader.missing(AVVideoCodecKey) }
    let codec = VideoCodecType(rawValue: code)
    guard codec.isProRes || codec.isInterframe else {
      let names = (VideoCodecType.allProRes + VideoCodecType.allInterframe).map(\.rawValue)
        .joined(separator: ", ")
      throw reader.wrong(
        AVVideoCodecKey, "'\(code)' is not supported; use one of \(names)")
    }
    let width = try reader.integer(AVVideoWidthKey) ?? source?.dimensions.width
    let height = try reader.integer(AVVideoHeightKey) ?? source?.dimensions.height
    guard let width else { throw reader.missing(AVVideoWidthKey) }
    guard let height else { throw reader.missing(AVVideoHeightKey) }
    let rate = codec.isProRes ? try Self.frameRate(&reader) : nil
    self.init(codec: codec, width: width, height: height, frameRate: rate ?? frameRate)
    if codec.isInterframe {
      if var properties = try reader.settings(AVVideoCompressionPropertiesKey) {
        compression = try VideoCompression(&properties, for: codec)
      }
      try Self.checkScaling(&reader)
    }
    color = try Self.color(&reader, range: source?.color.range ?? .video) ?? source?.color
    pixelAspectRatio = try Self.pixelAspectRatio(&reader) ?? source?.pixelAspectRatio
    cleanAperture = try Self.cleanAperture(&reader)
    fieldOrder = source?.fieldOrder
    if codec.isProRes { try reader.refuse(AVVideoScalingModeKey, "video is not scaled") }
    try reader.refuse(AVVideoEncoderSpecificationKey, "typed settings choose an encoder")
    try reader.expect(AVVideoAllowWideColorKey, true, "color is never changed")
    try reader.finish()
  }

  private static func frameRate(_ reader: inout SettingsReader) throws(AVError) -> FrameRate? {
    guard var compression = try reader.settings(AVVideoCompressionPropertiesKey) else { return nil }
    for key in [
      AVVideoAverageBitRateKey, AVVideoQualityKey, AVVideoMaxKeyFrameIntervalKey,
      AVVideoMaxKeyFrameIntervalDurationKey, AVVideoProfileLevelKey, AVVideoH264EntropyModeKey,
      AVVideoAverageNonDroppableFrameRateKey,
    ] {
      try compression.refuse(key, "it is determined by the ProRes profile")
    }
    try compression.expect(
      AVVideoAllowFrameReorderingKey, false, "ProRes frames are never reordered")
    let rate = try compression.frameRate(AVVideoExpectedSourceFrameRateKey)
    compression.ignore([kVTCompressionPropertyKey_RealTime])
    try compression.finish()
    return rate
  }

  /// Accepts a scaling mode, which is never used: frames of another size are rejected.
  private static func checkScaling(_ reader: inout SettingsReader) throws(AVError) {
    let known = [
      AVVideoScalingModeFit, AVVideoScalingModeResize, AVVideoScalingModeResizeAspect,
      AVVideoScalingModeResizeAspectFill,
    ]
    guard let mode = try reader.text(AVVideoScalingModeKey), !known.contains(mode) else { return }
    throw reader.wrong(
      AVVideoScalingModeKey, "'\(mode)' is unknown; use one of \(known.joined(separator: ", "))")
  }

  private static func color(
    _ reader: inout SettingsReader, range: ColorDescription.Range
  ) throws(AVError) -> ColorDescription? {
    guard var color = try reader.settings(AVVideoColorPropertiesKey) else { return nil }
    func value<Value>(
      _ key: String, of names: [String: Value]
    ) throws(AVError) -> Value {
      guard let name = try color.text(key) else { throw color.missing(key) }
      if let value = names[name] { return value }
      throw color.wrong(
        key, "'\(name)' is unknown; use one of \(names.keys.sorted().joined(separator: ", "))")
    }
    let description = ColorDescription(
      primaries: try value(AVVideoColorPrimariesKey, of: ColorNames.primaries),
      transferFunction: try value(AVVideoTransferFunctionKey, of: ColorNames.transferFunctions),
      matrix: try value(AVVideoYCbCrMatrixKey, of: ColorNames.matrices), range: range)
    try color.finish()
    return description
  }

  private static func pixelAspectRatio(
    _ reader: inout SettingsReader
  ) throws(AVError) -> PixelAspectRatio? {
    guard var ratio = try reader.settings(AVVideoPixelAspectRatioKey) else { return nil }
    func spacing(_ key: String) throws(AVError) -> Int32 {
      guard let number = try ratio.integer(key) else { throw ratio.missing(key) }
      guard number > 0, let spacing = Int32(exactly: number) else {
        throw ratio.wrong(key, "\(number) must be 1 or more")
      }
      return spacing
    }
    let value = PixelAspectRatio(
      try spacing(AVVideoPixelAspectRatioHorizontalSpacingKey),
      try spacing(AVVideoPixelAspectRatioVerticalSpacingKey))
    try ratio.finish()
    return value
  }

  private static func cleanAperture(
    _ reader: inout SettingsReader
  ) throws(AVError) -> CleanAperture? {
    guard var aperture = try reader.settings(AVVideoCleanApertureKey) else { return nil }
    func number(_ key: String, least: Int) throws(AVError) -> CleanAperture.Rational? {
      guard let number = try aperture.integer(key) else { return nil }
      guard number >= least, let value = Int32(exactly: number) else {
        throw aperture.wrong(key, "\(number) is out of range")
      }
      return CleanAperture.Rational(value)
    }
    guard let width = try number(AVVideoCleanApertureWidthKey, least: 1) else {
      throw aperture.missing(AVVideoCleanApertureWidthKey)
    }
    guard let height = try number(AVVideoCleanApertureHeightKey, least: 1) else {
      throw aperture.missing(AVVideoCleanApertureHeightKey)
    }
    let value = CleanAperture(
      width: width, height: height,
      horizontalOffset: try number(AVVideoCleanApertureHorizontalOffsetKey, least: -16_384)
        ?? CleanAperture.Rational(0),
      verticalOffset: try number(AVVideoCleanApertureVerticalOffsetKey, least: -16_384)
        ?? CleanAperture.Rational(0))
    try aperture.finish()
    return value
  }

  /// The settings as a dictionary with Apple's keys. It includes color only if Apple has names for it.
  public var dictionary: [String: Any] {
    var settings: [String: Any] = [
      AVVideoCodecKey: codec.rawValue, AVVideoWidthKey: width, AVVideoHeightKey: height,
    ]
    if codec.isInterframe {
      var described = compression
      described.expectedFrameRate = described.expectedFrameRate ?? frameRate
      let properties = described.dictionary(for: codec)
      if !properties.isEmpty { settings[AVVideoCompressionPropertiesKey] = properties }
    } else if let frameRate {
      settings[AVVideoCompressionPropertiesKey] = [
        AVVideoExpectedSourceFrameRateKey: frameRate.framesPerSecond
      ]
    }
    if let color, let properties = ColorNames.properties(of: color) {
      settings[AVVideoColorPropertiesKey] = properties
    }
    if let pixelAspectRatio {
      settings[AVVideoPixelAspectRatioKey] = [
        AVVideoPixelAspectRatioHorizontalSpacingKey: Int(pixelAspectRatio.horizontal),
        AVVideoPixelAspectRatioVerticalSpacingKey: Int(pixelAspectRatio.vertical),
      ]
    }
    return settings
  }
}

/// Apple's color names.
enum ColorNames {
  static let primaries: [String: ColorDescription.Primaries] = [
    AVVideoColorPrimaries_ITU_R_709_2: .bt709, AVVideoColorPrimaries_SMPTE_C: .smpte170M,
    AVVideoColorPrimaries_EBU_3213: .bt470bg, AVVideoColorPrimaries_P3_D65: .displayP3,
    AVVideoColorPrimaries_ITU_R_2020: .bt2020,
  ]
  static let transferFunctions: [String: ColorDescription.TransferFunction] = [
    AVVideoTransferFunction_ITU_R_709_2: .bt709,
    AVVideoTransferFunction_SMPTE_240M_1995: .smpte240M,
    AVVideoTransferFunction_SMPTE_ST_2084_PQ: .pq, AVVideoTransferFunction_ITU_R_2100_HLG: .hlg,
    AVVideoTransferFunction_Linear: .linear,
  ]
  static let matrices: [String: ColorDescription.Matrix] = [
    AVVideoYCbCrMatrix_ITU_R_709_2: .bt709, AVVideoYCbCrMatrix_ITU_R_601_4: .smpte170M,
    AVVideoYCbCrMatrix_SMPTE_240M_1995: .smpte240M, AVVideoYCbCrMatrix_ITU_R_2020: .bt2020,
  ]

  static func properties(of color: ColorDescription) -> [String: Any]? {
    guard let primaries = primaries.first(where: { $0.value == color.primaries })?.key,
      let transfer = transferFunctions.first(where: { $0.value == color.transferFunction })?.key,
      let matrix = matrices.first(where: { $0.value == color.matrix })?.key
    else { return nil }
    return [
      AVVideoColorPrimariesKey: primaries, AVVideoTransferFunctionKey: transfer,
      AVVideoYCbCrMatrixKey: matrix,
    ]
  }
}
