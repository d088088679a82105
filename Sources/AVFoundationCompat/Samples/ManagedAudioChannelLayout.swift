import Synchronization

/// A channel layout, given by a tag.
public struct ManagedAudioChannelLayout: Sendable, Hashable {
  public let tag: AudioChannelLayoutTag

  public init(tag: AudioChannelLayoutTag) { self.tag = tag }

  /// The number of channels of the tag.
  public var numberOfChannels: AVAudioChannelCount {
    AudioChannelLayoutTag_GetNumberOfChannels(tag)
  }
}

/// A channel layout of a format, given by a tag.
public final class AVAudioChannelLayout: Sendable, Hashable {
  public let layoutTag: AudioChannelLayoutTag

  /// A layout with a tag; nil for the tags of layouts given by descriptions or a bitmap.
  public init?(layoutTag: AudioChannelLayoutTag) {
    guard
      layoutTag != kAudioChannelLayoutTag_UseChannelDescriptions,
      layoutTag != kAudioChannelLayoutTag_UseChannelBitmap
    else { return nil }
    self.layoutTag = layoutTag
  }

  /// A layout from a structure. Descriptions or a bitmap become discrete channels.
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

  /// The number of channels of the tag.
  public var channelCount: AVAudioChannelCount {
    AudioChannelLayoutTag_GetNumberOfChannels(layoutTag)
  }

  /// The layout as a structure without descriptions, at an address that stays valid.
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

  public static func == (one: AVAudioChannelLayout, other: AVAudioChannelLayout) -> Bool {
    one.layoutTag == other.layoutTag
  }

  public func hash(into hasher: inout Hasher) { hasher.combine(layoutTag) }
}

/// A structure that is never freed, because a program has only a few layouts.
///
/// Unchecked: the memory is written only in the initializer.
private struct LastingLayout: @unchecked Sendable {
  let address: UnsafePointer<AudioChannelLayout>

  init(_ tag: AudioChannelLayoutTag) {
    let memory = UnsafeMutablePointer<AudioChannelLayout>.allocate(capacity: 1)
    memory.initialize(to: AudioChannelLayout())
    memory.pointee.mChannelLayoutTag = tag
    address = UnsafePointer(memory)
  }
}
