package import Synchronization

#if canImport(Glibc)
import Glibc
#else
import Musl
#endif

/// A frame or image in memory, in the layout its source delivered it in.
///
/// Nobody writes to it: it is filled as a ``MutablePixelBuffer``, which has one owner, or comes
/// from memory that its driver has filled. The memory goes back to where it came from (a pool, a
/// driver's queue, the heap) when the last reference is gone.
public final class PixelBuffer: @unchecked Sendable {
  // Sendable: every field is immutable or guarded, and only `MutablePixelBuffer` writes to the memory, while it
  // holds the one reference.

  /// One plane of the buffer.
  public struct Plane {
    /// The first byte of the first row.
    let baseAddress: UnsafeMutableRawPointer
    /// Bytes from a row to the next one.
    public let bytesPerRow: Int
    public let rows: Int

    /// Bytes from the first row's start to the last row's end.
    public var byteCount: Int { bytesPerRow * rows }

    /// A plane over memory of at least `bytesPerRow * rows` bytes.
    public init(baseAddress: UnsafeMutableRawPointer, bytesPerRow: Int, rows: Int) {
      self.baseAddress = baseAddress
      self.bytesPerRow = bytesPerRow
      self.rows = rows
    }
  }

  /// What a frame is, apart from its memory.
  public struct Description: Hashable, Sendable {
    /// The memory layout.
    public var format: PixelFormat
    /// Pixels in a row.
    public var width: Int
    /// Rows of the frame, both fields together.
    public var height: Int
    /// What the numbers mean.
    public var color: ColorDescription
    /// Progressive, or the order of the two fields.
    public var fieldOrder: FieldOrder
    /// The shape of a pixel, width to height.
    public var pixelAspectRatio: PixelAspectRatio
    /// Where chroma sits that pixels share; of no meaning where each has its own.
    public var chromaSiting: ChromaSiting

    /// A description; progressive BT.709 with square pixels unless told otherwise.
    public init(
      format: PixelFormat, width: Int, height: Int, color: ColorDescription = .bt709,
      fieldOrder: FieldOrder = .progressive, pixelAspectRatio: PixelAspectRatio = .square,
      chromaSiting: ChromaSiting = .left
    ) {
      self.format = format
      self.width = width
      self.height = height
      self.color = color
      self.fieldOrder = fieldOrder
      self.pixelAspectRatio = pixelAspectRatio
      self.chromaSiting = chromaSiting
    }
  }

  /// Layout, size and what else is known of the frame.
  public let details: Description
  /// Planes in memory.
  public let planeCount: Int
  let storage: InlineArray<4, Plane>
  /// True for memory of the heap or a pool, false for memory that somebody else owns.
  let isOwned: Bool
  private let release: (@Sendable () -> Void)?
  /// A program's notes on the frame; nil until it makes any.
  package let attachments = Mutex<AttachmentStore?>(nil)

  /// The memory layout.
  public var format: PixelFormat { details.format }
  /// Pixels in a row.
  public var width: Int { details.width }
  /// Rows of the frame.
  public var height: Int { details.height }
  /// What the numbers mean.
  public var color: ColorDescription { details.color }
  /// Progressive, or the order of the two fields.
  public var fieldOrder: FieldOrder { details.fieldOrder }

  /// Wraps memory that somebody else owns.
  ///
  /// - Parameters:
  ///   - details: Layout, size and what else is known of the frame.
  ///   - planes: As many as the format has, each with rows no shorter than the format needs.
  ///   - release: Called once, on any thread, when the buffer is no longer used; the memory stays
  ///     valid until then.
  /// - Throws: ``MediaCoreError/Code/invalidDimensions`` or ``MediaCoreError/Code/invalidLayout``.
  public convenience init(
    _ details: Description, planes: [Plane], release: (@Sendable () -> Void)?
  ) throws(MediaCoreError) {
    try self.init(details, planes: planes, isOwned: false, release: release)
  }

