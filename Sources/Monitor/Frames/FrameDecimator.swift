public import MediaCore

/// Scales frames down for monitoring.
///
/// Each sample of the result is the mean of consecutive samples in a source row, over one or two of
/// the rows that it represents. Other rows are not read: half of the frame for UHD, seven eighths
/// for 8K. Finer detail is averaged along rows, but may alias across them.
public struct FrameDecimator: Sendable {
  /// The default limit of a preview's size.
  public static let standardDimensions = VideoDimensions(width: 960, height: 540)

  /// The format of the sources.
  public let source: PixelBuffer.Description
  /// The size of the results.
  public let dimensions: VideoDimensions
  private let unpacker: FrameUnpacker
  private let lumaGroups: SampleGroups
  private let chromaGroups: SampleGroups
  /// The number of source rows read for each row of the result.
  private let rowsPerRow: Int
  /// The fast path; nil for layouts and sizes that it does not support.
  private let short: RowMeans?

  /// The luma samples that may be read for a frame, before two source rows for each row become
  /// one.
  private static let sampleBudget = 4_200_000

  /// A decimator for frames of one format.
  ///
  /// - Parameters:
  ///   - source: The frames' format: any layout except a sensor mosaic, at least two pixels wide.
  ///   - limit: The maximum size of the results. The aspect ratio is kept, and nothing is enlarged.
  /// - Throws: `MediaCoreError.Code.unsupportedConversion` for a mosaic,
  ///   `MediaCoreError.Code.invalidDimensions` if the source or the limit is too small.
  public init(
    from source: PixelBuffer.Description, atMost limit: VideoDimensions = standardDimensions
  ) throws(MediaCoreError) {
    guard source.width >= 2, source.height >= 1, limit.width >= 2, limit.height >= 1 else {
      throw MediaCoreError(
        .invalidDimensions,
        "no preview of at most \(limit) can be created from \(source.width)x\(source.height) pixels"
      )
    }
    try Self.check(source)
    self.source = source
    unpacker = try FrameUnpacker(from: source, to: .yuv422p10)
    let size = Self.size(of: source, atMost: limit)
    try PreviewFrame.check(width: size.width, height: size.height)
    dimensions = size
    lumaGroups = SampleGroups(of: source.width, into: size.width)
    chromaGroups = SampleGroups(of: (source.width + 1) / 2, into: size.width / 2)
    short = RowMeans(source, into: size.width)
    let span = source.height / size.height
    rowsPerRow = max(1, min(span, 2, Self.sampleBudget / (source.width * size.height)))
  }

  /// Refuses formats without a preview.
  static func check(_ source: PixelBuffer.Description) throws(MediaCoreError) {
    guard source.width >= 2, source.height >= 1 else {
      throw MediaCoreError(
        .invalidDimensions, "no preview can be created from \(source.width)x\(source.height) pixels"
      )
    }
    guard !source.format.isBayer else {
      throw MediaCoreError(
        .unsupportedConversion,
        "\(source.format) is a sensor mosaic, which has no preview; choose a format "
          + "with luma and chroma")
    }
  }

  private static func size(
    of source: PixelBuffer.Description, atMost limit: VideoDimensions
  ) -> VideoDimensions {
    let (width, height) = (source.width, source.height)
    var (newWidth, newHeight) = (min(width, limit.width, 4096), min(height, limit.height, 4096))
    // The side that exceeds its limit by the larger factor decides.
    if width * newHeight > height * newWidth {
      newHeight = max((height * newWidth + width / 2) / width, 1)
    } else {
      newWidth = max(width * newHeight / height, 2)
    }
    return VideoDimensions(width: max(newWidth / 2 * 2, 2), height: newHeight)
  }

  /// The source rows for a row of the result, from the top.
  func sourceRows(of row: Int) -> [Int] {
    (0..<rowsPerRow).map { sourceRow($0, of: row) }
  }

  private func sourceRow(_ place: Int, of row: Int) -> Int {
    let first = row * source.height / dimensions.height
    let span = (row + 1) * source.height / dimensions.height - first
    return first + (2 * place + 1) * span / (2 * rowsPerRow)
  }

  /// Scales a frame down.
  ///
  /// - Throws: `MediaCoreError.Code.invalidLayout` if the frame does not have the described
  ///   format, `MediaCoreError.Code.outOfMemory`.
  public func decimate(_ frame: PixelBuffer) throws(MediaCoreError) -> PreviewFrame {
    var nothing: PreviewFrame?
    return try decimate(frame, replacing: &nothing)
  }

