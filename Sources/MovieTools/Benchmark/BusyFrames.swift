import CaptureDevices
import MediaCore
import TestPattern

/// Frames that are as hard to compress as natural images with film grain, in any layout, so that a
/// codec needs its full data rate.
enum BusyFrames {
  /// Makes `count` different frames.
  static func make(
    _ description: PixelBuffer.Description, count: Int
  ) throws(MediaCoreError) -> [PixelBuffer] {
    var frames: [PixelBuffer] = []
    for number in 0..<count {
      switch description.format.descriptor.packing {
      case .biplanarPacked10, .packedBGR, .packedBGRX, .packedXRGB, .mosaic, .mosaicPacked:
        frames.append(try noise(description, seed: UInt64(number)))
      case .planar, .biplanar, .packedYCbYCr, .packedCbYCrY, .v210:
        frames.append(try scene(description, seed: UInt64(number)))
      }
    }
    return frames
  }

  private static func scene(
    _ description: PixelBuffer.Description, seed: UInt64
  ) throws(MediaCoreError) -> PixelBuffer {
    let slot = try FrameCanvas(description)
    var scene = BusyScene(width: description.width, seed: seed)
    for row in 0..<description.height {
      scene.paint(row: row)
      slot.store(scene.line, row: row, x: 0, count: description.width)
    }
    return try slot.buffer {}
  }

  /// Random bytes, for layouts without a generator.
  private static func noise(
    _ description: PixelBuffer.Description, seed: UInt64
  ) throws(MediaCoreError) -> PixelBuffer {
    var frame = try MutablePixelBuffer(description)
    var random = BusyScene.Random(seed: seed)
    for plane in 0..<frame.planeCount {
      frame.withUnsafeMutableBytes(ofPlane: plane) { bytes in
        for index in bytes.indices { bytes[index] = UInt8(truncatingIfNeeded: random.next()) }
      }
    }
    return frame.finish()
  }
}

/// Paints a frame of cloud-like detail at every scale, contours, and grain, row by row.
///
/// Natural images have about the same contrast in each octave of detail, and less in the finest,
/// which lenses and sensors soften. The grain on top is what costs data rate.
struct BusyScene {
  /// The last row painted.
  private(set) var line: PatternRow
  private var luma: Clouds
  private var cb: Clouds
  private var cr: Clouds
  private let grain: [Float]
  private var random: Random

  /// The maximum luma grain in 10-bit codes. Its distribution is triangular, as the sum of two
  /// uniform ones. The standard deviation is 9.8 codes, a hundredth of the range.
  private static let lumaGrain: Float = 24
  /// The maximum chroma grain in 10-bit codes.
  private static let chromaGrain: Float = 9

  init(width: Int, seed: UInt64) {
    line = PatternRow(width: (width + 11) / 12 * 12)
    let count = line.luma.count
    luma = Clouds(
      width: count, seed: seed &* 3 &+ 1,
      octaves: [
        (512, 190), (256, 140), (128, 100), (64, 70), (32, 45), (16, 26), (8, 12), (4, 5),
      ])
    cb = Clouds(
      width: count, seed: seed &* 3 &+ 2, octaves: [(512, 80), (128, 40), (32, 18), (8, 5)])
    cr = Clouds(
      width: count, seed: seed &* 3 &+ 3, octaves: [(512, 80), (128, 40), (32, 18), (8, 5)])
    var random = Random(seed: seed &+ 977)
    grain = (0..<(1 << 16)).map { _ in random.unit() + random.unit() - 1 }
    self.random = random
  }

