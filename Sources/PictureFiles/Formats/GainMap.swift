import DNG
import Glibc
import MediaCore
import RawDevelop

/// What makes an HDR picture of a picture of standard range (ISO 21496-1): for each color the
/// logarithm of (HDR + offset) / (SDR + offset), as bytes between a least and a greatest one.
struct GainMap {
  /// Added to both lights, so that black has a finite gain; the value that Adobe's format began with.
  static let offset = 1.0 / 64

  let width: Int
  let height: Int
  /// Interleaved red, green and blue.
  let pixels: [UInt8]
  /// Stops of the byte 0.
  let least: Double
  /// Stops of the byte 255.
  let greatest: Double
  /// Stops between white and the HDR picture's brightest light.
  let headroom: Double
  /// Samples of the HDR picture outside the gamut of the other one.
  let clipped: Int

  /// The map between two pictures of one size.
  ///
  /// - Parameters:
  ///   - base: The picture of standard range.
  ///   - high: The same one as light, of which 1 is white.
  ///   - reduction: How many pixels of a row, and rows, one of the map stands for.
  init(base: CodeRows, high: RenderedPicture, reduction: Int) {
    let width = max(base.picture.width / reduction, 1)
    let height = max(base.picture.height / reduction, 1)
    let maker = Maker(base: base, high: high, reduction: reduction, width: width)
    let counter = CodeRows.Counter()
    let stops = [Float](unsafeUninitializedCapacity: 3 * width * height) { target, count in
      ConcurrentMap.bands(filling: target, rowLength: 3 * width, of: 8) { rows, part in
        counter.add(maker.fill(rows, part))
      }
      count = 3 * width * height
    }
    // A gain of a few thousandths of a stop at least, so that there is a scale.
    let least = stops.min() ?? 0
    let greatest = max(stops.max() ?? 0, least + 0.004)
    let scale = 255 / (greatest - least)
    pixels = stops.map { UInt8(min(max(($0 - least) * scale + 0.5, 0), 255)) }
    (self.width, self.height) = (width, height)
    (self.least, self.greatest) = (Double(least), Double(greatest))
    headroom = max(Double(maker.peak), 0.004)
    clipped = counter.count
  }

  /// Makes rows of a map.
  private struct Maker: Sendable {
    let base: CodeRows
    let high: RenderedPicture
    let reduction: Int
    let width: Int
    let light: CurveTable
    let highLight: CurveTable?
    let matrix: [Float]
    /// Stops of the brightest light.
    let peak: Float

    init(base: CodeRows, high: RenderedPicture, reduction: Int, width: Int) {
      (self.base, self.high) = (base, high)
      (self.reduction, self.width) = (reduction, width)
      let (curve, highCurve) = (base.picture.colorSpace.curve, high.colorSpace.curve)
      light = CurveTable { curve.decode($0) }
      highLight = highCurve == .linear ? nil : CurveTable { highCurve.decode($0) }
      matrix = Chromaticities(high.colorSpace.primaries)
        .matrix(to: Chromaticities(base.picture.colorSpace.primaries)).elements.map { Float($0) }
      peak = Self.peak(high, highLight)
    }

    private static func peak(_ high: RenderedPicture, _ curve: CurveTable?) -> Float {
      let lines = ConcurrentMap.map((high.height + 31) / 32) { band in
        withUnsafeTemporaryAllocation(of: Float.self, capacity: 3 * high.width) { line in
          guard let numbers = line.baseAddress else { return Float(0) }
          var most: Float = 0
          for row in 32 * band..<min(32 * (band + 1), high.height) {
            high.readFloats(row, into: numbers)
            for index in 0..<3 * high.width where numbers[index] > most { most = numbers[index] }
          }
          return most
        }
      }
      let most = min(lines.max() ?? 1, 65_504)
      return log2(max(curve?[most] ?? most, 1))
    }

    /// Stops of some rows; how many samples of the HDR picture were below 0.
    func fill(_ rows: Range<Int>, _ target: UnsafeMutableBufferPointer<Float>) -> Int {
      let length = base.length
      return withUnsafeTemporaryAllocation(of: Float.self, capacity: 4 * length) { memory in
        guard let sum = memory.baseAddress else { return 0 }
        let (highSum, line, highLine) = (sum + length, sum + 2 * length, sum + 3 * length)
        var cut = 0
        for (index, row) in rows.enumerated() {
          sum.update(repeating: 0, count: 2 * length)
          for part in 0..<reduction {
            let source = min(row * reduction + part, base.picture.height - 1)
            base.read(source, into: line)
            high.readFloats(source, into: highLine)
            for position in 0..<length {
              sum[position] += light[line[position]]
              highSum[position] += highLight?[highLine[position]] ?? highLine[position]
            }
          }
          for column in 0..<width {
            cut += put(column, sum, highSum, into: target, at: 3 * (index * width + column))
          }
        }
        return cut
      }
    }

    /// The gain of one place from sums over rows.
    private func put(
      _ column: Int, _ sum: UnsafeMutablePointer<Float>, _ highSum: UnsafeMutablePointer<Float>,
      into target: UnsafeMutableBufferPointer<Float>, at place: Int
    ) -> Int {
      var (low, light) = (SIMD3<Float>(repeating: 0), SIMD3<Float>(repeating: 0))
      for part in 0..<reduction {
        let source = 3 * min(column * reduction + part, base.picture.width - 1)
        low += SIMD3(sum[source], sum[source + 1], sum[source + 2])
        light += SIMD3(highSum[source], highSum[source + 1], highSum[source + 2])
      }
      let share = 1 / Float(reduction * reduction)
      (low, light) = (low * share, light * share)
      var cut = 0
      for color in 0..<3 {
        let row = 3 * color
        let mixed = matrix[row] * light.x + matrix[row + 1] * light.y + matrix[row + 2] * light.z
        if mixed < -1e-4 { cut += 1 }
        // What is no number counts as black; half floats end at 65504.
        let value = mixed > 0 ? min(mixed, 65_504) : 0
        let offset = Float(GainMap.offset)
        target[place + color] = log2((value + offset) / (low[color] + offset))
      }
      return cut
    }
  }
}
