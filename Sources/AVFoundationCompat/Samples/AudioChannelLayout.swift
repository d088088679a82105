// swift-format-ignore-file: AlwaysUseLowerCamelCase

public import MediaCore

/// Identifies a channel layout; the lower 16 bits are the number of channels.
public typealias AudioChannelLayoutTag = UInt32
/// Identifies the role of a channel.
public typealias AudioChannelLabel = UInt32
/// Channels as a set of bits.
public typealias AudioChannelBitmap = UInt32
/// The coordinate system of a channel's position.
public typealias AudioChannelFlags = UInt32
public let kAudioChannelLayoutTag_UseChannelDescriptions: AudioChannelLayoutTag = 0
public let kAudioChannelLayoutTag_UseChannelBitmap: AudioChannelLayoutTag = 1 << 16
public let kAudioChannelLayoutTag_Mono: AudioChannelLayoutTag = 100 << 16 | 1
public let kAudioChannelLayoutTag_Stereo: AudioChannelLayoutTag = 101 << 16 | 2
public let kAudioChannelLayoutTag_StereoHeadphones: AudioChannelLayoutTag = 102 << 16 | 2
public let kAudioChannelLayoutTag_Quadraphonic: AudioChannelLayoutTag = 108 << 16 | 4
public let kAudioChannelLayoutTag_MPEG_5_1_A: AudioChannelLayoutTag = 121 << 16 | 6
public let kAudioChannelLayoutTag_DiscreteInOrder: AudioChannelLayoutTag = 147 << 16

/// The number of channels of a layout tag.
public func AudioChannelLayoutTag_GetNumberOfChannels(_ inLayoutTag: AudioChannelLayoutTag)
  -> UInt32
{
  inLayoutTag & 0xFFFF
}

/// The role of a channel.
public struct AudioChannelDescription: Sendable, Hashable {
  public var mChannelLabel: AudioChannelLabel
  public var mChannelFlags: AudioChannelFlags
  /// The position of the loudspeaker.
  public var mCoordinates: Coordinates

  /// The coordinates of a loudspeaker.
  public struct Coordinates: Sendable, Hashable {
    public var x: Float = 0
    public var y: Float = 0
    public var z: Float = 0
    public init() {}
  }

  /// A channel without a role.
  public init() {
    mChannelLabel = 0
    mChannelFlags = 0
    mCoordinates = Coordinates()
  }
}

/// The roles of channels: a tag, a bitmap or descriptions.
public struct AudioChannelLayout: Sendable, Hashable {
  public var mChannelLayoutTag: AudioChannelLayoutTag
  public var mChannelBitmap: AudioChannelBitmap
  public var mNumberChannelDescriptions: UInt32
  /// The first description; layouts with several cannot be made here.
  public var mChannelDescriptions: AudioChannelDescription

  /// A layout without roles.
  public init() {
    mChannelLayoutTag = 0
    mChannelBitmap = 0
    mNumberChannelDescriptions = 0
    mChannelDescriptions = AudioChannelDescription()
  }

  public init(
    mChannelLayoutTag: AudioChannelLayoutTag, mChannelBitmap: AudioChannelBitmap,
    mNumberChannelDescriptions: UInt32, mChannelDescriptions: AudioChannelDescription
  ) {
    self.mChannelLayoutTag = mChannelLayoutTag
    self.mChannelBitmap = mChannelBitmap
    self.mNumberChannelDescriptions = mNumberChannelDescriptions
    self.mChannelDescriptions = mChannelDescriptions
  }
}

/// Creates a description of audio: signed 16, 24 or 32-bit integers or 32-bit floats, little-endian, interleaved.
///
/// - Parameters:
///   - allocator: Ignored.
///   - asbd: The format.
///   - layoutSize: Ignored.
///   - layout: The channel layout; ignored, because settings have it.
///   - magicCookieSize: Must be 0.
///   - magicCookie: Must be nil.
///   - extensions: Must be nil.
///   - formatDescriptionOut: Set to the description; nil on failure.
/// - Returns: ``kCMFormatDescriptionError_InvalidParameter`` for an unsupported format.
@discardableResult
public func CMAudioFormatDescriptionCreate(
  allocator: CFAllocator?, asbd: UnsafePointer<AudioStreamBasicDescription>, layoutSize: Int,
  layout: UnsafePointer<AudioChannelLayout>?, magicCookieSize: Int, magicCookie: UnsafeRawPointer?,
  extensions: CFDictionary?, formatDescriptionOut: inout CMAudioFormatDescription?
) -> OSStatus {
  formatDescriptionOut = nil
  guard magicCookieSize == 0, let format = AudioFormat(asbd.pointee) else {
    return kCMFormatDescriptionError_InvalidParameter
  }
  formatDescriptionOut = .audio(format)
  return noErr
}

extension AudioFormat {
  /// The format of a description; nil if it is not supported.
  init?(_ numbers: AudioStreamBasicDescription) {
    let isFloat = numbers.mFormatFlags & kAudioFormatFlagIsFloat != 0
    // A single channel is both interleaved and not.
    let isPlanar =
      numbers.mFormatFlags & kAudioFormatFlagIsNonInterleaved != 0 && numbers.mChannelsPerFrame > 1
    guard numbers.mFormatID == kAudioFormatLinearPCM,
      isFloat || numbers.mFormatFlags & kAudioFormatFlagIsSignedInteger != 0,
      numbers.mFormatFlags & kAudioFormatFlagIsBigEndian == 0, !isPlanar,
      let sampleRate = Int(exactly: numbers.mSampleRate), sampleRate > 0,
      (1...64).contains(numbers.mChannelsPerFrame),
      let stored = SampleFormat.allCases.first(where: {
        $0.bitDepth == Int(numbers.mBitsPerChannel) && ($0 == .float32) == isFloat
      })
    else { return nil }
    self.init(
      sampleRate: sampleRate, channelCount: Int(numbers.mChannelsPerFrame), sampleFormat: stored)
    guard Int(numbers.mBytesPerFrame) == bytesPerFrame else { return nil }
  }
}
