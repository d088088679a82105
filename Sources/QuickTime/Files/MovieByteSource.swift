/// Bytes that a movie can be read from.
public protocol MovieByteSource: AnyObject {
  /// What messages call the source: its path.
  var name: String { get }

  /// The number of bytes at present.
  func size() throws(QuickTimeError) -> UInt64

  /// Reads into `buffer` from `offset` on.
  ///
  /// - Returns: Bytes read: fewer than the buffer holds only where the source ends, 0 at or beyond
  ///   its end.
  func read(
    into buffer: UnsafeMutableRawBufferPointer, at offset: UInt64
  ) throws(QuickTimeError) -> Int
}

extension MovieByteSource {
  /// Reads up to `count` bytes from `offset` on; fewer only where the source ends.
  ///
  /// `count` comes from the caller and is bounded by it; memory is taken for no more than the
  /// source still has.
  func bytes(at offset: UInt64, count: Int) throws(QuickTimeError) -> [UInt8] {
    let end = try size()
    guard offset < end, count > 0 else { return [] }
    let wanted = Int(min(UInt64(count), end - offset))
    var failure: QuickTimeError?
    let bytes = [UInt8](unsafeUninitializedCapacity: wanted) { buffer, filled in
      do throws(QuickTimeError) {
        filled = try read(
          into: UnsafeMutableRawBufferPointer(
            rebasing: UnsafeMutableRawBufferPointer(buffer)[..<wanted]),
          at: offset)
      } catch {
        failure = error
      }
    }
    if let failure { throw failure }
    return bytes
  }
}
