/// How much memory frames may take that wait in a device's buffers or for the encoder: they are the
/// same ones.
package enum FrameBudget {
  /// Bytes of frames that may wait.
  private static let byteCount = 224 << 20
  /// Frames that may wait whatever their size: a quarter of a second at 30 frames a second.
  package static let minimumFrames = 8

  /// How many frames of so many bytes may wait.
  package static func affordableFrames(ofBytes bytes: Int) -> Int {
    max(minimumFrames, byteCount / max(bytes, 1))
  }
}
