// swift-format-ignore-file: AlwaysUseLowerCamelCase

public import MediaCore

/// Names an order of channels; the lower 16 bits are their number.
public typealias AudioChannelLayoutTag = UInt32
/// Names a channel.
public typealias AudioChannelLabel = UInt32
/// Channels in the order of their bits.
public typealias AudioChannelBitmap = UInt32
/// How the coordinates of a channel are meant.
public typealias AudioChannelFlags = UInt32
public let kAudioChannelLayoutTag_UseChannelDescriptions: AudioChannelLayoutTag = 0
public let kAudioChannelLayoutTag_UseChannelBitmap: AudioChannelLayoutTag = 1 << 16
public let kAudioChannelLayoutTag_Mono: AudioChannelLayoutTag = 100 << 16 | 1
public let kAudioChannelLayoutTag_Stereo: AudioChannelLayoutTag = 101 << 16 | 2
public let kAudioChannelLayoutTag_StereoHeadphones: AudioChannelLayoutTag = 102 << 16 | 2
public let kAudioChannelLayoutTag_Quadraphonic: AudioChannelLayoutTag = 108 << 16 | 4
public let kAudioChannelLayoutTag_MPEG_5_1_A: AudioChannelLayoutTag = 121 << 16 | 6
public let kAudioChannelLayoutTag_DiscreteInOrder: AudioChannelLayoutTag = 147 << 16

/// The number of channels that a tag stands for.
public func AudioChannelLayoutTag_GetNumberOfChannels(_ inLayoutTag: AudioChannelLayoutTag)
  -> UInt32
{
  inLayoutTag & 0xFFFF
}

/// What one channel is for.
public struct AudioChannelDescription: Sendable, Hashable {
  public var mChannelLabel: AudioChannelLabel
  public var mChannelFlags: AudioChannelFlags
  /// Where the loudspeaker stands.
  public var mCoordinates: Coordinates

  /// Three numbers.
  public struct Coordinates: Sendable, Hashable {
    public var x: Float = 0
    public var y: Float = 0
    public var z: Float = 0
    /// Zeros.
    public init() {}
  }

  /// A channel of no meaning.
  public init() {
    mChannelLabel = 0
    mChannelFlags = 0
    mCoordinates = Coordinates()
  }
}

/// What channels are for: a tag, a bitmap or a description.
public struct AudioChannelLayout: Sendable, Hashable {
  public var mChannelLayoutTag: AudioChannelLayoutTag
  public var mChannelBitmap: AudioChannelBitmap
  public var mNumberChannelDescriptions: UInt32
  /// The first description; layouts with several are not made here.
  public var mChannelDescriptions: AudioChannelDescription

  /// A layout of no meaning.
  public init() {
    mChannelLayoutTag = 0
    mChannelBitmap = 0
    mNumberChannelDescriptions = 0
    mChannelDescriptions = AudioChannelDescription()
  }

  /// A layout from its parts.
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

/// Describes audio: PCM of 16, 24 or 32 bits, signed, or of floats of 32 bits; little-endian, interleaved.
///
/// - Parameters:
///   - allocator: Ignored.
///   - asbd: The numbers.
///   - layoutSize: Ignored.
///   - layout: What the channels are for; ignored, for settings have it.
///   - magicCookieSize: 0.
///   - magicCookie: Nil.
///   - extensions: Nil.
///   - formatDescriptionOut: Set to the description; nil if there is none.
/// - Returns: ``kCMFormatDescriptionError_InvalidParameter`` for audio of another kind.
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
  /// The format that numbers describe; nil for one that is not stored here.
  init?(_ numbers: AudioStreamBasicDescription) {
    let isFloat = numbers.mFormatFlags & kAudioFormatFlagIsFloat != 0
    // A channel alone takes turns with nobody.
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