  init(
    _ details: Description, planes: [Plane], isOwned: Bool, release: (@Sendable () -> Void)?
  ) throws(MediaCoreError) {
    try Self.validate(details)
    let format = details.format
    guard planes.count == format.planeCount, let first = planes.first else {
      throw MediaCoreError(
        .invalidLayout, "\(format) has \(format.planeCount) planes, not \(planes.count)")
    }
    for (index, plane) in planes.enumerated() {
      let least = format.sampleBytesPerRow(plane: index, width: details.width)
      let rows = format.rows(plane: index, height: details.height)
      guard plane.bytesPerRow >= least, plane.rows >= rows,
        !plane.bytesPerRow.multipliedReportingOverflow(by: plane.rows).overflow
      else {
        throw MediaCoreError(
          .invalidLayout,
          "plane \(index) of \(details.width)x\(details.height) \(format) needs \(rows) rows of "
            + "\(least) bytes, not \(plane.rows) of \(plane.bytesPerRow)")
      }
    }
    self.details = details
    self.planeCount = planes.count
    self.storage = InlineArray { index in index < planes.count ? planes[index] : first }
    self.isOwned = isOwned
    self.release = release
  }

  /// Allocates a buffer, its contents undefined, rows and planes aligned to 64 bytes.
  ///
  /// - Throws: ``MediaCoreError/Code/invalidDimensions`` or ``MediaCoreError/Code/outOfMemory``.
  convenience init(allocating details: Description) throws(MediaCoreError) {
    let layout = try Layout(details)
    let memory = try layout.allocate()
    let owner = OwnedAddress(memory)
    try self.init(details, planes: layout.planes(at: memory), isOwned: true) { free(owner.address) }
  }

  deinit { release?() }

  /// The geometry of a plane; `index` is below ``planeCount``, as an array's is below its count.
  public func plane(_ index: Int) -> Plane {
    precondition(index >= 0 && index < planeCount, "the buffer has \(planeCount) planes")
    return storage[index]
  }

  /// Bytes from a row of a plane to the next one.
  public func bytesPerRow(plane index: Int) -> Int { plane(index).bytesPerRow }

  /// Reads a plane's bytes; the pointer is valid during the call only.
  public func withUnsafeBytes<Result: ~Copyable, Failure: Error>(
    ofPlane index: Int, _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let plane = plane(index)
    return try body(UnsafeRawBufferPointer(start: plane.baseAddress, count: plane.byteCount))
  }

  /// Where a plane begins, for callers of C that promise to be its only writer.
  package func unsafeAddress(ofPlane index: Int) -> UnsafeMutableRawPointer {
    plane(index).baseAddress
  }

  private static func validate(_ details: Description) throws(MediaCoreError) {
    guard (1...16_384).contains(details.width), (1...16_384).contains(details.height) else {
      throw MediaCoreError(
        .invalidDimensions,
        "invalid frame size \(details.width)x\(details.height); each side is 1 to 16384")
    }
  }

  /// Where planes lie in one block of memory.
  struct Layout: Sendable {
    let byteCount: Int
    private let offsets: [(offset: Int, bytesPerRow: Int, rows: Int)]

    init(_ details: Description) throws(MediaCoreError) {
      try PixelBuffer.validate(details)
      var offset = 0
      var offsets: [(offset: Int, bytesPerRow: Int, rows: Int)] = []
      for plane in 0..<details.format.planeCount {
        let least = details.format.minimumBytesPerRow(plane: plane, width: details.width)
        let bytesPerRow = (least + 63) / 64 * 64
        let rows = details.format.rows(plane: plane, height: details.height)
        offsets.append((offset, bytesPerRow, rows))
        offset += bytesPerRow * rows
      }
      self.offsets = offsets
      // Readers load whole vectors: a row's end may be read past by up to one.
      self.byteCount = offset + 64
    }

    func allocate() throws(MediaCoreError) -> UnsafeMutableRawPointer {
      guard let memory = ImageMemory.allocate(byteCount: byteCount) else {
        throw MediaCoreError(.outOfMemory, "no memory for a frame of \(byteCount) bytes")
      }
      return memory
    }

    func planes(at memory: UnsafeMutableRawPointer) -> [Plane] {
      offsets.map {
        Plane(
          baseAddress: memory + $0.offset, bytesPerRow: $0.bytesPerRow, rows: $0.rows)
      }
    }
  }
}
