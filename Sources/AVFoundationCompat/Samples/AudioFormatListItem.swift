// swift-format-ignore-file: AlwaysUseLowerCamelCase

public import MediaCore

/// Channels with unknown roles; the lower 16 bits are their number.
public let kAudioChannelLayoutTag_Unknown: AudioChannelLayoutTag = 0xFFFF_0000

/// A format in which audio can be delivered.
public struct AudioFormatListItem: Sendable, Hashable {
  public var mASBD: AudioStreamBasicDescription
  public var mChannelLayoutTag: AudioChannelLayoutTag

  /// An empty format.
  public init() { self.init(mASBD: AudioStreamBasicDescription(), mChannelLayoutTag: 0) }

  public init(mASBD: AudioStreamBasicDescription, mChannelLayoutTag: AudioChannelLayoutTag) {
    (self.mASBD, self.mChannelLayoutTag) = (mASBD, mChannelLayoutTag)
  }

  /// A PCM format.
  fileprivate init(_ format: AudioFormat) {
    let numbers = AudioStreamBasicDescription(format)
    self.init(
      mASBD: numbers,
      mChannelLayoutTag: kAudioChannelLayoutTag_Unknown | numbers.mChannelsPerFrame)
  }
}

private let lists = LastingValues { AudioFormatListItem($0) }

/// The formats in which audio can be delivered, at an address that stays valid. There is one, because audio here is
/// linear PCM. Nil for video.
///
/// - Parameters:
///   - desc: The audio's description.
///   - sizeOut: Set to the size of the list in bytes; 0 for video.
public func CMAudioFormatDescriptionGetFormatList(
  _ desc: CMAudioFormatDescription, sizeOut: UnsafeMutablePointer<Int>?
) -> UnsafePointer<AudioFormatListItem>? {
  let list = lists.address(of: desc)
  sizeOut?.pointee = list == nil ? 0 : MemoryLayout<AudioFormatListItem>.stride
  return list
}

/// The format of the best quality, at an address that stays valid: the audio's own. Nil for video.
public func CMAudioFormatDescriptionGetRichestDecodableFormat(
  _ desc: CMAudioFormatDescription
) -> UnsafePointer<AudioFormatListItem>? {
  lists.address(of: desc)
}

/// The most compatible format, at an address that stays valid: the audio's own. Nil for video.
public func CMAudioFormatDescriptionGetMostCompatibleFormat(
  _ desc: CMAudioFormatDescription
) -> UnsafePointer<AudioFormatListItem>? {
  lists.address(of: desc)
}
