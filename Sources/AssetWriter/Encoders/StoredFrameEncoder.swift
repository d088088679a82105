import MediaCore

/// Frames that were encoded before.
package protocol EncodedFrameStore: Sendable {
  /// Bytes of a frame, counted from 0.
  func byteCount(ofFrame index: Int64) throws(AssetWriterError) -> Int

  /// Reads all of a frame.
  func read(frame index: Int64, into room: UnsafeMutableRawBufferPointer) throws(AssetWriterError)
}

/// Gives the frames of a store in place of pictures.
final class StoredFrameEncoder: FrameEncoder {
  private let store: any EncodedFrameStore

  init(_ store: any EncodedFrameStore) { self.store = store }

  func encode(_ picture: PixelBuffer, into frame: EncodedFrame) throws(AssetWriterError) {
    let (store, index) = (store, frame.index)
    let size = try store.byteCount(ofFrame: index)
    try frame.fill(capacity: size) { room throws(AssetWriterError) in
      guard room.count >= size else {
        throw AssetWriterError(.outOfResources, "no memory for a frame of \(size) bytes")
      }
      try store.read(
        frame: index, into: UnsafeMutableRawBufferPointer(rebasing: room[..<size]))
      return size
    }
  }
}
