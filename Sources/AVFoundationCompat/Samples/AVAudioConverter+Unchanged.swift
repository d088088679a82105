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
  /// The best that libswresample does: 127. To set it changes nothing.
  public var sampleRateConverterQuality: Int {
    get { AVAudioQuality.max.rawValue }
    set {}
  }
  /// Nil: there is one way to another rate. To set it changes nothing.
  public var sampleRateConverterAlgorithm: String? {
    get { nil }
    set {}
  }
  /// ``AVAudioConverterPrimeMethod/none``: a stream begins and ends with its own sound. To set it changes nothing.
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
  /// False. To set it changes nothing.
  public var dither: Bool {
    get { false }
    set {}
  }
}
