import MediaCore
import QuickTime

/// An audio file that is not a movie, and the formats that it can hold.
enum AudioFile: Hashable, Sendable {
  /// `.wav`: little-endian linear PCM.
  case wave
  /// `.aiff`: big-endian linear PCM.
  case aiff
  /// `.caf`: linear PCM and Apple Lossless. libavformat has no AAC in it.
  case coreAudio

  /// Nil for a movie, and for `.m4a`, which is made like one.
  init?(_ fileType: FileType) {
    switch fileType {
    case .mov, .mp4, .m4v, .m4a: return nil
    case .wav: self = .wave
    case .aiff: self = .aiff
    case .caf: self = .coreAudio
    }
  }

  /// The name for messages.
  private var name: String {
    switch self {
    case .wave: ".wav"
    case .aiff: ".aiff"
    case .coreAudio: ".caf"
    }
  }

  /// What libavformat's muxer is told.
  var options: [String: String] {
    switch self {
    case .wave: ["rf64": "auto"]
    case .aiff, .coreAudio: [:]
    }
  }

  /// Bytes of the largest file; nil for no limit. AIFF has lengths of 32 bits.
  var maximumByteCount: UInt64? { self == .aiff ? UInt64(UInt32.max) : nil }

  /// The orders of bytes that it has, the usual one first.
  private var byteOrders: [AudioOutputSettings.ByteOrder] {
    switch self {
    case .wave: [.little]
    case .aiff: [.big]
    case .coreAudio: [.little, .big]
    }
  }

  /// How linear PCM lies in the file.
  func byteOrder(of settings: AudioOutputSettings) -> AudioOutputSettings.ByteOrder {
    settings.byteOrder ?? byteOrders[0]
  }

  // MARK: What it refuses

  /// Why it has no track of these settings, in words; nil where it has.
  ///
  /// - Parameter others: Tracks that it has already.
  func refusal(_ settings: AudioOutputSettings, besides others: Int) -> String? {
    guard others == 0 else {
      return "a \(name) file has one audio track; choose .mov for more"
    }
    switch settings.compression {
    case .none: break
    case .appleLossless where self == .coreAudio: break
    case .appleLossless:
      return "Apple Lossless is not written into \(name) files; choose linear PCM, .caf or .m4a"
    case .aac: return "AAC is not written into \(name) files; choose linear PCM, .m4a or .mov"
    }
    if settings.trackLayout == .mono {
      return "a \(name) file has no track for each channel; use one track, or choose .mov"
    }
    if let order = settings.byteOrder, !byteOrders.contains(order) {
      let own = byteOrders.map { "\($0.rawValue)-endian" }.joined(separator: " or ")
      return "a \(name) file has \(own) samples; ask for those, or leave out the byte order"
    }
    if let layout = settings.channelLayout,
      layout != .standard(channelCount: settings.format.channelCount)
    {
      return
        "a \(name) file cannot hold a channel layout; leave it out, or choose .mov"
    }
    if settings.name?.isEmpty == false || settings.language != nil {
      return "a \(name) file has no name or language of its track; leave them out, or choose .mov"
    }
    return nil
  }

  /// Why it does not hold what is set beyond its track, in words; nil where it does.
  func refusal(
    _ configuration: AssetWriter.Configuration, _ metadata: MovieMetadata
  ) -> String? {
    if configuration.writesTimecode, configuration.startTimecode != nil {
      return "a \(name) file has no timecode; leave it out, or choose .mov"
    }
    do throws(QuickTimeError) { _ = try tags(metadata) } catch { return error.message }
    return nil
  }

  // MARK: Facts

  /// Its names for facts, as libavformat has them; for ``coreAudio`` those of Core Audio's `AudioFile.h`.
  private var tagNames: [String: String] {
    switch self {
    case .wave:
      [
        "title": "title", "artist": "artist", "author": "artist", "comment": "comment",
        "copyright": "copyright", "genre": "genre", "album": "album", "creationdate": "date",
      ]
    case .aiff:
      [
        "title": "title", "artist": "author", "author": "author", "comment": "comment",
        "copyright": "copyright",
      ]
    case .coreAudio:
      [
        "title": "title", "artist": "artist", "comment": "comments", "copyright": "copyright",
        "genre": "genre", "album": "album", "creationdate": "recorded date",
        "software": "encoding application",
      ]
    }
  }

  /// The facts under the file's own names.
  ///
  /// - Throws: ``QuickTimeError/Code/invalidArgument`` for one that the file has no place for.
  func tags(_ metadata: MovieMetadata) throws(QuickTimeError) -> [(name: String, value: String)] {
    let prefix = "com.apple.quicktime."
    var tags: [(name: String, value: String)] = []
    for item in metadata.items {
      let known =
        item.key.hasPrefix(prefix) ? tagNames[String(item.key.dropFirst(prefix.count))] : nil
      // A Core Audio file takes any name.
      guard let tag = known ?? (self == .coreAudio ? item.key : nil) else {
        throw QuickTimeError(
          .invalidArgument,
          "a \(name) file has no field for \(item.key); leave it out, or choose .caf or .mov")
      }
      guard !tags.contains(where: { $0.name == tag }) else {
        throw QuickTimeError(
          .invalidArgument,
          "a \(name) file has one field for \(item.key) and another item; leave one out")
      }
      tags.append((tag, try item.plainText))
    }
    return tags
  }
}

extension MovieMetadata.Item {
  /// The value as the text that a file without types keeps.
  ///
  /// - Throws: ``QuickTimeError/Code/invalidArgument`` for data.
  var plainText: String {
    get throws(QuickTimeError) {
      switch value {
      case .text(let text): text
      case .integer(let number): "\(number)"
      case .number(let number): "\(number)"
      case .data(let type, _):
        throw QuickTimeError(
          .invalidArgument,
          "\(key) holds data of type \(type), which only ProRes movies keep; leave it out")
      }
    }
  }
}
