import CRawKernels
import DNG
import MediaCore

/// Finds the position of each of the reference's tiles in the other frames, from coarse to fine.
struct TileAligner: Sendable {
  /// The side of a tile in cells.
  static let tile = Int(RAW_ALIGN_TILE)
  /// The number of resolutions searched, each half the next finer one; the finest is the cells themselves.
  private static let levelLimit = 4

  /// One resolution of the frames.
  private struct Level: Sendable {
    var width: Int
    var height: Int
    var frames: [[Float]]
    var columns: Int { (width + TileAligner.tile - 1) / TileAligner.tile }
    var rows: Int { (height + TileAligner.tile - 1) / TileAligner.tile }
  }

  private let levels: [Level]

  /// An aligner for frames given as cells; the first is the reference.
  init(cells: [[Float]], columns: Int, rows: Int) {
    var levels = [Level(width: columns, height: rows, frames: cells)]
    while let last = levels.last, levels.count < Self.levelLimit, cells.count > 1,
      min(last.width, last.height) >= 4 * Self.tile
    {
      let halves = ConcurrentMap.map(last.frames.count) { index in
        var half = [Float](repeating: 0, count: (last.width / 2) * (last.height / 2))
        raw_halve(last.frames[index], last.width, last.height, &half)
        return half
      }
      levels.append(Level(width: last.width / 2, height: last.height / 2, frames: halves))
    }
    self.levels = levels
  }

  /// The displacements, in cells.
  ///
  /// - Parameter caps: The light at which each frame saturates.
  func align(caps: [Float]) -> FrameMerger.TileShifts {
    guard let finest = levels.first else { return .init(columns: 0, rows: 0, values: []) }
    let count = finest.columns * finest.rows
    let frames = Array(1..<max(finest.frames.count, 1))
    let found = ConcurrentMap.map(frames.count) { index in
      align(frame: frames[index], cap: 0.9 * min(caps[0], caps[frames[index]]))
    }
    let values = found.flatMap { $0 }
    return .init(
      columns: finest.columns, rows: finest.rows,
      values: values.isEmpty ? [Int16](repeating: 0, count: 2 * max(count, 1)) : values)
  }

  private func align(frame: Int, cap: Float) -> [Int16] {
    var coarse: (level: Level, shifts: [Int16])?
    for (depth, level) in levels.enumerated().reversed() {
      let reach = depth == levels.count - 1 ? 6 : 2
      var shifts: [Int16] = []
      shifts.reserveCapacity(2 * level.columns * level.rows)
      for row in 0..<level.rows {
        for column in 0..<level.columns {
          let starts = Self.starts(column, row, coarse)
          let best = Self.search(level, frame, column, row, starts, reach: reach, cap: cap)
          shifts += [Int16(best.x), Int16(best.y)]
        }
      }
      coarse = (level, shifts)
    }
    return coarse?.shifts ?? []
  }

  /// Where the search begins: the results of the tile and its neighbors at the coarser resolution.
  private static func starts(
    _ column: Int, _ row: Int, _ coarse: (level: Level, shifts: [Int16])?
  ) -> [(x: Int, y: Int)] {
    guard let coarse else { return [(0, 0)] }
    var starts: [(x: Int, y: Int)] = []
    let (x, y) = (column / 2, row / 2)
    for (dx, dy) in [(0, 0), (column % 2 == 0 ? -1 : 1, 0), (0, row % 2 == 0 ? -1 : 1)] {
      let (tx, ty) = (x + dx, y + dy)
      guard tx >= 0, ty >= 0, tx < coarse.level.columns, ty < coarse.level.rows else { continue }
      let index = 2 * (ty * coarse.level.columns + tx)
      let start = (x: 2 * Int(coarse.shifts[index]), y: 2 * Int(coarse.shifts[index + 1]))
      if !starts.contains(where: { $0 == start }) { starts.append(start) }
    }
    return starts.isEmpty ? [(0, 0)] : starts
  }

  private static func search(
    _ level: Level, _ frame: Int, _ column: Int, _ row: Int, _ starts: [(x: Int, y: Int)],
    reach: Int, cap: Float
  ) -> (x: Int, y: Int) {
    let (x, y) = (column * tile, row * tile)
    func distance(_ shift: (x: Int, y: Int)) -> Float {
      raw_tile_distance(
        level.frames[0], level.frames[frame], level.width, level.height, x, y, shift.x,
        shift.y, cap)
    }
    var best = (shift: starts[0], distance: Float.infinity)
    for start in starts {
      let found = distance(start)
      if found < best.distance { best = (start, found) }
    }
    let center = best.shift
    for dy in -reach...reach {
      for dx in -reach...reach where dx != 0 || dy != 0 {
        let shift = (x: center.x + dx, y: center.y + dy)
        let found = distance(shift)
        // Of equal distances, the first one found is kept, beginning with the center.
        if found < best.distance { best = (shift, found) }
      }
    }
    return best.shift
  }
}
