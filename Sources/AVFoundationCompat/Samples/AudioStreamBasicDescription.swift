// swift-format-ignore-file: AlwaysUseLowerCamelCase

public import MediaCore

/// How samples are stored, as bits.
public typealias AudioFormatFlags = UInt32
/// Samples are floats, always 32-bit here.
public let kAudioFormatFlagIsFloat: AudioFormatFlags = 1 << 0
/// Samples are big-endian. Not supported here.
public let kAudioFormatFlagIsBigEndian: AudioFormatFlags = 1 << 1
/// Each channel has its own buffer. Only in ``AVAudioPCMBuffer``: samples for writers are interleaved.
public let kAudioFormatFlagIsNonInterleaved: AudioFormatFlags = 1 << 5
/// Samples are signed integers.
public let kAudioFormatFlagIsSignedInteger: AudioFormatFlags = 1 << 2
/// Samples have no unused bits.
public let kAudioFormatFlagIsPacked: AudioFormatFlags = 1 << 3
/// Samples are aligned to the high end of larger words. Not supported here.
public let kAudioFormatFlagIsAlignedHigh: AudioFormatFlags = 1 << 4
/// Audio that must not be mixed. Not supported here.
public let kAudioFormatFlagIsNonMixable: AudioFormatFlags = 1 << 6
/// No flags, where 0 would mean unknown flags.
public let kAudioFormatFlagsAreAllClear: AudioFormatFlags = 1 << 31

/// Core Audio's description of a format. A packet of PCM is a frame: a sample of each channel.
public struct AudioStreamBasicDescription: Sendable, Hashable {
  /// Frames per second.
  public var mSampleRate: Double
  /// The codec: always ``kAudioFormatLinearPCM`` in descriptions from this module.
  public var mFormatID: AudioFormatID
  /// How samples are stored.
  public var mFormatFlags: AudioFormatFlags
  public var mBytesPerPacket: UInt32
  public var mFramesPerPacket: UInt32
  public var mBytesPerFrame: UInt32
  public var mChannelsPerFrame: UInt32
  /// Bits per sample.
  public var mBitsPerChannel: UInt32
  /// Always 0.
  public var mReserved: UInt32

  /// All zeros.
  public init() {
    self.init(
      mSampleRate: 0, mFormatID: 0, mFormatFlags: 0, mBytesPerPacket: 0, mFramesPerPacket: 0,
      mBytesPerFrame: 0, mChannelsPerFrame: 0, mBitsPerChannel: 0, mReserved: 0)
  }

  public init(
    mSampleRate: Double, mFormatID: AudioFormatID, mFormatFlags: AudioFormatFlags,
    mBytesPerPacket: UInt32, mFramesPerPacket: UInt32, mBytesPerFrame: UInt32,
    mChannelsPerFrame: UInt32, mBitsPerChannel: UInt32, mReserved: UInt32
  ) {
    self.mSampleRate = mSampleRate
    self.mFormatID = mFormatID
    self.mFormatFlags = mFormatFlags
    self.mBytesPerPacket = mBytesPerPacket
    self.mFramesPerPacket = mFramesPerPacket
    self.mBytesPerFrame = mBytesPerFrame
    self.mChannelsPerFrame = mChannelsPerFrame
    self.mBitsPerChannel = mBitsPerChannel
    self.mReserved = mReserved
  }

  /// The description of a format.
  init(_ format: AudioFormat) {
    let bytes = UInt32(clamping: format.bytesPerFrame)
    self.init(
      mSampleRate: Double(format.sampleRate), mFormatID: kAudioFormatLinearPCM,
      mFormatFlags: kAudioFormatFlagIsPacked
        | (format.sampleFormat == .float32
          ? kAudioFormatFlagIsFloat : kAudioFormatFlagIsSignedInteger),
      mBytesPerPacket: bytes, mFramesPerPacket: 1, mBytesPerFrame: bytes,
      mChannelsPerFrame: UInt32(clamping: format.channelCount),
      mBitsPerChannel: UInt32(clamping: format.sampleFormat.bitDepth), mReserved: 0)
  }
}

extension FormatDescription {
  /// Core Audio's description; nil for video.
  public var audioStreamBasicDescription: AudioStreamBasicDescription? {
    if case .audio(let format) = self { AudioStreamBasicDescription(format) } else { nil }
  }
}

private let descriptions = LastingValues { AudioStreamBasicDescription($0) }

/// Core Audio's description, at an address that stays valid; nil for video.
public func CMAudioFormatDescriptionGetStreamBasicDescription(
  _ desc: CMAudioFormatDescription
) -> UnsafePointer<AudioStreamBasicDescription>? {
  descriptions.address(of: desc)
}
