import CRawKernels
import DNG
import MediaCore

/// Interpolates the colors of a Bayer mosaic, in tiles.
///
/// Light is first balanced, so that grays have the same level in all colors, and encoded with a perceptual curve;
/// both avoid colored fringes at edges.
struct Demosaicker: Sendable {
  /// The side of a tile in pixels.
  static let side = Int(RAW_TILE)

  let mosaic: LightPlanes
  let pattern: BayerPattern
  /// Factors for red, green and blue.
  let balance: [Float]
  /// True for a quick, plain interpolation of linear light.
  let isDraft: Bool
  /// Balanced light above this level is clipped in all colors.
  let limit: Float

  /// - Parameters:
  ///   - white: The camera colors of white, scaled to a maximum of 1.
  ///   - clips: True to clip all colors at the level where the first of them saturates.
  ///   - isDraft: True for speed.
  init(
    _ mosaic: LightPlanes, _ pattern: BayerPattern, white: [Double], clips: Bool,
    isDraft: Bool = false
  ) {
    self.mosaic = mosaic
    self.pattern = pattern
    self.isDraft = isDraft
    balance = white.map { Float(1 / $0) }
    limit = clips ? 1 : .infinity
  }

  var columns: Int { (mosaic.width + Self.side - 1) / Self.side }
  var rows: Int { (mosaic.height + Self.side - 1) / Self.side }

  /// A thread's buffers.
  final class Tile {
    fileprivate static let stride = Int(RAW_TILE_STRIDE)
    fileprivate let scratch = UnsafeMutablePointer<raw_demosaic_scratch>.allocate(capacity: 1)
    fileprivate let memory = UnsafeMutablePointer<Float>.allocate(capacity: 4 * stride * stride)
    fileprivate func plane(_ index: Int) -> UnsafeMutablePointer<Float> {
      memory + index * Self.stride * Self.stride
    }

    deinit {
      scratch.deallocate()
      memory.deallocate()
    }
  }

  /// Interpolates a tile by its index; ``decode(_:row:columns:into:)`` then returns its pixels.
  func interpolate(_ index: Int, _ tile: Tile) {
    let (x, y) = (index % columns * Self.side, index / columns * Self.side)
    let margin = Int(RAW_TILE_MARGIN)
    let red = pattern.redOffset
    raw_fill_tile(
      mosaic[0], mosaic.width, mosaic.height, x - margin, y - margin, UInt32(red.row),
      UInt32(red.column), balance, limit, isDraft ? 1 : 0, tile.plane(3))
    let place = (
      row: UInt32((red.row + y + margin) & 1), column: UInt32((red.column + x + margin) & 1)
    )
    if isDraft {
      raw_draft_tile(
        tile.plane(3), place.row, place.column, tile.plane(0), tile.plane(1), tile.plane(2))
    } else {
      raw_demosaic_tile(
        tile.plane(3), place.row, place.column, tile.scratch, tile.plane(0), tile.plane(1),
        tile.plane(2))
    }
  }

  /// Decodes light from a row of the tile; columns are relative to the tile.
  ///
  /// - Parameter place: The offset in the target planes.
  func decode(
    _ tile: Tile, row: Int, columns: Range<Int>, into planes: [UnsafeMutablePointer<Float>],
    at place: Int = 0
  ) {
    let first = (row + Int(RAW_TILE_MARGIN)) * Tile.stride + Int(RAW_TILE_MARGIN)
    for color in 0..<3 {
      let found = tile.plane(color) + first + columns.lowerBound
      if isDraft {
        raw_unbalance_run(found, columns.count, balance[color], planes[color] + place)
      } else {
        raw_decode_run(found, columns.count, balance[color], planes[color] + place)
      }
    }
  }

  /// Interpolates the whole image to three planes.
  func planes() -> LightPlanes {
    let result = LightPlanes(width: mosaic.width, height: mosaic.height, count: 3)
    fill(result, 0..<mosaic.height, first: 0)
    return result
  }

  /// Interpolates rows into three planes.
  ///
  /// - Parameters:
  ///   - rows: Rows of the image that consist of whole rows of tiles.
  ///   - first: The row of the image with which the planes begin.
  func fill(_ planes: LightPlanes, _ rows: Range<Int>, first: Int) {
    let tiles = rows.lowerBound / Self.side..<(rows.upperBound + Self.side - 1) / Self.side
    _ = ConcurrentMap.map(columns * tiles.count, worker: { Tile() }) { tile, index in
      let index = index + tiles.lowerBound * columns
      interpolate(index, tile)
      let (x, y) = (index % columns * Self.side, index / columns * Self.side)
      let width = min(Self.side, mosaic.width - x)
      let targets = (0..<3).map { planes[$0] }
      for row in 0..<min(Self.side, rows.upperBound - y) {
        decode(
          tile, row: row, columns: 0..<width, into: targets,
          at: (y + row - first) * mosaic.width + x)
      }
    }
  }
}
