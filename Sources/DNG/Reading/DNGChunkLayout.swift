import TIFF

/// The arrangement of an image's strips or tiles in the file.
struct DNGChunkLayout: Sendable {
  let isTiled: Bool
  /// Width and height of a chunk in pixels; the last strip may have fewer rows.
  let width: Int
  let height: Int
  let columns: Int
  /// Chunks in each plane.
  let countPerPlane: Int
  let offsets: [Int]
  let byteCounts: [Int]

  var count: Int { offsets.count }

  init(
    _ directory: TIFFDirectory, width: Int, height: Int, planes: Int, fileSize: Int
  ) throws(DNGError) {
    isTiled = directory.entries[.tileOffsets] != nil
    self.width = isTiled ? directory.integer(.tileWidth) ?? 0 : width
    self.height =
      isTiled
      ? directory.integer(.tileLength) ?? 0
      : min(directory.integer(.rowsPerStrip) ?? height, height)
    guard (1...65_535).contains(self.width), (1...65_535).contains(self.height) else {
      throw DNGError.damaged("tiles or strips of an impossible size")
    }
    columns = (width + self.width - 1) / self.width
    let rows = (height + self.height - 1) / self.height
    countPerPlane = columns * rows
    let starts = directory.numbers(isTiled ? .tileOffsets : .stripOffsets) ?? []
    let sizes = directory.numbers(isTiled ? .tileByteCounts : .stripByteCounts) ?? []
    guard starts.count == countPerPlane * planes, sizes.count == starts.count,
      zip(starts, sizes).allSatisfy({ $0 >= 0 && $1 >= 0 && $0 + $1 <= Double(fileSize) })
    else { throw DNGError.damaged("its tiles or strips are outside the file") }
    offsets = starts.map { Int($0) }
    byteCounts = sizes.map { Int($0) }
  }
}
