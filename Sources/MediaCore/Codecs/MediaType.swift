/// What a track, a port or a connection carries.
public struct MediaType: RawRepresentable, Sendable, Hashable {
  /// The four characters by which movies and Apple's frameworks name it.
  public let rawValue: String
  /// A type from its characters; one that has no name here is carried by nothing.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// Video.
  public static let video = MediaType(rawValue: "vide")
  public static let audio = MediaType(rawValue: "soun")
  public static let timecode = MediaType(rawValue: "tmcd")
  /// Timed metadata.
  public static let metadata = MediaType(rawValue: "meta")
  /// Chapters, and texts besides.
  public static let text = MediaType(rawValue: "text")
  public static let subtitle = MediaType(rawValue: "sbtl")
  /// CEA-608 and 708.
  public static let closedCaption = MediaType(rawValue: "clcp")
  /// Video and audio in one stream.
  public static let muxed = MediaType(rawValue: "muxx")
  public static let depthData = MediaType(rawValue: "dpth")
  /// Objects seen in video: faces, codes.
  public static let metadataObject = MediaType(rawValue: "mobj")

  /// The type of a movie's track by its handler's four characters; nil for one that has no name here.
  public init?(handler: String) {
    let type = MediaType(rawValue: handler)
    guard type.name != nil else { return nil }
    self = type
  }

  private var name: String? {
    switch self {
    case .video: "video"
    case .audio: "audio"
    case .timecode: "timecode"
    case .metadata: "metadata"
    case .text: "text"
    case .subtitle: "subtitle"
    case .closedCaption: "closedCaption"
    case .muxed: "muxed"
    case .depthData: "depthData"
    case .metadataObject: "metadataObject"
    default: nil
    }
  }
}

extension MediaType: CustomStringConvertible {
  /// The name, such as `video`; the four characters of a type that has none.
  public var description: String { name ?? rawValue }
}
