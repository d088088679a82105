/// An image divided into tiles of equal size, those at the right and bottom padded.
struct TileGrid: Hashable {
  let width: Int
  let height: Int
  /// Pixels per row of a tile; a multiple of 16, as TIFF requires.
  let tileWidth: Int
  /// Rows in a tile; a multiple of 16.
  let tileHeight: Int

  /// Tiles with sides of at most 256 pixels, which is 128 KiB for a mosaic.
  init(width: Int, height: Int, tileSide: Int = 256) {
    self.width = width
    self.height = height
    let usual = min(tileSide, (width + 15) / 16 * 16)
    // LibRaw (up to 0.22 at least) misreads mosaics that are exactly two tiles wide: it takes a tile's two
    // components for the two halves of the row.
    tileWidth = width == 2 * usual ? usual + 16 : usual
    tileHeight = min(tileSide, (height + 15) / 16 * 16)
  }

  var columns: Int { (width + tileWidth - 1) / tileWidth }
  var rows: Int { (height + tileHeight - 1) / tileHeight }
  var count: Int { columns * rows }

  /// The position of the tile's first pixel, and the size of its part within the image.
  func bounds(_ index: Int) -> (x: Int, y: Int, width: Int, height: Int) {
    let x = index % columns * tileWidth
    let y = index / columns * tileHeight
    return (x, y, min(tileWidth, width - x), min(tileHeight, height - y))
  }
}
