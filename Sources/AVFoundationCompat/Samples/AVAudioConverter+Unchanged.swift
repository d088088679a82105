/// How much input a converter needs beyond the range of its output.
public enum AVAudioConverterPrimeMethod: Int, Sendable {
  /// Before and after it.
  case pre = 0
  /// After it.
  case normal = 1
  /// None: missing input counts as silence.
  case none = 2
}

extension AVAudioConverter {
  /// 127, the best quality of libswresample. Setting it has no effect.
  public var sampleRateConverterQuality: Int {
    get { AVAudioQuality.max.rawValue }
    set {}
  }
  /// Nil: there is one algorithm. Setting it has no effect.
  public var sampleRateConverterAlgorithm: String? {
    get { nil }
    set {}
  }
  /// Always ``AVAudioConverterPrimeMethod/none``: a stream contains only its own audio. Setting it has no effect.
  public var primeMethod: AVAudioConverterPrimeMethod {
    get { .none }
    set {}
  }
  /// True unless a ``channelMap`` is set: channels are mixed if their numbers differ. Setting it has no effect.
  public var downmix: Bool {
    get { !isMapped }
    set {}
  }
  /// False: dither is not supported. Setting it has no effect.
  public var dither: Bool {
    get { false }
    set {}
  }
}
