#if canImport(Glibc)
import Glibc
#else
import Musl
#endif

/// Audio levels: sample peak, mean and held peak of each channel, and how often it clipped.
public struct LevelMeter: Sendable {
  /// The most channels that are measured; further ones are left out.
  public static let channelLimit = 16

  /// What a channel's meter shows, in decibels relative to full scale (dBFS): 0 is the largest sample;
  /// nil is digital silence.
  public struct Level: Sendable, Hashable, Codable {
    /// The loudest sample since the last reading.
    public var peak: Double?
    /// The root of the mean square since the last reading; a sine that just reaches full scale has
    /// -3.01.
    public var rms: Double?
    /// The loudest sample of the last ``holdTime``.
    public var held: Double?
    /// How often the channel reached full scale, since the meter began: neighboring samples at full scale
    /// count as one.
    public var clips = 0

    /// A level; silence unless told otherwise.
    public init(
      peak: Double? = nil, rms: Double? = nil, held: Double? = nil, clips: Int = 0
    ) {
      self.peak = peak
      self.rms = rms
      self.held = held
      self.clips = clips
    }
  }

  fileprivate struct Channel {
    var peak = 0.0
    var squares = 0.0
    var held = 0.0
    var heldAt = -Double.infinity
    var clips = 0
    var isClipping = false
  }

  /// Seconds for which a peak is held.
  public let holdTime: Double
  private var channels: [Channel] = []
  private var frameCount = 0

  /// A meter that has heard nothing.
  public init(holdTime: Double = 2) { self.holdTime = holdTime }

  /// Measures a run of audio. A run with a different number of channels starts again.
  ///
  /// - Parameters:
  ///   - buffer: Integer PCM; channels beyond ``channelLimit`` are omitted.
  ///   - seconds: When it ended, on a clock that does not jump.
  public mutating func measure(_ buffer: AudioBuffer, at seconds: Double) {
    let count = min(buffer.format.channelCount, Self.channelLimit)
    if channels.count != count {
      channels = [Channel](repeating: Channel(), count: count)
      frameCount = 0
    }
    let frames = buffer.frameCount
    let format = buffer.format
    buffer.bytes.withUnsafeBytes { bytes in
      for channel in 0..<count {
        channels[channel].measure(bytes, format, channel, frames)
      }
    }
    frameCount += frames
    for index in channels.indices { channels[index].hold(at: seconds, for: holdTime) }
  }

  /// The levels now; peak and mean begin anew.
  public mutating func read() -> [Level] {
    defer {
      frameCount = 0
      for index in channels.indices {
        channels[index].peak = 0
        channels[index].squares = 0
      }
    }
    return channels.map { channel in
      Level(
        peak: Self.decibels(channel.peak),
        rms: frameCount > 0
          ? Self.decibels((channel.squares / Double(frameCount)).squareRoot()) : nil,
        held: Self.decibels(channel.held), clips: channel.clips)
    }
  }

  /// A magnitude, 1 being full scale, in decibels to a hundredth; nil for none.
  package static func decibels(_ magnitude: Double) -> Double? {
    magnitude > 0 ? (20 * log10(magnitude) * 100).rounded() / 100 : nil
  }
}

extension LevelMeter.Channel {
  fileprivate mutating func measure(
    _ bytes: UnsafeRawBufferPointer, _ format: AudioFormat, _ channel: Int, _ frames: Int
  ) {
    let width = format.sampleFormat.byteCount
    let step = format.bytesPerFrame
    let full = Int64(1) << Int64(format.sampleFormat.bitDepth - 1)
    var largest: Int64 = 0
    var squares = 0.0
    var place = channel * width
    for _ in 0..<frames {
      // The bytes at the top of 32 bits, so that the sign is where it belongs.
      var word: UInt32 = 0
      for byte in 0..<width {
        word |= UInt32(bytes[place &+ byte]) &<< UInt32(8 &* (byte &+ 4 &- width))
      }
      let sample = Int64(Int32(bitPattern: word) &>> Int32(8 &* (4 &- width)))
      let magnitude = abs(sample)
      largest = max(largest, magnitude)
      squares += Double(sample) * Double(sample)
      let isFull = magnitude >= full - 1
      if isFull, !isClipping { clips += 1 }
      isClipping = isFull
      place &+= step
    }
    peak = max(peak, Double(largest) / Double(full))
    self.squares += squares / (Double(full) * Double(full))
  }

  fileprivate mutating func hold(at seconds: Double, for time: Double) {
    if peak >= held || seconds - heldAt > time {
      held = peak
      heldAt = seconds
    }
  }
}
