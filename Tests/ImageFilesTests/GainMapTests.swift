import Glibc
import MediaCore
import RawDevelop
import TestSupport
import Testing

@testable import ImageFiles

/// Compares gain maps with a plain reference.
@Suite struct GainMapTests {
  /// A map's numbers, computed one by one as they are defined.
  private struct Plain {
    var bytes: [UInt8] = []
    var least: Float = 0
    var greatest: Float = 0
    var peak: Float = 0
    var clipped = 0

    /// - Parameters:
    ///   - base: Codes in sRGB.
    ///   - high: Light in the same primaries.
    init(base: RenderedImage, high: RenderedImage, reduction: Int) {
      let (width, height) = (max(base.width / reduction, 1), max(base.height / reduction, 1))
      let curve = CurveTable { TransferCurve.sRGB.decode($0) }
      var stops: [Float] = []
      for row in 0..<height {
        for place in 0..<3 * width {
          var (low, light) = (Float(0), Float(0))
          for part in 0..<reduction * reduction {
            let source = min(row * reduction + part % reduction, base.height - 1)
            let column = min(place / 3 * reduction + part / reduction, base.width - 1)
            low += curve[base[source, column, place % 3]]
            light += high[source, column, place % 3]
          }
          let share = 1 / Float(reduction * reduction)
          if light * share < -1e-4 { clipped += 1 }
          let value = max(light * share, 0)
          stops.append(log2((value + 1 / 64) / (low * share + 1 / 64)))
        }
      }
      least = stops.min() ?? 0
      greatest = max(stops.max() ?? 0, least + 0.004)
      let scale = 255 / (greatest - least)
      bytes = stops.map { UInt8(min(max(($0 - least) * scale + 0.5, 0), 255)) }
      for row in 0..<high.height {
        for column in 0..<high.width {
          for color in 0..<3 { peak = max(peak, high[row, column, color]) }
        }
      }
    }
  }

  private func images(_ width: Int, _ height: Int) -> (RenderedImage, RenderedImage) {
    var random = SeededGenerator(seed: UInt64(width + height))
    let bytes = (0..<3 * width * height).map { _ in UInt8.random(in: 0...255, using: &random) }
    let light = (0..<3 * width * height).map { index in
      // The brightest light is in the last row, which a reduced map may omit.
      index == 3 * width * height - 1
        ? Float16(9.5).bitPattern : Float16(Float.random(in: -0.1...6, using: &random)).bitPattern
    }
    return (
      RenderedImage(width: width, height: height, samples: .uint8(bytes), colorSpace: .sRGB),
      RenderedImage(width: width, height: height, samples: .half(light), colorSpace: .linearSRGB)
    )
  }

  @Test(arguments: [(1, 1), (3, 2), (37, 29), (64, 65)], [1, 2, 4])
  func gain_maps_match_a_plain_reference(_ size: (Int, Int), reduction: Int) {
    let (base, high) = images(size.0, size.1)
    let map = GainMap(base: CodeRows(base), high: high, reduction: reduction)
    let plain = Plain(base: base, high: high, reduction: reduction)
    // A reduced map adds its sums in another order.
    let tolerance: Float = reduction == 1 ? 0 : 1e-5
    #expect(abs(Float(map.least) - plain.least) <= tolerance)
    #expect(abs(Float(map.greatest) - plain.greatest) <= tolerance)
    #expect(map.pixels.count == plain.bytes.count && map.clipped == plain.clipped)
    for (found, wanted) in zip(map.pixels, plain.bytes) {
      #expect(abs(Int(found) - Int(wanted)) <= (reduction == 1 ? 0 : 1))
    }
    #expect(map.headroom == Double(log2(plain.peak)))
  }

  @Test func a_gain_map_is_the_same_on_one_thread() {
    let (base, high) = images(64, 65)
    let map = GainMap(base: CodeRows(base), high: high, reduction: 1)
    let alone = ConcurrentMap.$threadLimit.withValue(1) {
      GainMap(base: CodeRows(base), high: high, reduction: 1)
    }
    #expect(map.pixels == alone.pixels && map.least == alone.least)
    #expect(map.headroom == alone.headroom && map.clipped == alone.clipped)
  }
}
