import CRawKernels
import MediaCore

/// Shrinks part of the light: each sample becomes the mean of those it covers, weighted by a cubic.
struct LightShrinker {
  /// The columns and rows to shrink.
  let columns: Range<Int>
  let rows: Range<Int>
  /// The resulting size, no larger than the part.
  let width: Int
  let height: Int

  /// Result rows made from each strip of light.
  private static let stripHeight = 128

  private var way: raw_shrinking {
    raw_shrinking(
      source_width: columns.count, source_height: rows.count, width: width, height: height)
  }

  /// Shrinks planes. Planes with no other owner are released one by one as they are shrunk.
  func shrunk(_ planes: consuming LightPlanes) -> LightPlanes {
    let result = LightPlanes(width: width, height: height, count: planes.count)
    var parts = planes.separated
    _ = consume planes
    for plane in 0..<result.count {
      let part = parts.removeFirst()
      shrink(
        LightStrip(planes: part, first: 0, imageHeight: part.height), plane: 0, 0..<height,
        into: result[plane])
    }
    return result
  }

  /// Shrinks light made in strips, so that it need not be in memory as a whole.
  func shrunk(_ light: LightStripSource) -> LightPlanes {
    let result = LightPlanes(width: width, height: height, count: light.count)
    var way = way
    var strip: LightStrip?
    for first in stride(from: 0, to: height, by: Self.stripHeight) {
      let made = first..<min(first + Self.stripHeight, height)
      var (begin, end) = (0, 0)
      raw_shrink_reach(&way, made.lowerBound, made.upperBound, &begin, &end)
      let next = light.strip(of: rows.lowerBound + begin..<rows.lowerBound + end, after: strip)
      strip = next
      for plane in 0..<result.count { shrink(next, plane: plane, made, into: result[plane]) }
    }
    return result
  }

  /// Computes rows of the result from a strip that contains all the rows they need.
  private func shrink(
    _ strip: LightStrip, plane: Int, _ made: Range<Int>, into target: UnsafeMutablePointer<Float>
  ) {
    let (light, length) = (strip.planes, strip.planes.width)
    let above = max(rows.lowerBound - strip.first, 0)
    let first = max(strip.first - rows.lowerBound, 0)
    // Safe: bands do not overlap, so each thread writes only its own rows.
    nonisolated(unsafe) let target = target
    ConcurrentMap.bands(made.count, of: 32) { band in
      withUnsafeTemporaryAllocation(
        of: Float.self, capacity: Int(RAW_SHRINK_ROWS) * columns.count
      ) { lines in
        var way = way
        raw_shrink(
          &way, light[plane] + above * length + columns.lowerBound, first, length,
          made.lowerBound + band.lowerBound, made.lowerBound + band.upperBound, lines.baseAddress,
          target)
      }
    }
  }
}
