import AssetReader
import Foundation
import MediaCore
import QuickTime

/// Maps a source's textual metadata to QuickTime keys.
struct SourceMetadata {
  /// Metadata with QuickTime keys.
  private(set) var metadata = MovieMetadata()
  /// The creation time in seconds since 1970; nil if unknown.
  private(set) var creationTime: Int64?
  /// True if the date has no time zone; it is then taken as UTC.
  private(set) var lacksTimeZone = false
  /// The reel name; empty if unknown.
  private(set) var reelName = ""
  /// The tags without a QuickTime key.
  private(set) var dropped: [String] = []

  private static let keys: [String: String] = [
    "title": "com.apple.quicktime.title", "comment": "com.apple.quicktime.comment",
    "description": "com.apple.quicktime.description", "synopsis": "com.apple.quicktime.information",
    "copyright": "com.apple.quicktime.copyright", "artist": "com.apple.quicktime.artist",
    "author": "com.apple.quicktime.author", "keywords": "com.apple.quicktime.keywords",
    "album": "com.apple.quicktime.album", "genre": "com.apple.quicktime.genre",
    "producer": "com.apple.quicktime.producer", "director": "com.apple.quicktime.director",
    "date": "com.apple.quicktime.year", "year": "com.apple.quicktime.year",
    "make": "com.apple.quicktime.make", "model": "com.apple.quicktime.model",
    "location": "com.apple.quicktime.location.ISO6709",
    "com.apple.quicktime.location.iso6709": "com.apple.quicktime.location.ISO6709",
    "creation_time": "com.apple.quicktime.creationdate",
    "date_recorded": "com.apple.quicktime.creationdate",
  ]

  /// Tags about the file rather than its content.
  private static let technical: Set<String> = [
    "major_brand", "minor_version", "compatible_brands", "encoder", "handler_name", "vendor_id",
    "duration", "timecode", "language", "com.apple.quicktime.software", "software",
    "number_of_bytes", "number_of_frames", "bps", "encoding_tool",
  ]

  /// Track tags that are kept elsewhere or are about the file.
  private static let trackTechnical: Set<String> = [
    "title", "creation_time", "alpha_mode", "stereo_mode", "rotate", "data_type", "variant_bitrate",
    "source_id",
  ]

  init(_ tags: [String: String], tracks: [AssetTrack]) {
    metadata.software = "recordctl"
    for (key, value) in tags.sorted(by: { $0.key < $1.key }) where !value.isEmpty {
      add(key, value)
    }
    for track in tracks {
      for (key, value) in track.metadata where Self.isReel(key) && reelName.isEmpty {
        reelName = value
      }
    }
    dropped += tracks.flatMap { track in
      let kind = track.mediaType == .video ? "video" : "audio"
      return Self.lostTags(of: track, beside: tags).map {
        "\($0) of \(kind) track \(tracks.number(of: track))"
      }
    }
    if let date = metadata.creationDate {
      let spelled = Self.spelled(date)
      metadata.creationDate = spelled
      creationTime = Self.seconds(spelled)
      if creationTime == nil, let time = Self.seconds(spelled + "Z") {
        (creationTime, lacksTimeZone) = (time, true)
      }
    }
  }

  private mutating func add(_ key: String, _ value: String) {
    let name = key.lowercased()
    // A language may be appended: `location-eng`.
    let plain = name.split(separator: "-").first.map(String.init) ?? name
    if Self.isReel(key) {
      reelName = value
    } else if let known = Self.keys[name] ?? Self.keys[plain] {
      if metadata[known] == nil { metadata[known] = .text(value) }
    } else if name.hasPrefix("com."), !Self.technical.contains(name) {
      if metadata[key] == nil { metadata[key] = .text(value) }
    } else if !Self.technical.contains(name), !name.hasPrefix("_statistics") {
      dropped.append(key)
    }
  }

  /// Tags of one track that the movie has no place for. Tags that the file has too are handled with
  /// the file's.
  private static func lostTags(
    of track: AssetTrack, beside tags: [String: String]
  ) -> [String] {
    let lost = track.metadata.filter { key, value in
      // A language may be appended: `BPS-eng`.
      let name = key.lowercased()
      let plain = name.split(separator: "-").first.map(String.init) ?? name
      return !value.isEmpty && tags[key] != value && !isReel(key)
        && !technical.contains(plain) && !trackTechnical.contains(plain)
        && !name.hasPrefix("_statistics")
    }
    return lost.keys.sorted()
  }

  private static func isReel(_ key: String) -> Bool {
    ["reel_name", "reel", "reel_number", "tape"].contains(key.lowercased())
  }

  /// A date in ISO 8601 form: cameras and Matroska tags have a space between date and time.
  private static func spelled(_ date: String) -> String {
    date.replacingOccurrences(
      of: #"^(\d{4}-\d{2}-\d{2}) +(\d{2}:\d{2})"#, with: "$1T$2", options: .regularExpression)
  }

  /// Parses `2022-05-24T10:11:12.000000Z` and similar to seconds since 1970.
  private static func seconds(_ text: String) -> Int64? {
    let format = ISO8601DateFormatter()
    let whole = text.replacingOccurrences(
      of: #"\.[0-9]+"#, with: "", options: .regularExpression)
    guard let date = format.date(from: whole) else { return nil }
    return Int64(date.timeIntervalSince1970)
  }
}
