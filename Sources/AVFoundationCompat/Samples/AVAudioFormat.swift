// swift-format-ignore-file: AlwaysUseLowerCamelCase

import AssetWriter
public import Foundation
public import MediaCore
import Synchronization

/// Frames of audio.
public typealias AVAudioFrameCount = UInt32
/// A place in audio, in frames.
public typealias AVAudioFramePosition = Int64
/// Channels of audio.
public typealias AVAudioChannelCount = UInt32

/// Kinds of linear PCM.
public enum AVAudioCommonFormat: UInt, Sendable {
  /// Another than the others: 24 bits here.
  case otherFormat = 0
  /// Floats of 32 bits.
  case pcmFormatFloat32 = 1
  /// Floats of 64 bits: nothing here gives or takes them.
  case pcmFormatFloat64 = 2
  /// Whole numbers of 16 bits.
  case pcmFormatInt16 = 3
  /// Whole numbers of 32 bits.
  case pcmFormatInt32 = 4

  /// How samples are stored; nil if nothing here gives or takes them so.
  var sampleFormat: AudioFormat.SampleFormat? {
    switch self {
    case .pcmFormatFloat32: .float32
    case .pcmFormatInt16: .int16
    case .pcmFormatInt32: .int32
    case .otherFormat, .pcmFormatFloat64: nil
    }
  }
}

/// Linear PCM as a buffer holds it, or AAC or Apple Lossless of one or two channels.
public final class AVAudioFormat: Sendable, Hashable {
  /// Rate, channels and how samples are stored.
  let format: AudioFormat
  /// What the audio is compressed to; nil for linear PCM.
  let compression: AudioOutputSettings?
  private let cookie = Mutex<Data?>(nil)
  /// True if channels take turns, false where each has memory of its own.
  public let isInterleaved: Bool
  /// The format in numbers, at an address that is good for as long as the format. Where each channel has memory
  /// of its own, bytes count one channel.
  public var streamDescription: UnsafePointer<AudioStreamBasicDescription> { numbers }
  /// Written once, before anybody reads it.
  nonisolated(unsafe) private let numbers: UnsafePointer<AudioStreamBasicDescription>

  init(_ format: AudioFormat, isInterleaved: Bool) {
    (self.format, self.isInterleaved, compression) = (format, isInterleaved, nil)
    var numbers = AudioStreamBasicDescription(format)
    if !isInterleaved {
      numbers.mFormatFlags |= kAudioFormatFlagIsNonInterleaved
      numbers.mBytesPerFrame /= max(numbers.mChannelsPerFrame, 1)
      numbers.mBytesPerPacket = numbers.mBytesPerFrame
    }
    self.numbers = Self.lasting(numbers)
  }

  /// Compressed audio. What it is decoded to is ``format``.
  init(_ settings: AudioOutputSettings) {
    (format, isInterleaved, compression) = (settings.format, true, settings)
    numbers = Self.lasting(Self.numbers(of: settings))
  }

  private static func lasting(
    _ numbers: AudioStreamBasicDescription
  ) -> UnsafePointer<AudioStreamBasicDescription> {
    let memory = UnsafeMutablePointer<AudioStreamBasicDescription>.allocate(capacity: 1)
    memory.initialize(to: numbers)
    return UnsafePointer(memory)
  }

  /// What a decoder of compressed audio has to be told besides; nil for nothing.
  public var magicCookie: Data? {
    get { cookie.withLock { $0 } }
    set { cookie.withLock { $0 = newValue } }
  }

  deinit { numbers.deallocate() }

  /// Floats of 32 bits, each channel in memory of its own.
  ///
  /// - Returns: Nil unless the rate is a whole number of hertz above 0, and there are 1 to 64 channels.
  public convenience init?(
    standardFormatWithSampleRate sampleRate: Double, channels: AVAudioChannelCount
  ) {
    self.init(
      commonFormat: .pcmFormatFloat32, sampleRate: sampleRate, channels: channels,
      interleaved: false)
  }

  /// One of the common kinds.
  ///
  /// - Returns: Nil for ``AVAudioCommonFormat/otherFormat`` and 64-bit floats; nil unless the rate is a whole
  ///   number of hertz above 0, and there are 1 to 64 channels.
  public convenience init?(
    commonFormat format: AVAudioCommonFormat, sampleRate: Double, channels: AVAudioChannelCount,
    interleaved: Bool
  ) {
    guard let stored = format.sampleFormat, let rate = Int(exactly: sampleRate), rate > 0,
      (1...64).contains(channels)
    else { return nil }
    self.init(
      AudioFormat(sampleRate: rate, channelCount: Int(channels), sampleFormat: stored),
      isInterleaved: interleaved)
  }

