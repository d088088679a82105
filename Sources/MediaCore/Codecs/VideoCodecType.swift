/// A video codec, named by its QuickTime sample-entry code.
public struct VideoCodecType: RawRepresentable, Hashable, Sendable {
  /// The four characters of the sample entry, such as `apch`.
  public let rawValue: String

  /// A codec from its four characters.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// Apple ProRes 422 Proxy.
  public static let proRes422Proxy = VideoCodecType(rawValue: "apco")
  /// Apple ProRes 422 LT.
  public static let proRes422LT = VideoCodecType(rawValue: "apcs")
  /// Apple ProRes 422.
  public static let proRes422 = VideoCodecType(rawValue: "apcn")
  /// Apple ProRes 422 HQ.
  public static let proRes422HQ = VideoCodecType(rawValue: "apch")
  /// Apple ProRes 4444.
  public static let proRes4444 = VideoCodecType(rawValue: "ap4h")
  /// Apple ProRes 4444 XQ.
  public static let proRes4444XQ = VideoCodecType(rawValue: "ap4x")

  /// H.264 (AVC).
  public static let h264 = VideoCodecType(rawValue: "avc1")
  /// HEVC (H.265), its parameters in the sample entry.
  public static let hevc = VideoCodecType(rawValue: "hvc1")

  /// The codecs whose frames lean on each other.
  public static let allInterframe: [VideoCodecType] = [.h264, .hevc]

  /// True for a codec whose frames lean on each other, so that few stand alone.
  public var isInterframe: Bool { Self.allInterframe.contains(self) }

  /// The codecs of the family, smallest rate first.
  public static let allProRes: [VideoCodecType] = [
    .proRes422Proxy, .proRes422LT, .proRes422, .proRes422HQ, .proRes4444, .proRes4444XQ,
  ]

  /// True for a member of the ProRes family.
  public var isProRes: Bool { Self.allProRes.contains(self) }

  /// True for the members that carry 4:4:4.
  public var is4444: Bool { self == .proRes4444 || self == .proRes4444XQ }

  /// The name as Apple's tools write it into a movie: `Apple ProRes 422 HQ`.
  public var displayName: String {
    switch self {
    case .proRes422Proxy: "Apple ProRes 422 Proxy"
    case .proRes422LT: "Apple ProRes 422 LT"
    case .proRes422: "Apple ProRes 422"
    case .proRes422HQ: "Apple ProRes 422 HQ"
    case .proRes4444: "Apple ProRes 4444"
    case .proRes4444XQ: "Apple ProRes 4444 XQ"
    case .h264: "H.264"
    case .hevc: "HEVC"
    default: rawValue
    }
  }

  /// The short name of the command line and of presets: `proxy`, `lt`, `422`, `hq`, `4444`, `xq`.
  public var shortName: String {
    switch self {
    case .proRes422Proxy: "proxy"
    case .proRes422LT: "lt"
    case .proRes422: "422"
    case .proRes422HQ: "hq"
    case .proRes4444: "4444"
    case .proRes4444XQ: "xq"
    default: rawValue
    }
  }

  /// A codec from its short name, or nil.
  public init?(shortName: String) {
    guard let match = Self.allProRes.first(where: { $0.shortName == shortName.lowercased() })
    else { return nil }
    self = match
  }
}

extension VideoCodecType: CustomStringConvertible {
  public var description: String { displayName }
}
