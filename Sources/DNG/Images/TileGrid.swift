/// An image cut into tiles of one size, those at the right and the bottom filled up.
struct TileGrid: Hashable {
  let width: Int
  let height: Int
  /// Pixels of a tile's row; a multiple of 16, as TIFF has it.
  let tileWidth: Int
  /// Rows of a tile; a multiple of 16.
  let tileHeight: Int

  /// Tiles of at most 256 pixels a side, which for a mosaic is 128 KiB.
  init(width: Int, height: Int, tileSide: Int = 256) {
    self.width = width
    self.height = height
    let usual = min(tileSide, (width + 15) / 16 * 16)
    // LibRaw (to 0.22 at least) misreads mosaics that are just two tiles wide: it takes the two
    // components of a tile for two halves of the row.
    tileWidth = width == 2 * usual ? usual + 16 : usual
    tileHeight = min(tileSide, (height + 15) / 16 * 16)
  }

  var columns: Int { (width + tileWidth - 1) / tileWidth }
  var rows: Int { (height + tileHeight - 1) / tileHeight }
  var count: Int { columns * rows }

  /// The tile's first pixel, and how much of it lies in the image.
  func bounds(_ index: Int) -> (x: Int, y: Int, width: Int, height: Int) {
    let x = index % columns * tileWidth
    let y = index / columns * tileHeight
    return (x, y, min(tileWidth, width - x), min(tileHeight, height - y))
  }
}
