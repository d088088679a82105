import Synchronization

/// What channels are for, by a tag.
public struct ManagedAudioChannelLayout: Sendable, Hashable {
  /// The order of channels.
  public let tag: AudioChannelLayoutTag

  /// A layout from its tag.
  public init(tag: AudioChannelLayoutTag) { self.tag = tag }

  /// The channels that the tag stands for.
  public var numberOfChannels: AVAudioChannelCount {
    AudioChannelLayoutTag_GetNumberOfChannels(tag)
  }
}

/// What the channels of a format are for, by a tag.
public final class AVAudioChannelLayout: Sendable, Hashable {
  /// The order of channels.
  public let layoutTag: AudioChannelLayoutTag

  /// A layout from its tag; nil for a tag that says that a description or a bitmap follows.
  public init?(layoutTag: AudioChannelLayoutTag) {
    guard
      layoutTag != kAudioChannelLayoutTag_UseChannelDescriptions,
      layoutTag != kAudioChannelLayoutTag_UseChannelBitmap
    else { return nil }
    self.layoutTag = layoutTag
  }

  /// A layout from a structure; of one with descriptions or a bitmap, that of channels without an order.
  public init(layout: UnsafePointer<AudioChannelLayout>) {
    let given = layout.pointee
    switch given.mChannelLayoutTag {
    case kAudioChannelLayoutTag_UseChannelDescriptions:
      layoutTag = kAudioChannelLayoutTag_DiscreteInOrder | given.mNumberChannelDescriptions
    case kAudioChannelLayoutTag_UseChannelBitmap:
      layoutTag =
        kAudioChannelLayoutTag_DiscreteInOrder | UInt32(given.mChannelBitmap.nonzeroBitCount)
    case let tag: layoutTag = tag
    }
  }

  /// The channels that the tag stands for.
  public var channelCount: AVAudioChannelCount {
    AudioChannelLayoutTag_GetNumberOfChannels(layoutTag)
  }

  /// The layout as a structure without descriptions, at an address that stays for as long as the program runs.
  public var layout: UnsafePointer<AudioChannelLayout> {
    let tag = layoutTag
    return Self.structures.withLock { structures in
      if let known = structures[tag] { return known }
      let made = LastingLayout(tag)
      structures[tag] = made
      return made
    }.address
  }

  private static let structures = Mutex<[AudioChannelLayoutTag: LastingLayout]>([:])

  /// True for the same tag.
  public static func == (one: AVAudioChannelLayout, other: AVAudioChannelLayout) -> Bool {
    one.layoutTag == other.layoutTag
  }

  /// Feeds the tag.
  public func hash(into hasher: inout Hasher) { hasher.combine(layoutTag) }
}

/// A structure that is never freed: a program has a handful of layouts.
///
/// Unchecked: what is at the address is never changed.
private struct LastingLayout: @unchecked Sendable {
  let address: UnsafePointer<AudioChannelLayout>

  init(_ tag: AudioChannelLayoutTag) {
    let memory = UnsafeMutablePointer<AudioChannelLayout>.allocate(capacity: 1)
    memory.initialize(to: AudioChannelLayout())
    memory.pointee.mChannelLayoutTag = tag
    address = UnsafePointer(memory)
  }
}
