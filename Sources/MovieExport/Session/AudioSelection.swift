import MediaCore

/// Selects the audio tracks of a source that become tracks of the movie, in this order, and their
/// channels. Samples are not changed: there is no gain and no mixing.
public struct AudioSelection: Sendable, Hashable {
  /// A track of the movie.
  public struct Track: Sendable, Hashable {
    /// The number of the source's audio track, from 1.
    public var number: Int
    /// Its channels, from 1, in the desired order; nil for all.
    public var channels: [Int]?
  }

  /// The movie's tracks; nil for all of the source's, unchanged.
  public var tracks: [Track]?

  /// All tracks.
  public static let all = AudioSelection(tracks: nil)
  /// No audio.
  public static let none = AudioSelection(tracks: [])

  init(tracks: [Track]?) { self.tracks = tracks }

  /// Parses `all`, `none`, `2`, `2,1`, `1:1+2,1:3`; nil for anything else.
  public init?(_ text: String) {
    switch text {
    case "all": self = .all
    case "none": self = .none
    default:
      var tracks: [Track] = []
      for part in text.split(separator: ",", omittingEmptySubsequences: false) {
        let pieces = part.split(separator: ":", omittingEmptySubsequences: false)
        guard (1...2).contains(pieces.count), let number = Int(pieces[0]), number > 0 else {
          return nil
        }
        var channels: [Int]?
        if pieces.count == 2 {
          let numbers = pieces[1].split(separator: "+", omittingEmptySubsequences: false)
            .map { Int($0) }
          let known = numbers.compactMap(\.self).filter { $0 > 0 }
          guard known.count == numbers.count, known.count <= 64 else { return nil }
          channels = known
        }
        tracks.append(Track(number: number, channels: channels))
      }
      self.init(tracks: tracks)
    }
  }
}

/// Selects and reorders channels of interleaved audio.
struct ChannelMap {
  /// Channels from 0.
  let channels: [Int]
  let format: AudioFormat

  /// Creates a map for a format; nil if it lacks one of the channels.
  init?(_ channels: [Int], of source: AudioFormat) {
    guard !channels.isEmpty, channels.allSatisfy({ (1...source.channelCount).contains($0) }) else {
      return nil
    }
    self.channels = channels.map { $0 - 1 }
    var format = source
    format.channelCount = channels.count
    self.format = format
  }

  func mapped(_ buffer: AudioBuffer) -> AudioBuffer { buffer.withChannels(channels) }
}

extension AudioSelection {
  /// The textual form of the selection.
  package var text: String {
    guard let tracks else { return "all" }
    guard !tracks.isEmpty else { return "none" }
    return tracks.map { track in
      let channels = track.channels.map { ":" + $0.map(String.init).joined(separator: "+") }
      return "\(track.number)" + (channels ?? "")
    }.joined(separator: ",")
  }
}
