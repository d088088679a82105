// swift-format-ignore-file: AlwaysUseLowerCamelCase

import AssetWriter
public import Foundation
public import MediaCore
import Synchronization

/// A number of audio frames.
public typealias AVAudioFrameCount = UInt32
/// A position in audio, in frames.
public typealias AVAudioFramePosition = Int64
/// A number of audio channels.
public typealias AVAudioChannelCount = UInt32

/// Common formats of linear PCM.
public enum AVAudioCommonFormat: UInt, Sendable {
  /// Any other: 24-bit integers here.
  case otherFormat = 0
  /// 32-bit floats.
  case pcmFormatFloat32 = 1
  /// 64-bit floats: not supported here.
  case pcmFormatFloat64 = 2
  /// 16-bit integers.
  case pcmFormatInt16 = 3
  /// 32-bit integers.
  case pcmFormatInt32 = 4

  /// The sample format; nil if it is not supported.
  var sampleFormat: AudioFormat.SampleFormat? {
    switch self {
    case .pcmFormatFloat32: .float32
    case .pcmFormatInt16: .int16
    case .pcmFormatInt32: .int32
    case .otherFormat, .pcmFormatFloat64: nil
    }
  }
}

/// A format of audio buffers: linear PCM, or mono or stereo AAC or Apple Lossless.
public final class AVAudioFormat: Sendable, Hashable {
  /// Sample rate, channels and sample format.
  let format: AudioFormat
  /// The compression; nil for linear PCM.
  let compression: AudioOutputSettings?
  private let cookie = Mutex<Data?>(nil)
  /// True for interleaved channels, false if each has its own buffer.
  public let isInterleaved: Bool
  /// Core Audio's description, at an address that is valid as long as the format. If channels are not interleaved,
  /// byte counts are for one channel.
  public var streamDescription: UnsafePointer<AudioStreamBasicDescription> { numbers }
  /// Immutable: set and filled once, in the initializers, before the format is passed on.
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

  /// Compressed audio, which decodes to ``format``.
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

  /// The decoder configuration of compressed audio; nil for none.
  public var magicCookie: Data? {
    get { cookie.withLock { $0 } }
    set { cookie.withLock { $0 = newValue } }
  }

  deinit { numbers.deallocate() }

  /// 32-bit floats, not interleaved.
  ///
  /// - Returns: Nil unless the sample rate is a positive integer and there are 1 to 64 channels.
  public convenience init?(
    standardFormatWithSampleRate sampleRate: Double, channels: AVAudioChannelCount
  ) {
    self.init(
      commonFormat: .pcmFormatFloat32, sampleRate: sampleRate, channels: channels,
      interleaved: false)
  }

  /// A common format.
  ///
  /// - Returns: Nil for ``AVAudioCommonFormat/otherFormat`` and 64-bit floats, and unless the sample rate is a
  ///   positive integer and there are 1 to 64 channels.
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

  /// The format of a description.
  ///
  /// - Returns: Nil unless it is little-endian linear PCM (16, 24 or 32-bit integers, or 32-bit floats), or mono or
  ///   stereo AAC or Apple Lossless.
  public convenience init?(streamDescription asbd: UnsafePointer<AudioStreamBasicDescription>) {
    var numbers = asbd.pointee
    if let settings = Self.settings(of: numbers) {
      self.init(settings)
      return
    }
    let isPlanar = numbers.mFormatFlags & kAudioFormatFlagIsNonInterleaved != 0
    if isPlanar {
      // Its byte counts are for one channel.
      let (width, overflow) = numbers.mBytesPerFrame.multipliedReportingOverflow(
        by: numbers.mChannelsPerFrame)
      guard !overflow else { return nil }
      numbers.mBytesPerFrame = width
      numbers.mFormatFlags &= ~kAudioFormatFlagIsNonInterleaved
    }
    guard let format = AudioFormat(numbers) else { return nil }
    self.init(format, isInterleaved: !isPlanar)
  }

  /// Same as ``init(streamDescription:)``; the layout is ignored.
  public convenience init?(
    streamDescription asbd: UnsafePointer<AudioStreamBasicDescription>,
    channelLayout layout: AudioChannelLayout?
  ) { self.init(streamDescription: asbd) }

  /// The format of audio samples. A format of video has no channels, and no buffers can be made with it.
  public convenience init(cmAudioFormatDescription formatDescription: CMFormatDescription) {
    guard case .audio(let format) = formatDescription else {
      self.init(
        AudioFormat(sampleRate: 0, channelCount: 0, sampleFormat: .int24), isInterleaved: true)
      return
    }
    self.init(format, isInterleaved: true)
  }

  /// The format of settings for linear PCM, AAC or Apple Lossless; sample rate and channel count are required.
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
    guard let wish = try? PlainAudioSettings(settings, of: "a buffer"),
      let rate = wish.sampleRate, let count = wish.channelCount, let stored = wish.sampleFormat
    else { return nil }
    self.init(
      AudioFormat(sampleRate: rate, channelCount: count, sampleFormat: stored),
      isInterleaved: !isPlanar)
  }

  /// Frames per second.
  public var sampleRate: Double { Double(format.sampleRate) }
  /// The number of channels.
  public var channelCount: AVAudioChannelCount { UInt32(clamping: format.channelCount) }
  /// True for 32-bit floats, not interleaved.
  public var isStandard: Bool { commonFormat == .pcmFormatFloat32 && !isInterleaved }
  public var commonFormat: AVAudioCommonFormat {
    if compression != nil { return .otherFormat }
    return switch format.sampleFormat {
    case .int16: .pcmFormatInt16
    case .int24: .otherFormat
    case .int32: .pcmFormatInt32
    case .float32: .pcmFormatFloat32
    }
  }
  /// The format of samples made of such audio: interleaved, and decoded if compressed.
  public var formatDescription: CMAudioFormatDescription { .audio(format) }
  public var settings: [String: Any] {
    compression?.dictionary ?? format.settings(isInterleaved: isInterleaved)
  }

  public static func == (one: AVAudioFormat, other: AVAudioFormat) -> Bool {
    (one.format, one.isInterleaved, one.compression)
      == (other.format, other.isInterleaved, other.compression)
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(format)
    hasher.combine(isInterleaved)
    hasher.combine(compression)
  }
}
