public import MediaCore

/// What the sample entry of a sound track says: PCM as `lpcm`, sound description version 2.
public struct AudioTrackDescription: Sendable, Hashable {
  /// Rate, channels, and how a sample is stored.
  public var format: AudioFormat
  /// What the channels are for, as `chan`.
  public var channelLayout: AudioChannelLayout
  /// The name of the track for people; empty for none.
  public var name: String
  /// False for a track that a player leaves silent until it is asked.
  public var isEnabled: Bool
  /// The language as ISO 639-2; nil where not known.
  public var language: String?

  /// A description; without a layout mono and stereo are what they are called, and more channels
  /// are discrete.
  public init(
    format: AudioFormat, channelLayout: AudioChannelLayout? = nil, name: String = "",
    isEnabled: Bool = true
  ) {
    self.format = format
    self.channelLayout = channelLayout ?? .standard(channelCount: format.channelCount)
    self.name = name
    self.isEnabled = isEnabled
  }

  /// One description a channel, for a movie with a mono track for each.
  public var monoTracks: [AudioTrackDescription] {
    var mono = format
    mono.channelCount = 1
    return (0..<format.channelCount).map { channel in
      var track = AudioTrackDescription(
        format: mono, channelLayout: .labels([channelLayout.label(ofChannel: channel)]),
        name: name.isEmpty ? "" : "\(name) \(channel + 1)", isEnabled: isEnabled)
      track.language = language
      return track
    }
  }
}

/// What the channels of a track are for, as Core Audio's `AudioChannelLayout`.
public enum AudioChannelLayout: Sendable, Hashable {
  case mono
  /// Left and right.
  case stereo
  /// Channels without a place, in the order of the tracks of a field recorder.
  case discrete(Int)
  /// A channel layout tag of Core Audio, such as 0x0079_0006 (MPEG 5.1 A: L R C LFE Ls Rs).
  case tag(UInt32)
  /// One label for each channel.
  case labels([Label])

  /// A channel's purpose: Core Audio's `AudioChannelLabel`.
  public struct Label: RawRepresentable, Sendable, Hashable {
    /// Core Audio's number.
    public let rawValue: UInt32
    /// A label from Core Audio's number.
    public init(rawValue: UInt32) { self.rawValue = rawValue }
    /// Not known.
    public static let unknown = Label(rawValue: 0xFFFF_FFFF)
    public static let left = Label(rawValue: 1)
    public static let right = Label(rawValue: 2)
    public static let center = Label(rawValue: 3)
    /// Low-frequency effects.
    public static let lowFrequency = Label(rawValue: 4)
    public static let leftSurround = Label(rawValue: 5)
    public static let rightSurround = Label(rawValue: 6)
    public static let mono = Label(rawValue: 42)
    /// A channel without a place, numbered from 0 to 65535.
    public static func discrete(_ index: UInt16) -> Label {
      Label(rawValue: 1 << 16 | UInt32(index))
    }
  }

  /// Mono for one channel, stereo for two, discrete channels for more.
  public static func standard(channelCount: Int) -> AudioChannelLayout {
    switch channelCount {
    case 1: .mono
    case 2: .stereo
    default: .discrete(channelCount)
    }
  }

  /// The number of channels.
  public var channelCount: Int {
    switch self {
    case .mono: 1
    case .stereo: 2
    case .discrete(let count): count
    case .tag(let tag): Int(tag & 0xFFFF)
    case .labels(let labels): labels.count
    }
  }

  /// The label of a channel, if the layout has one.
  func label(ofChannel channel: Int) -> Label {
    switch self {
    case .mono: .mono
    case .stereo: channel == 0 ? .left : .right
    case .discrete: .discrete(UInt16(clamping: channel))
    case .tag(let tag):
      Self.labels(ofTag: tag).flatMap { channel < $0.count ? $0[channel] : nil } ?? .unknown
    case .labels(let labels): channel < labels.count ? labels[channel] : .unknown
    }
  }

  /// Core Audio's tag: 0 where labels describe the channels.
  var tag: UInt32 {
    switch self {
    case .mono: 100 << 16 | 1
    case .stereo: 101 << 16 | 2
    case .discrete(let count): 147 << 16 | UInt32(clamping: count) & 0xFFFF
    case .tag(let tag): tag
    case .labels: 0
    }
  }

  /// The layout of a tag, by its case of its own where it has one.
  init(tag: UInt32, labels: [Label]) {
    switch tag {
    case 0: self = .labels(labels)
    case 100 << 16 | 1: self = .mono
    case 101 << 16 | 2: self = .stereo
    case _ where tag >> 16 == 147: self = .discrete(Int(tag & 0xFFFF))
    default: self = .tag(tag)
    }
  }
}