  /// Like ``decimate(_:)``, reusing the memory of an earlier frame: getting new memory from the
  /// system takes about as long as reading the rows.
  ///
  /// - Parameter earlier: A frame that is no longer needed; set to nil. Copies of it held
  ///   elsewhere stay intact.
  /// - Throws: Errors of ``decimate(_:)``.
  public func decimate(
    _ frame: PixelBuffer, replacing earlier: inout PreviewFrame?
  ) throws(MediaCoreError) -> PreviewFrame {
    var planes = Planes(dimensions, replacing: &earlier)
    if let short, frame.details == source {
      decimate(frame, short, &planes)
    } else {
      var work = Work(self, planes)
      planes = Planes()
      let rows = (0..<dimensions.height).lazy.flatMap { sourceRows(of: $0) }
      try unpacker.forEachRow(rows, of: frame) { row in
        work.take(row, lumaGroups, chromaGroups)
      }
      planes = work.planes
    }
    return PreviewFrame(
      dimensions.width, dimensions.height, unpacker.destination.color, aspect,
      VideoDimensions(width: source.width, height: source.height), planes.luma, planes.cb,
      planes.cr)
  }

  /// The fast path.
  private func decimate(_ frame: PixelBuffer, _ means: RowMeans, _ planes: inout Planes) {
    let (width, half) = (dimensions.width, dimensions.width / 2)
    planes.withCodes { y, u, v in
      means.withRows(of: frame) { rows in
        for row in 0..<dimensions.height {
          let (first, last) = (sourceRow(0, of: row), sourceRow(rowsPerRow - 1, of: row))
          let isLast = row + 1 == dimensions.height
          means.take(
            rows, first, last, rowsToNext: isLast ? 0 : sourceRow(0, of: row + 1) - first,
            luma: y + row * width, cb: u + row * half, cr: v + row * half)
        }
      }
    }
  }

  /// The samples of a frame under construction.
  private struct Planes {
    var luma: [UInt16] = []
    var cb: [UInt16] = []
    var cr: [UInt16] = []

    init() {}

    init(_ size: VideoDimensions, replacing earlier: inout PreviewFrame?) {
      if let earlier, earlier.width == size.width, earlier.height == size.height {
        (luma, cb, cr) = (earlier.luma, earlier.cb, earlier.cr)
      } else {
        luma = [UInt16](repeating: 0, count: size.width * size.height)
        cb = [UInt16](repeating: 0, count: size.width / 2 * size.height)
        cr = cb
      }
      // Arrays with a single owner are overwritten instead of copied.
      earlier = nil
    }

    /// Provides the memory of each plane.
    mutating func withCodes(
      _ body: (
        UnsafeMutablePointer<UInt16>, UnsafeMutablePointer<UInt16>, UnsafeMutablePointer<UInt16>
      ) -> Void
    ) {
      luma.withUnsafeMutableBufferPointer { luma in
        cb.withUnsafeMutableBufferPointer { cb in
          cr.withUnsafeMutableBufferPointer { cr in
            guard let luma = luma.baseAddress, let cb = cb.baseAddress, let cr = cr.baseAddress
            else { return }
            body(luma, cb, cr)
          }
        }
      }
    }
  }

  /// The pixel aspect ratio of the result: rounding to whole pixels may scale its sides slightly
  /// differently.
  private var aspect: PixelAspectRatio {
    source.width * dimensions.height == source.height * dimensions.width
      ? source.pixelAspectRatio
      : PixelAspectRatio(
        Int32(clamping: Int(source.pixelAspectRatio.horizontal) * source.width * dimensions.height),
        Int32(clamping: Int(source.pixelAspectRatio.vertical) * source.height * dimensions.width))
  }

  /// A frame under construction.
  private struct Work {
    var planes: Planes
    private var lumaSums: [UInt32]
    private var cbSums: [UInt32]
    private var crSums: [UInt32]
    private var rowsTaken = 0
    private let rowsPerRow: Int
    private let width: Int

    init(_ decimator: FrameDecimator, _ planes: consuming Planes) {
      let size = decimator.dimensions
      (width, rowsPerRow) = (size.width, decimator.rowsPerRow)
      self.planes = planes
      lumaSums = [UInt32](repeating: 0, count: size.width)
      cbSums = [UInt32](repeating: 0, count: size.width / 2)
      crSums = cbSums
    }

    mutating func take(
      _ row: borrowing FrameUnpacker.Row, _ lumaGroups: SampleGroups,
      _ chromaGroups: SampleGroups
    ) {
      lumaGroups.add(row.luma, to: &lumaSums)
      chromaGroups.add(row.cb, to: &cbSums)
      chromaGroups.add(row.cr, to: &crSums)
      rowsTaken += 1
      guard rowsTaken % rowsPerRow == 0 else { return }
      let place = rowsTaken / rowsPerRow - 1
      Self.store(lumaGroups, &lumaSums, rowsPerRow, &planes.luma, place * width)
      Self.store(chromaGroups, &cbSums, rowsPerRow, &planes.cb, place * width / 2)
      Self.store(chromaGroups, &crSums, rowsPerRow, &planes.cr, place * width / 2)
    }

    private static func store(
      _ groups: SampleGroups, _ sums: inout [UInt32], _ rowCount: Int, _ codes: inout [UInt16],
      _ place: Int
    ) {
      codes.withUnsafeMutableBufferPointer { codes in
        guard let base = codes.baseAddress else { return }
        groups.means(of: &sums, rowCount: rowCount, into: base + place)
      }
      for index in sums.indices { sums[index] = 0 }
    }
  }
}
