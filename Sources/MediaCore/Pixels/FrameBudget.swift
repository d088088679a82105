/// How much memory pictures may take that wait in a device's buffers or for the encoder: they are the
/// same ones.
package enum FrameBudget {
  /// Bytes of pictures that may wait.
  private static let byteCount = 224 << 20
  /// Pictures that may wait whatever their size: at 30 frames a second a quarter of a second.
  package static let minimumFrames = 8

  /// How many pictures of so many bytes may wait.
  package static func affordableFrames(ofBytes bytes: Int) -> Int {
    max(minimumFrames, byteCount / max(bytes, 1))
  }
}
