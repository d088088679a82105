/// How a picture is cut into macroblocks and slices (RDD 36, 5.2 and 6.3).
struct PictureLayout: Sendable, Hashable {
  /// Macroblocks in a row.
  let columns: Int
  /// Rows of macroblocks.
  let rows: Int
  /// The first macroblock and the width, in macroblocks, of each slice of a row: slices of the
  /// desired width, then ever smaller powers of two.
  let rowSlices: [(start: Int, width: Int)]

  var slices: Int { rowSlices.count * rows }
  var macroblocks: Int { columns * rows }

  /// The layout of a picture of so many pixels.
  init(width: Int, height: Int, log2SliceWidth: Int = 3) {
    columns = (width + 15) / 16
    rows = (height + 15) / 16
    var slices: [(start: Int, width: Int)] = []
    var start = 0
    var size = 1 << log2SliceWidth
    while start < columns {
      while columns - start < size { size /= 2 }
      slices.append((start, size))
      start += size
    }
    rowSlices = slices
  }

  /// Rows of pixels of a frame's pictures in the order they are coded.
  ///
  /// A frame of an odd number of rows has one more in its top field (RDD 36, 6.2).
  static func pictureHeights(frameHeight: Int, mode: FrameHeader.InterlaceMode) -> [Int] {
    switch mode {
    case .progressive: [frameHeight]
    case .topFieldFirst: [(frameHeight + 1) / 2, frameHeight / 2]
    case .bottomFieldFirst: [frameHeight / 2, (frameHeight + 1) / 2]
    }
  }

  static func == (lhs: PictureLayout, rhs: PictureLayout) -> Bool {
    lhs.columns == rhs.columns && lhs.rows == rhs.rows
      && lhs.rowSlices.elementsEqual(rhs.rowSlices, by: ==)
  }

  func hash(into hasher: inout Hasher) {
    hasher.combine(columns)
    hasher.combine(rows)
    hasher.combine(rowSlices.count)
  }
}
