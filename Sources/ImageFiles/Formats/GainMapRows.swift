import DNG
import Glibc
import MediaCore
import RawDevelop

/// Gains between an image and its HDR version, one row of the map at a time.
struct GainMapRows: Sendable {
  /// The range of a map's gains.
  struct Extent: Sendable {
    var least = Float.infinity
    var greatest = -Float.infinity
    /// The greatest value in the HDR image; 0 if none is positive.
    var peak: Float = 0
    /// Samples of the HDR image outside the standard-range image's gamut.
    var clipped = 0

    mutating func formUnion(_ other: Extent) {
      least = min(least, other.least)
      greatest = max(greatest, other.greatest)
      peak = max(peak, other.peak)
      clipped += other.clipped
    }
  }

  private let base: CodeRows
  private let high: RenderedImage
  private let reduction: Int
  private let width: Int
  private let light: CurveTable
  private let highLight: CurveTable?
  private let matrix: [Float]

  /// - Parameters:
  ///   - base: The standard-range image.
  ///   - high: The same image as linear light with white at 1.
  ///   - reduction: How many rows and columns of the image each row and column of the map covers.
  ///   - width: Pixels in a row of the map.
  init(base: CodeRows, high: RenderedImage, reduction: Int, width: Int) {
    (self.base, self.high) = (base, high)
    (self.reduction, self.width) = (reduction, width)
    let (curve, highCurve) = (base.image.colorSpace.curve, high.colorSpace.curve)
    light = CurveTable { curve.decode($0) }
    highLight = highCurve == .linear ? nil : CurveTable { highCurve.decode($0) }
    matrix = Chromaticities(high.colorSpace.primaries)
      .matrix(to: Chromaticities(base.image.colorSpace.primaries)).elements.map { Float($0) }
  }

  /// Stops above white of a value in the HDR image; 0 if it is no brighter than white.
  func stops(ofPeak number: Float) -> Float {
    // The largest finite half float is 65504.
    let most = min(number, 65_504)
    return log2(max(highLight?[most] ?? most, 1))
  }

  /// The range of gains in a map with this many rows.
  func extent(rows: Int) -> Extent {
    let band = 8
    let parts = ConcurrentMap.map((rows + band - 1) / band) { index in
      extent(of: index * band..<min((index + 1) * band, rows))
    }
    var whole = parts.reduce(into: Extent()) { $0.formUnion($1) }
    whole.peak = max(whole.peak, peak(of: min(rows * reduction, high.height)..<high.height))
    return whole
  }

  private func extent(of rows: Range<Int>) -> Extent {
    withLines { lines in
      var extent = Extent()
      for row in rows {
        let cut = divide(row, lines, peak: &extent.peak)
        extent.clipped += cut
        for index in 0..<3 * width {
          let gain = lines.gains[index]
          if gain < extent.least { extent.least = gain }
          if gain > extent.greatest { extent.greatest = gain }
        }
      }
      return extent
    }
  }

  /// Fills rows of a map with the logarithms of the gains.
  ///
  /// - Parameters:
  ///   - least: The gain of byte 0, in stops.
  ///   - scale: Bytes per stop.
  func fill(
    _ rows: Range<Int>, _ target: UnsafeMutableBufferPointer<UInt8>, least: Float, scale: Float
  ) {
    withLines { lines in
      var peak: Float = 0
      for (index, row) in rows.enumerated() {
        _ = divide(row, lines, peak: &peak)
        for column in 0..<3 * width {
          let byte = (log2(lines.gains[column]) - least) * scale + 0.5
          target[index * 3 * width + column] = UInt8(min(max(byte, 0), 255))
        }
      }
    }
  }

  // MARK: Rows

  /// One thread's buffers.
  private struct Lines {
    let sum: UnsafeMutablePointer<Float>
    let highSum: UnsafeMutablePointer<Float>
    let line: UnsafeMutablePointer<Float>
    let highLine: UnsafeMutablePointer<Float>
    let gains: UnsafeMutablePointer<Float>
  }

  private func withLines<Result>(_ body: (Lines) -> Result) -> Result {
    let length = base.length
    let memory = UnsafeMutablePointer<Float>.allocate(capacity: 4 * length + 3 * width)
    defer { memory.deallocate() }
    return body(
      Lines(
        sum: memory, highSum: memory + length, line: memory + 2 * length,
        highLine: memory + 3 * length, gains: memory + 4 * length))
  }

  /// The greatest value in rows that no row of the map covers.
  private func peak(of rows: Range<Int>) -> Float {
    withLines { lines in
      var peak: Float = 0
      for row in rows {
        high.readFloats(row, into: lines.highLine)
        raise(&peak, lines.highLine)
      }
      return peak
    }
  }

  private func raise(_ peak: inout Float, _ numbers: UnsafeMutablePointer<Float>) {
    for index in 0..<base.length where numbers[index] > peak { peak = numbers[index] }
  }

  /// Computes the gains of a row; returns how many samples of the HDR image were below 0.
  private func divide(_ row: Int, _ lines: Lines, peak: inout Float) -> Int {
    let length = base.length
    lines.sum.update(repeating: 0, count: 2 * length)
    for part in 0..<reduction {
      let source = min(row * reduction + part, base.image.height - 1)
      base.read(source, into: lines.line)
      high.readFloats(source, into: lines.highLine)
      raise(&peak, lines.highLine)
      for place in 0..<length {
        lines.sum[place] += light[lines.line[place]]
        lines.highSum[place] += highLight?[lines.highLine[place]] ?? lines.highLine[place]
      }
    }
    var cut = 0
    for column in 0..<width { cut += divide(column, lines) }
    return cut
  }

  /// Computes the gains at one column from the sums over rows.
  private func divide(_ column: Int, _ lines: Lines) -> Int {
    var (low, light) = (SIMD3<Float>(repeating: 0), SIMD3<Float>(repeating: 0))
    for part in 0..<reduction {
      let source = 3 * min(column * reduction + part, base.image.width - 1)
      low += SIMD3(lines.sum[source], lines.sum[source + 1], lines.sum[source + 2])
      light += SIMD3(lines.highSum[source], lines.highSum[source + 1], lines.highSum[source + 2])
    }
    let share = 1 / Float(reduction * reduction)
    (low, light) = (low * share, light * share)
    var cut = 0
    for color in 0..<3 {
      let row = 3 * color
      let mixed = matrix[row] * light.x + matrix[row + 1] * light.y + matrix[row + 2] * light.z
      if mixed < -1e-4 { cut += 1 }
      // NaN counts as black; the largest finite half float is 65504.
      let value = mixed > 0 ? min(mixed, 65_504) : 0
      let offset = Float(GainMap.offset)
      lines.gains[3 * column + color] = (value + offset) / (low[color] + offset)
    }
    return cut
  }
}