  /// What numbers describe.
  ///
  /// - Returns: Nil unless it is little-endian linear PCM (integers of 16, 24 or 32 bits, or 32-bit floats), or AAC
  ///   or Apple Lossless of one or two channels.
  public convenience init?(streamDescription asbd: UnsafePointer<AudioStreamBasicDescription>) {
    var numbers = asbd.pointee
    if let settings = Self.settings(of: numbers) {
      self.init(settings)
      return
    }
    let isPlanar = numbers.mFormatFlags & kAudioFormatFlagIsNonInterleaved != 0
    if isPlanar {
      // Its numbers count one channel.
      let (width, overflow) = numbers.mBytesPerFrame.multipliedReportingOverflow(
        by: numbers.mChannelsPerFrame)
      guard !overflow else { return nil }
      numbers.mBytesPerFrame = width
      numbers.mFormatFlags &= ~kAudioFormatFlagIsNonInterleaved
    }
    guard let format = AudioFormat(numbers) else { return nil }
    self.init(format, isInterleaved: !isPlanar)
  }

  /// As ``init(streamDescription:)``; the layout is ignored.
  public convenience init?(
    streamDescription asbd: UnsafePointer<AudioStreamBasicDescription>,
    channelLayout layout: AudioChannelLayout?
  ) { self.init(streamDescription: asbd) }

  /// The form of a sample's audio. That of pictures has no channel, and no buffer is made of it.
  public convenience init(cmAudioFormatDescription formatDescription: CMFormatDescription) {
    guard case .audio(let format) = formatDescription else {
      self.init(
        AudioFormat(sampleRate: 0, channelCount: 0, sampleFormat: .int24), isInterleaved: true)
      return
    }
    self.init(format, isInterleaved: true)
  }

  /// What settings for linear PCM, AAC or Apple Lossless describe; they have to say rate and channels.
  public convenience init?(settings: [String: Any]) {
    let compressed = try? AudioOutputSettings(dictionary: settings)
    if let compressed, compressed.compression != .none {
      guard Self.isMade(compressed) else { return nil }
      self.init(compressed)
      return
    }
    var settings = settings
    let isPlanar = (settings[AVLinearPCMIsNonInterleaved] as? Bool) == true
    settings[AVLinearPCMIsNonInterleaved] = nil
    guard let wish = try? PlainSoundSettings(settings, of: "a buffer"),
      let rate = wish.sampleRate, let count = wish.channelCount, let stored = wish.sampleFormat
    else { return nil }
    self.init(
      AudioFormat(sampleRate: rate, channelCount: count, sampleFormat: stored),
      isInterleaved: !isPlanar)
  }

  /// Frames a second.
  public var sampleRate: Double { Double(format.sampleRate) }
  /// Samples of a frame.
  public var channelCount: AVAudioChannelCount { UInt32(clamping: format.channelCount) }
  /// True for floats of 32 bits with each channel in memory of its own.
  public var isStandard: Bool { commonFormat == .pcmFormatFloat32 && !isInterleaved }
  /// The kind.
  public var commonFormat: AVAudioCommonFormat {
    if compression != nil { return .otherFormat }
    return switch format.sampleFormat {
    case .int16: .pcmFormatInt16
    case .int24: .otherFormat
    case .int32: .pcmFormatInt32
    case .float32: .pcmFormatFloat32
    }
  }
  /// The form of samples that are made of such audio: interleaved, and of compressed audio what it is decoded to.
  public var formatDescription: CMAudioFormatDescription { .audio(format) }
  /// The format as settings.
  public var settings: [String: Any] {
    compression?.dictionary ?? format.settings(isInterleaved: isInterleaved)
  }

  /// True for the same form.
  public static func == (one: AVAudioFormat, other: AVAudioFormat) -> Bool {
    (one.format, one.isInterleaved, one.compression)
      == (other.format, other.isInterleaved, other.compression)
  }

  /// Feeds the form.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(format)
    hasher.combine(isInterleaved)
    hasher.combine(compression)
  }
}
