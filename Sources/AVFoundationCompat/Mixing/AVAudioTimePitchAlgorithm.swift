/// How audio keeps its pitch while it is sped up or slowed down. None does anything: such audio is neither read nor
/// exported here, which an export's or a reader's error says.
public struct AVAudioTimePitchAlgorithm: RawRepresentable, Hashable, Sendable {
  /// Apple's name.
  public let rawValue: String
  /// A way from Apple's name.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// For music.
  public static let spectral = AVAudioTimePitchAlgorithm(rawValue: "Spectral")
  /// For speech.
  public static let timeDomain = AVAudioTimePitchAlgorithm(rawValue: "TimeDomain")
  /// The pitch follows the speed.
  public static let varispeed = AVAudioTimePitchAlgorithm(rawValue: "Varispeed")
  /// For speech that is played at once.
  public static let lowQualityZeroLatency = AVAudioTimePitchAlgorithm(
    rawValue: "LowQualityZeroLatency")
}

extension AVAssetReaderTrackOutput {
  /// Setting it has no effect: audio that is sped up is not read here.
  public var audioTimePitchAlgorithm: AVAudioTimePitchAlgorithm {
    get { .spectral }
    set {}
  }
}

extension AVAssetReaderAudioMixOutput {
  /// Setting it has no effect: audio that is sped up is not read here.
  public var audioTimePitchAlgorithm: AVAudioTimePitchAlgorithm {
    get { .spectral }
    set {}
  }
}

extension AVAssetExportSession {
  /// Setting it has no effect: audio that is sped up is not exported here.
  public var audioTimePitchAlgorithm: AVAudioTimePitchAlgorithm {
    get { .spectral }
    set {}
  }

  /// Setting it has no effect: every frame is made once.
  public var canPerformMultiplePassesOverSourceMediaData: Bool {
    get { false }
    set {}
  }
}
