/// How much of the input a converter wants before and after what it gives.
public enum AVAudioConverterPrimeMethod: Int, Sendable {
  /// Before and after.
  case pre = 0
  /// After.
  case normal = 1
  /// None: what is missing counts as silence.
  case none = 2
}

extension AVAudioConverter {
  /// The best that libswresample does: 127. Setting it has no effect.
  public var sampleRateConverterQuality: Int {
    get { AVAudioQuality.max.rawValue }
    set {}
  }
  /// Nil: there is one way to another rate. Setting it has no effect.
  public var sampleRateConverterAlgorithm: String? {
    get { nil }
    set {}
  }
  /// ``AVAudioConverterPrimeMethod/none``: a stream begins and ends with its own audio. Setting it has no effect.
  public var primeMethod: AVAudioConverterPrimeMethod {
    get { .none }
    set {}
  }
  /// True unless a ``channelMap`` is in force: channels are mixed where their numbers differ. To set it changes
  /// nothing.
  public var downmix: Bool {
    get { !isMapped }
    set {}
  }
  /// False. Setting it has no effect.
  public var dither: Bool {
    get { false }
    set {}
  }
}
