/// How audio keeps its pitch when its speed changes. No algorithm is implemented: a reader or export reports an error
/// for such audio.
public struct AVAudioTimePitchAlgorithm: RawRepresentable, Hashable, Sendable {
  public let rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }

  /// For music.
  public static let spectral = AVAudioTimePitchAlgorithm(rawValue: "Spectral")
  /// For speech.
  public static let timeDomain = AVAudioTimePitchAlgorithm(rawValue: "TimeDomain")
  /// The pitch follows the speed.
  public static let varispeed = AVAudioTimePitchAlgorithm(rawValue: "Varispeed")
  /// For speech that is played without delay.
  public static let lowQualityZeroLatency = AVAudioTimePitchAlgorithm(
    rawValue: "LowQualityZeroLatency")
}

extension AVAssetReaderTrackOutput {
  /// Setting it has no effect: audio with changed speed cannot be read.
  public var audioTimePitchAlgorithm: AVAudioTimePitchAlgorithm {
    get { .spectral }
    set {}
  }
}

extension AVAssetReaderAudioMixOutput {
  /// Setting it has no effect: audio with changed speed cannot be read.
  public var audioTimePitchAlgorithm: AVAudioTimePitchAlgorithm {
    get { .spectral }
    set {}
  }
}

extension AVAssetExportSession {
  /// Setting it has no effect: audio with changed speed cannot be exported.
  public var audioTimePitchAlgorithm: AVAudioTimePitchAlgorithm {
    get { .spectral }
    set {}
  }

  /// Setting it has no effect: exports use one pass.
  public var canPerformMultiplePassesOverSourceMediaData: Bool {
    get { false }
    set {}
  }
}
