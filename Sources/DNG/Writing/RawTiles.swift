import MediaCore

/// Encodes samples as lossless JPEG tiles, and computes their digests.
enum RawTiles {
  /// Encodes an image's tiles on all processors.
  ///
  /// A mosaic is coded with two components per pixel, so that each sample is predicted from the previous one of the
  /// same color in its row.
  ///
  /// - Throws: ``DNGError/Code/invalidArgument`` for a grid that extends beyond the image.
  static func encode(_ image: RawImage, _ grid: TileGrid) throws(DNGError) -> [[UInt8]] {
    let tiles = ConcurrentMap.map(grid.count, worker: { LosslessJPEGEncoder() }) { encoder, index in
      Result { () throws(DNGError) in try encode(image, grid, index, encoder) }
    }
    var bytes: [[UInt8]] = []
    for tile in tiles { bytes.append(try tile.get()) }
    return bytes
  }

  private static func encode(
    _ image: RawImage, _ grid: TileGrid, _ index: Int, _ encoder: LosslessJPEGEncoder
  ) throws(DNGError) -> [UInt8] {
    let bounds = grid.bounds(index)
    let isWhole = bounds.width == grid.tileWidth && bounds.height == grid.tileHeight
    let interleave = image.components == 1 ? 2 : 1
    var coded = LosslessJPEGEncoder.Image(
      columns: grid.tileWidth / interleave, rows: grid.tileHeight,
      components: image.components * interleave, precision: max(image.bitDepth, 2),
      stride: image.stride)
    if isWhole {
      let first = bounds.y * image.stride + bounds.x * image.components
      return try encoder.encode(image.samples.span.extracting(first...), coded)
    }
    coded.stride = grid.tileWidth * image.components
    return try encoder.encode(fill(image, grid, bounds).span, coded)
  }

  /// The samples of a tile, padded if it extends beyond the edge.
  static func paddedTile(_ image: RawImage, _ grid: TileGrid, _ index: Int) -> [UInt16] {
    fill(image, grid, grid.bounds(index))
  }

  /// Pads a tile by repeating the last cells of the mosaic, which compresses best.
  private static func fill(
    _ image: RawImage, _ grid: TileGrid, _ bounds: (x: Int, y: Int, width: Int, height: Int)
  ) -> [UInt16] {
    let components = image.components
    let count = grid.tileWidth * components
    let period = image.components == 1 && bounds.width > 1 ? 2 : components
    var tile: [UInt16] = []
    tile.reserveCapacity(count * grid.tileHeight)
    for row in 0..<grid.tileHeight {
      let source: Int
      if row < bounds.height {
        source = row
      } else {
        let back = bounds.height > 1 ? (row - bounds.height) % 2 + bounds.height - 2 : 0
        source = max(back, 0)
      }
      let first = (bounds.y + source) * image.stride + bounds.x * components
      tile += image.samples[first..<first + bounds.width * components]
      for _ in bounds.width * components..<count { tile.append(tile[tile.count - period]) }
    }
    return tile
  }

  /// DNG's NewRawImageDigest for a lossy codec or JPEG XL: the MD5 of the MD5s of its compressed tiles, as Adobe's
  /// SDK computes it.
  static func digest(compressed tiles: [[UInt8]]) -> [UInt8] {
    MD5.digest(of: ConcurrentMap.map(tiles.count) { MD5.digest(of: tiles[$0]) }.flatMap { $0 })
  }

  /// DNG's older RawImageDigest: the MD5 of all samples, row by row, as little-endian words.
  static func digest(inRows image: RawImage) -> [UInt8] {
    guard 1.littleEndian == 1 else {
      return MD5.digest(of: image.samples.flatMap { [UInt8($0 & 255), UInt8($0 >> 8)] })
    }
    return image.samples.withUnsafeBytes { MD5.digest(of: $0.bindMemory(to: UInt8.self)) }
  }

  /// DNG's NewRawImageDigest: the MD5 of the MD5s of tiles of 256 by 256 pixels, plane by plane, with samples of up
  /// to 8 bits as bytes and others as little-endian words.
  static func digest(_ image: RawImage, asBytes: Bool) -> [UInt8] {
    let tiles = DigestTiles(image: image, asBytes: asBytes)
    let parts = ConcurrentMap.map(tiles.groupCount, worker: { DigestTiles.Buffer() }) {
      buffer, index in tiles.digests(ofGroup: index, buffer)
    }
    return MD5.digest(of: parts.flatMap { $0 })
  }
}