  /// Paints a row. Rows must come in order.
  mutating func paint(row: Int) {
    luma.advance(to: row)
    cb.advance(to: row)
    cr.advance(to: row)
    let mask = grain.count - 1
    let (first, second, third) = (random.next(), random.next(), random.next())
    let offsets = (
      Int(truncatingIfNeeded: first) & mask, Int(truncatingIfNeeded: second) & mask,
      Int(truncatingIfNeeded: third) & mask
    )
    luma.values.withUnsafeBufferPointer { luma in
      cb.values.withUnsafeBufferPointer { cb in
        cr.values.withUnsafeBufferPointer { cr in
          grain.withUnsafeBufferPointer { grain in
            line.paint { x in
              // A contour where the clouds cross the middle: lighter on one side, darker on the
              // other.
              let level = 480 + luma[x] + (luma[x] > 0 ? 60 : -60)
              let y = level + grain[(x + offsets.0) & mask] * Self.lumaGrain
              let u = 512 + cb[x] + grain[(x + offsets.1) & mask] * Self.chromaGrain
              let v = 512 + cr[x] + grain[(x + offsets.2) & mask] * Self.chromaGrain
              return PatternRow.Color(
                UInt16(min(max(y, 64), 940)), UInt16(min(max(u, 64), 960)),
                UInt16(min(max(v, 64), 960)))
            }
          }
        }
      }
    }
  }

  /// The sum of smooth noise at several scales.
  struct Clouds {
    /// One scale: random values on a grid, interpolated in between.
    struct Octave {
      let cell: Int
      let amplitude: Float
      let seed: UInt64
      var gridRow = -1
      var above: [Float]
      var below: [Float]
    }

    private(set) var values: [Float]
    private var octaves: [Octave]

    init(width: Int, seed: UInt64, octaves: [(cell: Int, amplitude: Float)]) {
      values = [Float](repeating: 0, count: width)
      self.octaves = octaves.enumerated().map { index, octave in
        let blank = [Float](repeating: 0, count: width)
        return Octave(
          cell: octave.cell, amplitude: octave.amplitude, seed: seed &* 31 &+ UInt64(index),
          above: blank, below: blank)
      }
    }

    mutating func advance(to row: Int) {
      for index in values.indices { values[index] = 0 }
      for index in octaves.indices {
        octaves[index].advance(to: row / octaves[index].cell)
        let octave = octaves[index]
        let t = Float(row % octave.cell) / Float(octave.cell)
        let weight = t * t * (3 - 2 * t) * octave.amplitude
        let rest = octave.amplitude - weight
        values.withUnsafeMutableBufferPointer { values in
          octave.above.withUnsafeBufferPointer { above in
            octave.below.withUnsafeBufferPointer { below in
              for x in values.indices { values[x] += above[x] * rest + below[x] * weight }
            }
          }
        }
      }
    }
  }

  /// Pseudo-random numbers (xorshift), the same in each run.
  struct Random {
    private var state: UInt64

    init(seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 | 1 }

    mutating func next() -> UInt64 {
      state ^= state << 13
      state ^= state >> 7
      state ^= state << 17
      return state >> 16
    }

    /// From 0 to 1.
    mutating func unit() -> Float { Float(next() & 0xFFFF) / 65_536 }
  }
}

extension BusyScene.Clouds.Octave {
  /// Sets the grid rows above and below a row of cells.
  mutating func advance(to row: Int) {
    guard row != gridRow else { return }
    if row == gridRow + 1, gridRow >= 0 {
      swap(&above, &below)
    } else {
      fill(&above, gridRow: row)
    }
    fill(&below, gridRow: row + 1)
    gridRow = row
  }

  /// Fills a row with a grid row's interpolated values.
  private func fill(_ target: inout [Float], gridRow row: Int) {
    let (cell, seed) = (cell, seed)
    func value(_ column: Int) -> Float {
      var mixed = UInt64(truncatingIfNeeded: column &* 0x1F1F_1F1F ^ row &* 0x5851_F42D) &+ seed
      mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
      mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
      return Float(mixed >> 40) / Float(1 << 23) - 1
    }
    target.withUnsafeMutableBufferPointer { target in
      var left = value(0)
      for column in 0...((target.count - 1) / cell) {
        let right = value(column + 1)
        for x in 0..<min(cell, target.count - column * cell) {
          let t = Float(x) / Float(cell)
          target[column * cell + x] = left + (right - left) * (t * t * (3 - 2 * t))
        }
        left = right
      }
    }
  }
}
