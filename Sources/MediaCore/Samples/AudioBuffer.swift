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
        "\(bytes.count) bytes do not make whole audio frames of \(format.bytesPerFrame) bytes")
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

  /// Frames: one sample of every channel each.
  public var frameCount: Int { bytes.count / format.bytesPerFrame }

  /// The exact duration.
  public var duration: MediaTime { format.duration(ofFrames: frameCount) }
}
