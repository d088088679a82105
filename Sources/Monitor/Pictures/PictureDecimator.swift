public import MediaCore

/// Makes small pictures of large ones for monitors.
///
/// Each sample of the result is the mean of a stretch of its source's row, over one or two of the rows
/// that fall to it. Other rows are not read: of UHD that is half of the picture, of 8K an eighth. What
/// is finer than that is averaged away along rows, and may alias across them.
public struct PictureDecimator: Sendable {
  /// The most that a preview has unless told otherwise.
  public static let standardDimensions = VideoDimensions(width: 960, height: 540)

  /// What the sources are.
  public let source: PixelBuffer.Description
  /// The size of the results.
  public let dimensions: VideoDimensions
  private let unpacker: PictureUnpacker
  private let lumaGroups: SampleGroups
  private let chromaGroups: SampleGroups
  /// Rows that are read for a row of the result.
  private let rowsPerRow: Int
  /// The short way, for the layout and the sizes that have one.
  private let short: RowMeans?

  /// Samples of luma that may be read for a picture before only one row of several is.
  private static let sampleBudget = 4_200_000

  /// A decimator for pictures of one description.
  ///
  /// - Parameters:
  ///   - source: What the pictures are; any layout but a sensor's mosaic, two pixels wide at least.
  ///   - limit: The most that the results have. The source's proportions stay, and nothing is enlarged.
  /// - Throws: `MediaCoreError.Code.unsupportedConversion` for a mosaic,
  ///   `MediaCoreError.Code.invalidDimensions` where the source or the limit is too small.
  public init(
    from source: PixelBuffer.Description, atMost limit: VideoDimensions = standardDimensions
  ) throws(MediaCoreError) {
    guard source.width >= 2, source.height >= 1, limit.width >= 2, limit.height >= 1 else {
      throw MediaCoreError(
        .invalidDimensions,
        "no preview of at most \(limit) can be made of \(source.width)x\(source.height) pixels")
    }
    try Self.check(source)
    self.source = source
    unpacker = try PictureUnpacker(from: source, to: .yuv422p10)
    let size = Self.size(of: source, atMost: limit)
    try PreviewPicture.check(width: size.width, height: size.height)
    dimensions = size
    lumaGroups = SampleGroups(of: source.width, into: size.width)
    chromaGroups = SampleGroups(of: (source.width + 1) / 2, into: size.width / 2)
    short = RowMeans(source, into: size.width)
    let span = source.height / size.height
    rowsPerRow = max(1, min(span, 2, Self.sampleBudget / (source.width * size.height)))
  }

  /// Refuses what no preview can be made of.
  static func check(_ source: PixelBuffer.Description) throws(MediaCoreError) {
    guard source.width >= 2, source.height >= 1 else {
      throw MediaCoreError(
        .invalidDimensions, "no preview can be made of \(source.width)x\(source.height) pixels")
    }
    guard !source.format.isBayer else {
      throw MediaCoreError(
        .unsupportedConversion,
        "\(source.format) is a sensor's mosaic, which has no preview; choose a format "
          + "with luma and chroma")
    }
  }

  private static func size(
    of source: PixelBuffer.Description, atMost limit: VideoDimensions
  ) -> VideoDimensions {
    let (width, height) = (source.width, source.height)
    var (newWidth, newHeight) = (min(width, limit.width, 4096), min(height, limit.height, 4096))
    // The side that is too long by more decides.
    if width * newHeight > height * newWidth {
      newHeight = max((height * newWidth + width / 2) / width, 1)
    } else {
      newWidth = max(width * newHeight / height, 2)
    }
    return VideoDimensions(width: max(newWidth / 2 * 2, 2), height: newHeight)
  }

  /// Rows of the source that make a row of the result, from the top.
  func sourceRows(of row: Int) -> [Int] {
    (0..<rowsPerRow).map { sourceRow($0, of: row) }
  }

  private func sourceRow(_ place: Int, of row: Int) -> Int {
    let first = row * source.height / dimensions.height
    let span = (row + 1) * source.height / dimensions.height - first
    return first + (2 * place + 1) * span / (2 * rowsPerRow)
  }

