public import MediaCore
public import QuickTime

/// How the audio of one input is written: linear PCM, as one track or as a track for each channel, or
/// compressed.
public struct AudioOutputSettings: Hashable, Sendable {
  /// How channels become tracks.
  public enum TrackLayout: String, Hashable, Sendable, CaseIterable, Codable {
    /// One track that holds all channels.
    case poly
    /// A track of one channel for each channel, as broadcast deliveries often ask.
    case mono
  }

  /// Which byte of a sample comes first.
  public enum ByteOrder: String, Hashable, Sendable, CaseIterable, Codable {
    /// The least significant one.
    case little
    /// The most significant one.
    case big
  }

  /// How the samples are stored in the movie: 16 or 24 bits, or 32. Appended samples are of the
  /// same rate and channel count; another depth is widened, or narrowed by rounding, and floats become
  /// whole numbers, cut off beyond -1 and 1.
  public var format: AudioFormat
  /// How samples are compressed; ``AudioCompression/none`` by default. `.mp4`, `.m4v` and `.m4a` cannot hold linear
  /// PCM; `.wav` and `.aiff` hold only that; `.caf` holds linear PCM or Apple Lossless.
  public var compression = AudioCompression.none
  /// The order of bytes of linear PCM; nil, unless set, for that of the file: big in `.aiff`, little in others. A
  /// file that has one order alone refuses the other; `.caf` has both.
  public var byteOrder: ByteOrder?
  /// How channels become tracks.
  public var trackLayout: TrackLayout
  /// What the channels are for; nil for mono, stereo, or channels without a place.
  public var channelLayout: AudioChannelLayout?
  /// How far a buffer's time may be from the end of the previous audio, in seconds, before the gap
  /// is filled with silence or the overlap rejected; 0 or more. Audio whose clock is fast or slow is
  /// stretched first, by up to a thousandth, and so stays in place; with 0 it is never stretched.
  public var gapTolerance: Double
  /// The track's name; nil for none.
  public var name: String?
  /// The track's language as ISO 639-2; nil where not known.
  public var language: String?

  /// Settings of a sample format and a layout.
  public init(format: AudioFormat, trackLayout: TrackLayout = .poly) {
    self.format = format
    self.byteOrder = nil
    self.trackLayout = trackLayout
    self.channelLayout = nil
    self.gapTolerance = 0.02
    self.name = nil
  }
}

extension AudioOutputSettings {
  /// Samples a second that a track may have.
  package static let sampleRates = 8000...192_000
  /// Channels that a track may have.
  package static let channelCounts = 1...16

  func validate() throws(AssetWriterError) {
    guard Self.sampleRates.contains(format.sampleRate) else {
      throw AssetWriterError(
        .invalidSettings, "\(format.sampleRate) Hz cannot be written; use 8000 to 192000")
    }
    guard Self.channelCounts.contains(format.channelCount) else {
      throw AssetWriterError(
        .invalidSettings, "\(format.channelCount) audio channels cannot be written; use 1 to 16")
    }
    guard format.sampleFormat != .float32 else {
      throw AssetWriterError(
        .invalidSettings, "tracks have integer samples, not floating point; use 16, 24 or 32 bits")
    }
    if let channelLayout, channelLayout.channelCount != format.channelCount {
      throw AssetWriterError(
        .invalidSettings,
        "a layout of \(channelLayout.channelCount) channels does not fit \(format.channelCount)")
    }
    guard gapTolerance >= 0, gapTolerance.isFinite else {
      throw AssetWriterError(
        .invalidSettings, "invalid gap tolerance \(gapTolerance) s; use 0 or more")
    }
    if compression != .none { try validateCompressed() }
  }
}
