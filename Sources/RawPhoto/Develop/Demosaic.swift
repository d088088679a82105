import CRawKernels
import DNG
import MediaCore

/// Demosaics linear light.
enum Demosaic {
  /// Interpolates a mosaic of balanced light, on all processors.
  static func interpolate(_ mosaic: LinearMosaic, _ pattern: BayerPattern) -> LinearImage {
    let (width, height) = (mosaic.width, mosaic.height)
    let side = Int(RAW_TILE)
    let columns = (width + side - 1) / side
    let rows = (height + side - 1) / side
    let samples = [Float](unsafeUninitializedCapacity: 3 * width * height) { target, count in
      // Safe: tiles do not overlap, so each thread writes only its own pixels.
      nonisolated(unsafe) let pixels = target
      _ = ConcurrentMap.map(columns * rows, worker: { TileWorker() }) { worker, index in
        let (x, y) = (index % columns * side, index / columns * side)
        worker.interpolate(
          mosaic, pattern, x..<min(x + side, width), y..<min(y + side, height), into: pixels)
      }
      count = 3 * width * height
    }
    return LinearImage(width: width, height: height, samples: samples)
  }

  /// A thread's buffers.
  private final class TileWorker {
    private static let side = Int(RAW_TILE_STRIDE)
    private static let margin = Int(RAW_TILE_MARGIN)
    private let scratch = UnsafeMutablePointer<raw_demosaic_scratch>.allocate(capacity: 1)
    private var source = [Float](repeating: 0, count: side * side)
    private var red = [Float](repeating: 0, count: side * side)
    private var green = [Float](repeating: 0, count: side * side)
    private var blue = [Float](repeating: 0, count: side * side)

    deinit { scratch.deallocate() }

    func interpolate(
      _ mosaic: LinearMosaic, _ pattern: BayerPattern, _ columns: Range<Int>, _ rows: Range<Int>,
      into pixels: UnsafeMutableBufferPointer<Float>
    ) {
      fill(mosaic, columns.lowerBound - Self.margin, rows.lowerBound - Self.margin)
      let red = pattern.redOffset
      // The tile's corner may have another phase than the mosaic's.
      let phase = (
        row: (red.row + rows.lowerBound + Self.margin) & 1,
        column: (red.column + columns.lowerBound + Self.margin) & 1
      )
      raw_demosaic_tile(
        source, UInt32(phase.row), UInt32(phase.column), scratch, &self.red, &green, &blue)
      for row in rows {
        let line = (row - rows.lowerBound + Self.margin) * Self.side + Self.margin
        var target = 3 * (row * mosaic.width + columns.lowerBound)
        for column in 0..<columns.count {
          pixels[target] = self.red[line + column]
          pixels[target + 1] = green[line + column]
          pixels[target + 2] = blue[line + column]
          target += 3
        }
      }
    }

    /// Copies the tile with its margins; outside the image it is mirrored, which preserves the phase of the
    /// mosaic.
    private func fill(_ mosaic: LinearMosaic, _ x: Int, _ y: Int) {
      func mirrored(_ index: Int, _ count: Int) -> Int {
        if index >= 0, index < count { return index }
        guard count > 1 else { return 0 }
        let period = 2 * (count - 1)
        let place = ((index % period) + period) % period
        return place < count ? place : period - place
      }
      for row in 0..<Self.side {
        let line = mirrored(y + row, mosaic.height) * mosaic.width
        if x >= 0, x + Self.side <= mosaic.width {
          source.replaceSubrange(
            row * Self.side..<(row + 1) * Self.side,
            with: mosaic.samples[line + x..<line + x + Self.side])
        } else {
          let first = row * Self.side
          for column in 0..<Self.side {
            let place: Int = mirrored(x + column, mosaic.width)
            source[first + column] = mosaic.samples[line + place]
          }
        }
      }
    }
  }
}
