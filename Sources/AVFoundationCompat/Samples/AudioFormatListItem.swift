// swift-format-ignore-file: AlwaysUseLowerCamelCase

public import MediaCore

/// Channels of which nobody says what they are for; their number in the lower 16 bits.
public let kAudioChannelLayoutTag_Unknown: AudioChannelLayoutTag = 0xFFFF_0000

/// A form in which audio can be had.
public struct AudioFormatListItem: Sendable, Hashable {
  /// The form, in numbers.
  public var mASBD: AudioStreamBasicDescription
  /// What the channels are for.
  public var mChannelLayoutTag: AudioChannelLayoutTag

  /// A form of which nothing is known.
  public init() { self.init(mASBD: AudioStreamBasicDescription(), mChannelLayoutTag: 0) }

  /// A form from its numbers.
  public init(mASBD: AudioStreamBasicDescription, mChannelLayoutTag: AudioChannelLayoutTag) {
    (self.mASBD, self.mChannelLayoutTag) = (mASBD, mChannelLayoutTag)
  }

  /// The form of PCM.
  fileprivate init(_ format: AudioFormat) {
    let numbers = AudioStreamBasicDescription(format)
    self.init(
      mASBD: numbers,
      mChannelLayoutTag: kAudioChannelLayoutTag_Unknown | numbers.mChannelsPerFrame)
  }
}

private let lists = LastingValues { AudioFormatListItem($0) }

/// The forms in which audio can be had, at an address that stays: one, for audio here is linear PCM. Nil for pictures.
///
/// - Parameters:
///   - desc: The audio.
///   - sizeOut: Set to the bytes of the list; to 0 for pictures.
public func CMAudioFormatDescriptionGetFormatList(
  _ desc: CMAudioFormatDescription, sizeOut: UnsafeMutablePointer<Int>?
) -> UnsafePointer<AudioFormatListItem>? {
  let list = lists.address(of: desc)
  sizeOut?.pointee = list == nil ? 0 : MemoryLayout<AudioFormatListItem>.stride
  return list
}

/// The best form in which audio can be had, at an address that stays: the one that it has. Nil for pictures.
public func CMAudioFormatDescriptionGetRichestDecodableFormat(
  _ desc: CMAudioFormatDescription
) -> UnsafePointer<AudioFormatListItem>? {
  lists.address(of: desc)
}

/// The form of audio that most programs can use, at an address that stays: the one that it has. Nil for pictures.
public func CMAudioFormatDescriptionGetMostCompatibleFormat(
  _ desc: CMAudioFormatDescription
) -> UnsafePointer<AudioFormatListItem>? {
  lists.address(of: desc)
}
