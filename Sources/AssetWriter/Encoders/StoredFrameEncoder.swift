import MediaCore
package import QuickTime

/// Frames that were encoded before.
package protocol EncodedFrameStore: Sendable {
  /// Bytes of a frame, counted from 0.
  func byteCount(ofFrame index: Int64) throws(AssetWriterError) -> Int

  /// Reads all of a frame to the beginning of room that begins with a page and ends with one: what
  /// lies behind the frame may be written over.
  ///
  /// - Returns: The checksum that the frame's encoder noted, for the writer to take as it is: who
  ///   asks for it compares the movie with it. nil where none is known.
  func read(
    frame index: Int64, into room: UnsafeMutableRawBufferPointer
  ) throws(AssetWriterError) -> FrameChecksum?
}

/// Returns the frames of a store instead of encoding.
final class StoredFrameEncoder: FrameEncoder {
  private let store: any EncodedFrameStore
  private static let pageSize = 4096
  private static let largePage = 2 << 20

  init(_ store: any EncodedFrameStore) { self.store = store }

  func encode(_ image: PixelBuffer, into frame: EncodedFrame) throws(AssetWriterError) {
    let (store, index) = (store, frame.index)
    let size = try store.byteCount(ofFrame: index)
    // A large page, which the kernel pins at once for reading and writing past its cache.
    let pages = max((size + Self.pageSize - 1) / Self.pageSize * Self.pageSize, Self.largePage)
    var checksum: FrameChecksum?
    try frame.fill(capacity: pages) { room throws(AssetWriterError) in
      guard room.count >= pages else {
        throw AssetWriterError(.outOfResources, "no memory for a frame of \(size) bytes")
      }
      checksum = try store.read(
        frame: index, into: UnsafeMutableRawBufferPointer(rebasing: room[..<pages]))
      return size
    }
    frame.checksum = checksum
  }
}
