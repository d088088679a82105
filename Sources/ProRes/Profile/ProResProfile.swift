public import MediaCore

/// A member of the ProRes 422 and 4444 family.
///
/// RDD 36 knows no profiles: a profile is the sample-entry code, a pair of quantization matrices
/// and a target data rate.
public enum ProResProfile: Sendable, Hashable, CaseIterable {
  /// ProRes 422 Proxy, `apco`.
  case proxy
  /// ProRes 422 LT, `apcs`.
  case lt
  /// ProRes 422, `apcn`.
  case standard
  /// ProRes 422 HQ, `apch`.
  case hq
  /// ProRes 4444, `ap4h`.
  case p4444
  /// ProRes 4444 XQ, `ap4x`.
  case xq

  /// The profile of a codec type; nil if it is not ProRes.
  public init?(_ codec: VideoCodecType) {
    guard let match = Self.allCases.first(where: { $0.codec == codec }) else { return nil }
    self = match
  }

  /// The codec type, whose raw value is the sample-entry code.
  public var codec: VideoCodecType {
    switch self {
    case .proxy: .proRes422Proxy
    case .lt: .proRes422LT
    case .standard: .proRes422
    case .hq: .proRes422HQ
    case .p4444: .proRes4444
    case .xq: .proRes4444XQ
    }
  }

  /// The chroma sampling of the profile's frames.
  public var chromaFormat: FrameHeader.ChromaFormat { is4444 ? .yuv444 : .yuv422 }

  /// True for the two members that carry full chroma, and alpha where the source has it.
  public var is4444: Bool { self == .p4444 || self == .xq }

  /// The luma weights that Apple's encoders write for the profile.
  public var lumaMatrix: QuantizationMatrix {
    switch self {
    case .proxy: .proxyLuma
    case .lt: .lt
    case .standard: .standard
    case .hq, .p4444: .hq
    case .xq: .xqLuma
    }
  }

  /// The chroma weights that Apple's encoders write for the profile.
  public var chromaMatrix: QuantizationMatrix {
    switch self {
    case .proxy: .proxyChroma
    case .lt: .lt
    case .standard: .standard
    case .hq, .p4444, .xq: .hq
    }
  }
}
