// swift-format-ignore-file: AlwaysUseLowerCamelCase

public import MediaCore

/// How a format stores samples, as bits.
public typealias AudioFormatFlags = UInt32
/// Samples are floating-point numbers, of 32 bits here.
public let kAudioFormatFlagIsFloat: AudioFormatFlags = 1 << 0
/// The first byte of a sample is the most significant: nothing here gives or takes it.
public let kAudioFormatFlagIsBigEndian: AudioFormatFlags = 1 << 1
/// Each channel has a buffer of its own: in ``AVAudioPCMBuffer`` alone, samples of audio are interleaved.
public let kAudioFormatFlagIsNonInterleaved: AudioFormatFlags = 1 << 5
/// Samples are signed whole numbers.
public let kAudioFormatFlagIsSignedInteger: AudioFormatFlags = 1 << 2
/// Samples have no bits that mean nothing.
public let kAudioFormatFlagIsPacked: AudioFormatFlags = 1 << 3
/// Samples lie at the high end of more bytes than they need: nothing here gives or takes such.
public let kAudioFormatFlagIsAlignedHigh: AudioFormatFlags = 1 << 4
/// Audio that is not to be mixed with others': nothing here gives or takes it.
public let kAudioFormatFlagIsNonMixable: AudioFormatFlags = 1 << 6
/// Stands for no flags where 0 would mean that they are not known.
public let kAudioFormatFlagsAreAllClear: AudioFormatFlags = 1 << 31

/// What audio is, in numbers. A packet of PCM is a frame: a sample of each channel.
public struct AudioStreamBasicDescription: Sendable, Hashable {
  /// Frames a second.
  public var mSampleRate: Double
  /// The codec: ``kAudioFormatLinearPCM`` in what this module gives.
  public var mFormatID: AudioFormatID
  /// How samples are stored.
  public var mFormatFlags: AudioFormatFlags
  /// Bytes of a packet.
  public var mBytesPerPacket: UInt32
  /// Frames of a packet.
  public var mFramesPerPacket: UInt32
  /// Bytes of a frame.
  public var mBytesPerFrame: UInt32
  /// Samples of a frame.
  public var mChannelsPerFrame: UInt32
  /// Bits of a sample.
  public var mBitsPerChannel: UInt32
  /// Always 0.
  public var mReserved: UInt32

  /// Nothing known: zeros.
  public init() {
    self.init(
      mSampleRate: 0, mFormatID: 0, mFormatFlags: 0, mBytesPerPacket: 0, mFramesPerPacket: 0,
      mBytesPerFrame: 0, mChannelsPerFrame: 0, mBitsPerChannel: 0, mReserved: 0)
  }

  /// A description from its numbers.
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

  /// The numbers of a format.
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
  /// What the audio is, in numbers; nil for pictures.
  public var audioStreamBasicDescription: AudioStreamBasicDescription? {
    if case .audio(let format) = self { AudioStreamBasicDescription(format) } else { nil }
  }
}

private let descriptions = LastingValues { AudioStreamBasicDescription($0) }

/// What the audio is, in numbers, at an address that stays; nil for pictures.
public func CMAudioFormatDescriptionGetStreamBasicDescription(
  _ desc: CMAudioFormatDescription
) -> UnsafePointer<AudioStreamBasicDescription>? {
  descriptions.address(of: desc)
}
