/// The memory of a frame while its one producer fills it.
///
/// It cannot be copied, so nothing else sees the memory until ``finish()`` turns it into an immutable frame, without
/// copying or allocating. A buffer that is dropped unfinished releases its memory.
///
/// ```swift
/// var memory = try pool.makeBuffer()
/// memory.withUnsafeMutableBytes(ofPlane: 0) { bytes in fill(bytes) }
/// let frame = memory.finish()
/// ```
public struct MutablePixelBuffer: ~Copyable, Sendable {
  /// The buffer to be finished. No other reference to it exists while this value does.
  private let buffer: PixelBuffer

  /// Allocates a buffer, its contents undefined, rows and planes aligned to 64 bytes.
  ///
  /// - Throws: ``MediaCoreError/Code/invalidDimensions`` or ``MediaCoreError/Code/outOfMemory``.
  public init(_ details: PixelBuffer.Description) throws(MediaCoreError) {
    buffer = try PixelBuffer(allocating: details)
  }

  /// - Parameter buffer: A buffer that has no other reference.
  package init(sole buffer: consuming PixelBuffer) { self.buffer = buffer }

  /// Reuses the memory of a finished buffer; nil if there are other references to it, and for
  /// memory that is neither from the heap nor from a pool.
  ///
  /// - Parameter finished: The last reference. It is nil afterwards in either case.
  package init?(reusing finished: inout PixelBuffer?) {
    let isSole = isKnownUniquelyReferenced(&finished)
    guard let buffer = finished.take(), isSole, buffer.isOwned else { return nil }
    self.buffer = buffer
  }

  /// Layout, size and what else is known of the frame.
  public var details: PixelBuffer.Description { buffer.details }
  /// Planes in memory.
  public var planeCount: Int { buffer.planeCount }
  /// The memory layout.
  public var format: PixelFormat { buffer.format }
  /// Pixels in a row.
  public var width: Int { buffer.width }
  /// Rows of the frame.
  public var height: Int { buffer.height }

  /// Bytes from a row of a plane to the next one.
  public func bytesPerRow(plane index: Int) -> Int { buffer.bytesPerRow(plane: index) }
  /// Rows of a plane, those that only pad it among them.
  package func rows(ofPlane index: Int) -> Int { buffer.plane(index).rows }

  /// Reads and writes a plane's bytes; the pointer is valid during the call only.
  public mutating func withUnsafeMutableBytes<Result: ~Copyable, Failure: Error>(
    ofPlane index: Int, _ body: (UnsafeMutableRawBufferPointer) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let plane = buffer.plane(index)
    return try body(
      UnsafeMutableRawBufferPointer(start: plane.baseAddress, count: plane.byteCount))
  }

  /// Lends all planes at once, for work that fills a row of each in turn.
  package mutating func withPlanes<Failure: Error>(
    _ body: (Planes) throws(Failure) -> Void
  ) throws(Failure) {
    try body(Planes(storage: buffer.storage))
  }

  /// Ends the filling.
  ///
  /// - Returns: The frame, which anyone may read from now on.
  public consuming func finish() -> PixelBuffer { buffer }

  /// The planes of an unfinished frame, valid during the call that lends them.
  package struct Planes {
    let storage: InlineArray<4, PixelBuffer.Plane>

    /// Bytes from a row of a plane to the next one.
    package func bytesPerRow(_ plane: Int) -> Int { storage[plane].bytesPerRow }

    /// The first byte of a row of a plane.
    package func row(_ row: Int, ofPlane plane: Int) -> UnsafeMutableRawPointer {
      storage[plane].baseAddress + row * storage[plane].bytesPerRow
    }
  }
}