  /// The small picture of a large one.
  ///
  /// - Throws: `MediaCoreError.Code.invalidLayout` where the picture is not as described,
  ///   `MediaCoreError.Code.outOfMemory`.
  public func decimate(_ picture: PixelBuffer) throws(MediaCoreError) -> PreviewPicture {
    if let short, picture.details == source { return decimate(picture, short) }
    var work = Work(self)
    let rows = (0..<dimensions.height).lazy.flatMap { sourceRows(of: $0) }
    try unpacker.forEachRow(rows, of: picture) { row in
      work.take(row, lumaGroups, chromaGroups)
    }
    return preview(work.luma, work.cb, work.cr)
  }

  private func preview(_ luma: [UInt16], _ cb: [UInt16], _ cr: [UInt16]) -> PreviewPicture {
    PreviewPicture(
      dimensions.width, dimensions.height, unpacker.destination.color, aspect,
      VideoDimensions(width: source.width, height: source.height), luma, cb, cr)
  }

  /// The short way. Nothing is cleared that is written over.
  private func decimate(_ picture: PixelBuffer, _ means: RowMeans) -> PreviewPicture {
    let (width, height) = (dimensions.width, dimensions.height)
    let half = width / 2
    var (cb, cr) = ([UInt16](), [UInt16]())
    let luma = Self.codes(width * height) { y in
      cb = Self.codes(half * height) { u in
        cr = Self.codes(half * height) { v in
          means.withRows(of: picture) { rows in
            for row in 0..<height {
              let (first, last) = (sourceRow(0, of: row), sourceRow(rowsPerRow - 1, of: row))
              means.take(
                rows, first, last, luma: y + row * width, cb: u + row * half, cr: v + row * half)
            }
          }
        }
      }
    }
    return preview(luma, cb, cr)
  }

  /// Codes that a function writes, all of them.
  private static func codes(
    _ count: Int, _ write: (UnsafeMutablePointer<UInt16>) -> Void
  ) -> [UInt16] {
    [UInt16](unsafeUninitializedCapacity: count) { codes, written in
      guard let start = codes.baseAddress else { return }
      write(start)
      written = count
    }
  }

  /// The shape of the result's pixels: its sides are whole numbers, and may differ a little in scale.
  private var aspect: PixelAspectRatio {
    source.width * dimensions.height == source.height * dimensions.width
      ? source.pixelAspectRatio
      : PixelAspectRatio(
        Int32(clamping: Int(source.pixelAspectRatio.horizontal) * source.width * dimensions.height),
        Int32(clamping: Int(source.pixelAspectRatio.vertical) * source.height * dimensions.width))
  }

  /// A picture in the making.
  private struct Work {
    var luma: [UInt16]
    var cb: [UInt16]
    var cr: [UInt16]
    private var lumaSums: [UInt32]
    private var cbSums: [UInt32]
    private var crSums: [UInt32]
    private var rowsTaken = 0
    private let rowsPerRow: Int
    private let width: Int

    init(_ decimator: PictureDecimator) {
      let size = decimator.dimensions
      (width, rowsPerRow) = (size.width, decimator.rowsPerRow)
      luma = [UInt16](repeating: 0, count: size.width * size.height)
      cb = [UInt16](repeating: 0, count: size.width / 2 * size.height)
      cr = cb
      lumaSums = [UInt32](repeating: 0, count: size.width)
      cbSums = [UInt32](repeating: 0, count: size.width / 2)
      crSums = cbSums
    }

    mutating func take(
      _ row: borrowing PictureUnpacker.Row, _ lumaGroups: SampleGroups,
      _ chromaGroups: SampleGroups
    ) {
      lumaGroups.add(row.luma, to: &lumaSums)
      chromaGroups.add(row.cb, to: &cbSums)
      chromaGroups.add(row.cr, to: &crSums)
      rowsTaken += 1
      guard rowsTaken % rowsPerRow == 0 else { return }
      let place = rowsTaken / rowsPerRow - 1
      Self.store(lumaGroups, &lumaSums, rowsPerRow, &luma, place * width)
      Self.store(chromaGroups, &cbSums, rowsPerRow, &cb, place * width / 2)
      Self.store(chromaGroups, &crSums, rowsPerRow, &cr, place * width / 2)
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
