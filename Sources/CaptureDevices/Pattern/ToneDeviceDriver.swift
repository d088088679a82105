package import MediaCore

/// How the tone device runs.
package struct ToneOptions: Sendable, Hashable {
  /// How much faster than CLOCK_MONOTONIC the device's sample clock runs, in millionths
  /// (`ppm=100`), -10000 to 10000.
  package var clockError = 0.0
  /// The chance that a run of audio is lost, as in an overrun (`drop=0.01`).
  package var dropProbability = 0.0
  /// The rate of the pattern to beep with (`rate=29.97`); nil for the one that runs when the
  /// stream starts, or once a second.
  package var frameRate: FrameRate?
  /// True to keep the time of a pattern that plays without a pace (`pace=pattern`); false for real
  /// time.
  package var followsPattern = false
  /// The seed of chance (`seed=7`).
  package var seed: UInt64 = 1

  /// An exact clock, no faults.
  package init() {}

  init(query: some StringProtocol) throws(CaptureError) {
    for part in query.split(separator: "&") {
      let pair = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard pair.count == 2, set(String(pair[0]), String(pair[1])) else {
        throw CaptureError.option(
          part, of: "the tone device",
          forms: [
            "ppm=MILLIONTHS", "drop=CHANCE", "rate=RATE", "pace=pattern", "pace=real",
            "seed=NUMBER",
          ])
      }
    }
  }

  private mutating func set(_ key: String, _ value: String) -> Bool {
    switch key {
    case "ppm":
      guard let number = Double(value), number.magnitude <= 10_000 else { return false }
      clockError = number
    case "drop":
      guard let chance = Double(value), (0...1).contains(chance) else { return false }
      dropProbability = chance
    case "pace":
      guard value == "pattern" || value == "real" else { return false }
      followsPattern = value == "pattern"
    case "rate":
      guard let rate = FrameRate(value) else { return false }
      frameRate = rate
    case "seed":
      guard let number = UInt64(value) else { return false }
      seed = number
    default: return false
    }
    return true
  }
}

/// The audio of the pattern device: a different tone on each channel, and a beep on all channels
/// at each flash.
package final class ToneDeviceDriver: CaptureDeviceDriver {
  /// How the device runs.
  package let options: ToneOptions
  /// The identity: `tone`, with options after a question mark.
  package let identity: CaptureDevice.Identity
  private let stage: PatternStage
  /// Always true.
  package var isConnected: Bool { true }

  package convenience init(options: ToneOptions = ToneOptions()) {
    self.init(options: options, query: "", stage: PatternStage())
  }

  /// A device that plays beside the patterns of a stage.
  convenience init(stage: PatternStage) {
    self.init(options: ToneOptions(), query: "", stage: stage)
  }

  /// The device of an identifier: `tone`, `tone?ppm=100`.
  ///
  /// - Throws: ``CaptureError/Code/invalidArgument``, naming the part that makes no sense.
  package convenience init(identifier: String) throws(CaptureError) {
    try self.init(identifier: identifier, stage: PatternStage())
  }

  /// As ``init(identifier:)``, beside the patterns of the stage.
  convenience init(identifier: String, stage: PatternStage) throws(CaptureError) {
    let parts = identifier.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts[0] == "tone" || parts[0] == "tone:" else {
      throw CaptureError(
        .invalidArgument, "unknown tone device '\(identifier)'; write tone or tone?ppm=100")
    }
    let query = parts.count > 1 ? String(parts[1]) : ""
    self.init(options: try ToneOptions(query: query), query: query, stage: stage)
  }

  private init(options: ToneOptions, query: String, stage: PatternStage) {
    self.stage = stage
    self.options = options
    self.identity = CaptureDevice.Identity(
      uniqueID: query.isEmpty ? "tone" : "tone?\(query)", localizedName: "Tone generator",
      modelID: "tone", mediaType: .audio)
  }

  /// What the generator offers: 48 kHz, 24 bits, stereo first.
  ///
  /// - Throws: Never.
  package func formats() throws(CaptureError) -> [CaptureDevice.Format] { Self.allFormats }

  private static let allFormats: [CaptureDevice.Format] = {
    var formats: [CaptureDevice.Format] = []
    for rate in [48_000, 44_100, 96_000] {
      for sampleFormat in [AudioFormat.SampleFormat.int24, .int16, .int32] {
        for channels in [2, 1, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16] {
          let format = AudioFormat(
            sampleRate: rate, channelCount: channels, sampleFormat: sampleFormat)
          formats.append(CaptureDevice.Format(formatDescription: .audio(format)))
        }
      }
    }
    return formats
  }()

  /// Takes the device.
  ///
  /// - Throws: ``CaptureError/Code/formatUnavailable`` for a format that is not offered.
  package func openStream(
    _ request: CaptureStreamRequest
  ) throws(CaptureError) -> any CaptureStream {
    guard let format = request.format.audio,
      Self.allFormats.contains(where: { $0.audio == format })
    else {
      throw CaptureError(
        .formatUnavailable,
        "the tone device does not offer that format; it has 1 to 16 channels of 16, 24 or 32 bits "
          + "at 44.1, 48 and 96 kHz")
    }
    return ToneStream(format, options: options, stage: stage, threads: request.threads)
  }
}
