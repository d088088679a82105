import AssetWriter
import MediaCore

/// Encoder settings for H.264 or HEVC in dictionaries with Apple's keys.
extension VideoCompression {
  /// Reads the dictionary under `AVVideoCompressionPropertiesKey`.
  init(_ reader: inout SettingsReader, for codec: VideoCodecType) throws(AVError) {
    self.init()
    averageBitRate = try reader.integer(AVVideoAverageBitRateKey)
    quality = try reader.number(AVVideoQualityKey)
    // In Apple's dictionaries, 0 leaves the interval to the encoder.
    maximumKeyFrameInterval = try reader.integer(AVVideoMaxKeyFrameIntervalKey)
      .flatMap { $0 == 0 ? nil : $0 }
    maximumKeyFrameIntervalDuration = try reader.number(AVVideoMaxKeyFrameIntervalDurationKey)
      .flatMap { $0 == 0 ? nil : $0 }
    allowsFrameReordering = try reader.flag(AVVideoAllowFrameReorderingKey) ?? true
    try readProfile(&reader, for: codec)
    if codec == .h264 {
      entropyCoding = try Self.entropyCoding(&reader)
    } else {
      try reader.refuse(AVVideoH264EntropyModeKey, "only H.264 has it")
    }
    try reader.refuse(
      AVVideoAverageNonDroppableFrameRateKey, "droppable frames are not supported")
    expectedFrameRate = try reader.frameRate(AVVideoExpectedSourceFrameRateKey)
    reader.ignore([
      kVTCompressionPropertyKey_RealTime, kVTCompressionPropertyKey_HDRMetadataInsertionMode,
    ])
    try reader.finish()
  }

  private static func entropyCoding(
    _ reader: inout SettingsReader
  ) throws(AVError) -> EntropyCoding? {
    switch try reader.text(AVVideoH264EntropyModeKey) {
    case nil: return nil
    case AVVideoH264EntropyModeCABAC?: return .cabac
    case AVVideoH264EntropyModeCAVLC?: return .cavlc
    case let name?:
      throw reader.wrong(
        AVVideoH264EntropyModeKey,
        "'\(name)' is unknown; use \(AVVideoH264EntropyModeCABAC) or "
          + AVVideoH264EntropyModeCAVLC)
    }
  }

  /// Profiles by the second part of Apple's names.
  private static let profiles: [VideoCodecType: [String: Profile]] = [
    .h264: ["Baseline": .baseline, "ConstrainedBaseline": .baseline, "Main": .main, "High": .high],
    .hevc: ["Main": .main, "Main10": .main10],
  ]

  /// Reads a name such as `H264_High_4_1` or `HEVC_Main10_AutoLevel`.
  private mutating func readProfile(
    _ reader: inout SettingsReader, for codec: VideoCodecType
  ) throws(AVError) {
    guard let name = try reader.text(AVVideoProfileLevelKey) else { return }
    let parts = name.split(separator: "_").map(String.init)
    let family = codec == .h264 ? "H264" : "HEVC"
    guard parts.count >= 3, parts[0] == family, let known = Self.profiles[codec]?[parts[1]] else {
      throw reader.wrong(
        AVVideoProfileLevelKey, "'\(name)' is not a supported profile of \(codec)")
    }
    profile = known
    if parts[2] != "AutoLevel" { level = parts[2...].joined(separator: ".") }
  }

  /// Apple's name of the profile and level; nil without a profile.
  private func profileName(for codec: VideoCodecType) -> String? {
    guard let profile, let name = Self.profiles[codec]?.first(where: { $0.value == profile })?.key
    else { return nil }
    let level = level.map { $0.replacingOccurrences(of: ".", with: "_") } ?? "AutoLevel"
    let usual = name == "ConstrainedBaseline" ? "Baseline" : name
    return "\(codec == .h264 ? "H264" : "HEVC")_\(usual)_\(level)"
  }

  /// The settings as a dictionary with Apple's keys.
  func dictionary(for codec: VideoCodecType) -> [String: Any] {
    var properties: [String: Any] = [:]
    properties[AVVideoAverageBitRateKey] = averageBitRate
    properties[AVVideoQualityKey] = quality
    properties[AVVideoMaxKeyFrameIntervalKey] = maximumKeyFrameInterval
    properties[AVVideoMaxKeyFrameIntervalDurationKey] = maximumKeyFrameIntervalDuration
    if !allowsFrameReordering { properties[AVVideoAllowFrameReorderingKey] = false }
    properties[AVVideoProfileLevelKey] = profileName(for: codec)
    switch entropyCoding {
    case .cabac: properties[AVVideoH264EntropyModeKey] = AVVideoH264EntropyModeCABAC
    case .cavlc: properties[AVVideoH264EntropyModeKey] = AVVideoH264EntropyModeCAVLC
    case nil: break
    }
    properties[AVVideoExpectedSourceFrameRateKey] = expectedFrameRate?.framesPerSecond
    return properties
  }
}
