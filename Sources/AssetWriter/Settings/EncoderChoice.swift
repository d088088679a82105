/// Which encoder makes the frames.
public enum EncoderChoice: Hashable, Sendable {
  /// An encoder of libavcodec.
  public enum LibavEncoder: String, Hashable, Sendable, CaseIterable {
    /// `prores_ks`: keeps to the target rate; slow.
    case proresKS = "prores_ks"
    /// `prores_aw`: four times as fast; exceeds the target rate on frames with much detail.
    case proresAW = "prores_aw"
  }

  /// The best that this machine has: the recorder's own.
  case automatic
  /// The recorder's own.
  case native
  case libavcodec(LibavEncoder)
}

extension EncoderChoice: LosslessStringConvertible {
  /// Reads `auto`, `native`, `libavcodec` (meaning `prores_ks`), `libavcodec:prores_ks` and
  /// `libavcodec:prores_aw`; nil for anything else.
  public init?(_ description: String) {
    switch description {
    case "auto": self = .automatic
    case "native": self = .native
    case "libavcodec": self = .libavcodec(.proresKS)
    default:
      guard description.hasPrefix("libavcodec:"),
        let encoder = LibavEncoder(rawValue: String(description.dropFirst(11)))
      else { return nil }
      self = .libavcodec(encoder)
    }
  }

  /// The text that ``init(_:)`` reads.
  public var description: String {
    switch self {
    case .automatic: "auto"
    case .native: "native"
    case .libavcodec(let encoder): "libavcodec:\(encoder.rawValue)"
    }
  }

  /// Every choice that can be written, for help texts and completions.
  public static let allChoices: [EncoderChoice] =
    [.automatic, .native] + LibavEncoder.allCases.map(EncoderChoice.libavcodec)
}
