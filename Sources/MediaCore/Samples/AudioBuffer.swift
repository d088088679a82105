/// A run of interleaved PCM. Filled once by its producer, then only read.
public struct AudioBuffer: Sendable {
  /// How the samples are stored.
  public let format: AudioFormat
  /// The interleaved samples, little-endian; a whole number of frames.
  public let bytes: [UInt8]

  /// A run from its bytes.
  ///
  /// - Throws: ``MediaCoreError/Code/invalidLayout`` where the bytes are no whole number of frames.
  public init(format: AudioFormat, bytes: [UInt8]) throws(MediaCoreError) {
    guard format.bytesPerFrame > 0, bytes.count % format.bytesPerFrame == 0 else {
      throw MediaCoreError(
        .invalidLayout,
        "\(bytes.count) bytes are not a whole number of audio frames of \(format.bytesPerFrame) bytes"
      )
    }
    self.format = format
    self.bytes = bytes
  }

  private init(_ format: AudioFormat, whole bytes: [UInt8]) {
    (self.format, self.bytes) = (format, bytes)
  }

  /// As many frames of the same format, with other samples.
  ///
  /// - Parameter change: Changes a copy of ``bytes``.
  package func changed(_ change: (inout MutableSpan<UInt8>) -> Void) -> AudioBuffer {
    var copy = bytes
    var span = copy.mutableSpan
    change(&span)
    return AudioBuffer(format, whole: copy)
  }

  /// Some of its frames.
  ///
  /// - Parameter frames: From 0; those that it does not have are left out.
  package func part(_ frames: Range<Int>) -> AudioBuffer {
    let kept = frames.clamped(to: 0..<frameCount)
    let step = format.bytesPerFrame
    return AudioBuffer(
      format, whole: Array(bytes[kept.lowerBound * step..<kept.upperBound * step]))
  }

  /// Copies channels into another order.
  ///
  /// - Parameter channels: For each channel of the result, the source channel from 0; silence for a negative number.
  ///   All are below this buffer's number of channels.
  package func withChannels(_ channels: [Int]) -> AudioBuffer {
    var wanted = format
    wanted.channelCount = channels.count
    let (width, step) = (format.sampleFormat.byteCount, format.bytesPerFrame)
    let silence = [UInt8](repeating: 0, count: width)
    var mapped: [UInt8] = []
    mapped.reserveCapacity(frameCount * wanted.bytesPerFrame)
    for frame in stride(from: 0, to: bytes.count, by: step) {
      for channel in channels {
        let place = frame + channel * width
        if channel < 0 { mapped += silence } else { mapped += bytes[place..<place + width] }
      }
    }
    return AudioBuffer(wanted, whole: mapped)
  }

  /// Frames: one sample of every channel each.
  public var frameCount: Int { bytes.count / format.bytesPerFrame }

  /// The exact duration.
  public var duration: MediaTime { format.duration(ofFrames: frameCount) }
}
