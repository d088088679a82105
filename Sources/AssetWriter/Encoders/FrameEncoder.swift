import MediaCore

/// An encoder of one frame at a time, used by one thread at a time.
protocol FrameEncoder: AnyObject {
  /// Encodes a pixel buffer into a frame's bytes.
  func encode(_ image: PixelBuffer, into frame: EncodedFrame) throws(AssetWriterError)

  /// How the system schedules threads of the encoder's own; empty where it has none.
  var threadScheduling: [ThreadScheduling] { get }
}

extension FrameEncoder {
  var threadScheduling: [ThreadScheduling] { [] }
}
