import MediaCore
import QuickTime

extension VideoOutputSettings {
  /// Refuses what no encoder of an interframe codec can be told.
  ///
  /// - Throws: ``AssetWriterError/Code/invalidSettings``,
  ///   ``AssetWriterError/Code/encoderUnavailable``.
  func validateInterframe() throws(AssetWriterError) {
    if carriedConfiguration == nil { _ = try LibavCompressor.encoder(for: codec) }
    guard width % 2 == 0, height % 2 == 0 else {
      throw invalid("\(codec) of 4:2:0 needs an even width and height, not \(dimensions)")
    }
    guard encoder == .automatic else {
      throw invalid("the encoder \(encoder) makes ProRes, not \(codec); leave the choice automatic")
    }
    guard restartInterval == nil else {
      throw invalid("only ProRes has a restart interval; set the key frame interval")
    }
    guard cleanAperture == nil || cleanAperture == CleanAperture(dimensions) else {
      throw invalid("a clean aperture is not written into a track of \(codec); leave it out")
    }
    guard masteringDisplay == nil, contentLightLevel == nil else {
      throw invalid(
        "mastering display and light level are not written into a track of \(codec); leave them out"
      )
    }
    try validateCompression()
  }

  private func validateCompression() throws(AssetWriterError) {
    if let rate = compression.averageBitRate, !(1000...2_000_000_000).contains(rate) {
      throw invalid("invalid bit rate \(rate); use 1000 or more")
    }
    if let quality = compression.quality, !(0...1).contains(quality) {
      throw invalid("invalid quality \(quality); use 0 to 1")
    }
    if let interval = compression.maximumKeyFrameInterval, !(1...100_000).contains(interval) {
      throw invalid("invalid key frame interval of \(interval) frames; use 1 or more")
    }
    if let seconds = compression.maximumKeyFrameIntervalDuration,
      !(0.001...86_400).contains(seconds)
    {
      throw invalid("invalid key frame interval of \(seconds) s; use more than 0")
    }
    try validateProfile()
    try validateLevel()
  }

  private func validateProfile() throws(AssetWriterError) {
    guard let profile = compression.profile else { return }
    let known: [VideoCompression.Profile] =
      codec == .hevc ? [.main, .main10] : [.baseline, .main, .high]
    guard known.contains(profile) else {
      let names = known.map(\.rawValue).joined(separator: ", ")
      throw invalid(
        "\(codec) does not support the profile \(profile.rawValue); choose one of \(names)")
    }
    if profile == .baseline, compression.entropyCoding == .cabac {
      throw invalid("the profile baseline has no arithmetic coding; use cavlc")
    }
  }

  /// Levels of H.264 and the macroblocks of a frame that they allow (ITU-T H.264, table A-1).
  static let macroblocks: [String: Int] = [
    "1": 99, "1.1": 396, "1.2": 396, "1.3": 396, "2": 396, "2.1": 792, "2.2": 1620, "3": 1620,
    "3.0": 1620, "3.1": 3600, "3.2": 5120, "4": 8192, "4.0": 8192, "4.1": 8192, "4.2": 8704,
    "5": 22_080, "5.0": 22_080, "5.1": 36_864, "5.2": 36_864, "6": 139_264, "6.0": 139_264,
    "6.1": 139_264, "6.2": 139_264,
  ]

  private func validateLevel() throws(AssetWriterError) {
    guard let level = compression.level else { return }
    guard codec == .h264 else {
      throw invalid("the encoder chooses the level of \(codec); leave it out")
    }
    guard let most = Self.macroblocks[level] else {
      throw invalid("'\(level)' is not a level of H.264")
    }
    let count = (width + 15) / 16 * ((height + 15) / 16)
    guard count <= most else {
      throw invalid(
        "\(dimensions) does not fit level \(level) of H.264; choose a higher one, or leave it out")
    }
  }

  private func invalid(_ message: String) -> AssetWriterError {
    AssetWriterError(.invalidSettings, message)
  }

  /// The layout that the encoder takes.
  var planarFormat: PixelFormat { compression.profile == .main10 ? .yuv420p10 : .yuv420p8 }
}
