import MediaCore

/// A deck's resources below `/control/api/v1`, in the shape of Blackmagic's API: a value for each
/// path that can be read and watched.
struct DeckResources {
  let deck: DeckState
  let identity: DeckIdentity

  /// The paths that have a value, in the order in which they are listed.
  static let paths = [
    "/system", "/system/product", "/system/codecFormat", "/system/supportedCodecFormats",
    "/system/videoFormat", "/system/supportedVideoFormats", "/transports/0", "/transports/0/stop",
    "/transports/0/play", "/transports/0/playback", "/transports/0/record",
    "/transports/0/timecode", "/transports/0/clip", "/transports/0/clipIndex",
    "/transports/0/inputVideoSource", "/transports/0/inputVideoFormat",
    "/transports/0/supportedInputVideoSources", "/media/workingset", "/media/active", "/clips",
    "/timelines/0", "/event/list",
  ]

  /// The value at a path; nil if there is none.
  func value(at path: String) -> JSONValue? {
    switch path {
    case "/system":
      .object(
        ["codecFormat": Self.codecFormat(deck.codec)].merging(
          deck.video.map { ["videoFormat": Self.videoFormat($0)] } ?? [:]
        ) { $1 })
    case "/system/product":
      .object([
        "deviceName": .string(deck.name ?? identity.name), "productName": .string(identity.model),
        "softwareVersion": .string(identity.softwareVersion),
      ])
    case "/system/codecFormat": Self.codecFormat(deck.codec)
    case "/system/supportedCodecFormats":
      .object(["codecs": .array([Self.codecFormat(deck.codec)])])
    case "/system/videoFormat": videoFormat
    case "/system/supportedVideoFormats":
      .object(["formats": .array(deck.video.map { [Self.videoFormat($0)] } ?? [])])
    case "/event/list": .object(["events": .array(Self.paths.map { .string($0) })])
    case "/clips": .object(["clips": .array(deck.clips.indices.map { clip($0) })])
    case "/timelines/0":
      .object([
        "clips": .array(
          deck.clips.indices.map {
            .object([
              "clipUniqueId": .int($0 + 1), "frameCount": .int(Int(deck.clips[$0].frameCount)),
            ])
          })
      ])
    default: path.hasPrefix("/media/") ? mediaValue(at: path) : transportValue(at: path)
    }
  }

  private func transportValue(at path: String) -> JSONValue? {
    switch path {
    case "/transports/0":
      .object(["mode": .string(deck.transport == .record ? "InputRecord" : "InputPreview")])
    case "/transports/0/stop": .bool(deck.transport != .record)
    case "/transports/0/play": .bool(false)
    case "/transports/0/playback":
      .object([
        "type": .string("Play"), "loop": .bool(false), "singleClip": .bool(false),
        "speed": .int(0), "position": .int(0),
      ])
    case "/transports/0/record":
      .object(
        ["recording": .bool(deck.transport == .record)].merging(
          deck.movie.map { ["clipName": .string($0)] } ?? [:]
        ) { $1 })
    case "/transports/0/timecode":
      .object(["display": .string(deck.displayTimecode), "timeline": .string(deck.timecode)])
    case "/transports/0/clip":
      .object(["clip": presentClip])
    case "/transports/0/clipIndex":
      .object(["clipIndex": deck.clipID.map { .int($0 - 1) } ?? .null])
    case "/transports/0/inputVideoSource":
      .object(["inputVideoSource": .string(identity.videoInput)])
    case "/transports/0/supportedInputVideoSources":
      .object(["supportedInputVideoSources": .array([.string(identity.videoInput)])])
    case "/transports/0/inputVideoFormat":
      .object(["inputVideoFormat": deck.inputVideoFormat == "none" ? .null : videoFormat])
    default: nil
    }
  }

  private func mediaValue(at path: String) -> JSONValue? {
    switch path {
    case "/media/workingset": .object(["size": .int(1), "workingset": .array([workingDisk])])
    case "/media/active":
      deck.slotStatus == .empty
        ? .null
        : .object(["workingsetIndex": .int(0), "deviceName": .string(deck.volumeName)])
    default: nil
    }
  }

  private var workingDisk: JSONValue {
    guard deck.slotStatus != .empty else { return .null }
    var members: [String: JSONValue] = [
      "index": .int(0), "activeDisk": .bool(true), "volume": .string(deck.volumeName),
      "deviceName": .string(deck.volumeName),
      "clipCount": .int(deck.clips.count),
    ]
    if let seconds = deck.recordingTime { members["remainingRecordTime"] = .int(seconds) }
    if let free = deck.freeBytes { members["remainingSpace"] = .int(Int(free)) }
    return .object(members)
  }

  private var videoFormat: JSONValue { deck.video.map(Self.videoFormat) ?? .null }

  private static func codecFormat(_ codec: String) -> JSONValue {
    let name =
      switch codec {
      case "hq": "ProRes:HQ"
      case "422": "ProRes:422"
      case "lt": "ProRes:LT"
      case "proxy": "ProRes:Proxy"
      case "4444": "ProRes:4444"
      case "xq": "ProRes:4444XQ"
      default: codec
      }
    return .object(["codec": .string(name), "container": .string("MOV")])
  }

  private static func videoFormat(_ video: DeckVideo) -> JSONValue {
    let (size, number) = (video.dimensions, number(video.rate))
    let letter = video.isInterlaced ? "i" : "p"
    return .object([
      "name": .string("\(size.width)x\(size.height)\(letter)\(number)"),
      "frameRate": .string(number), "width": .int(size.width), "height": .int(size.height),
      "interlaced": .bool(video.isInterlaced),
    ])
  }

  /// `29.97`, `25`, `23.98`.
  private static func number(_ rate: FrameRate) -> String {
    guard rate.denominator != 1 else { return "\(rate.numerator)" }
    let hundredths = Int((rate.framesPerSecond * 100).rounded())
    let rest = hundredths % 100
    return "\(hundredths / 100)." + (rest < 10 ? "0\(rest)" : "\(rest)")
  }

  /// The clip that the transport is in, the same as in ``DeckState/transportFields``.
  private var presentClip: JSONValue {
    guard let id = deck.clipID else { return .null }
    guard deck.transport == .record else { return clip(id - 1) }
    // The growing duration is omitted: subscribers to the clip would be notified with each frame.
    var members: [String: JSONValue] = [
      "clipUniqueId": .int(id), "codecFormat": Self.codecFormat(deck.codec),
    ]
    if let movie = deck.movie { members["filePath"] = .string(movie) }
    if let video = deck.video { members["videoFormat"] = Self.videoFormat(video) }
    return .object(members)
  }

  private func clip(_ index: Int) -> JSONValue {
    let clip = deck.clips[index]
    var members: [String: JSONValue] = [
      "clipUniqueId": .int(index + 1), "filePath": .string(clip.name),
      "codecFormat": Self.codecFormat(clip.codec),
      "startTimecode": .string(clip.start), "durationTimecode": .string(clip.duration),
      "frameCount": .int(Int(clip.frameCount)),
    ]
    if let size = clip.fileSize { members["fileSize"] = .int(Int(size)) }
    if let video = clip.video { members["videoFormat"] = Self.videoFormat(video) }
    return .object(members)
  }
}
