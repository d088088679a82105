import CRawKernels
import MediaCore

/// Noise reduction, moire reduction, structure and sharpening, in tiles of camera light.
struct DetailStage: Sendable {
  /// The noise assumed if a camera does not state it.
  static let usualNoise = NoiseModel(scale: 2e-4, offset: 1e-6)

  private let kernel: raw_detail
  /// Samples around a tile on which its result depends.
  let margin: Int

  /// The side of a tile without its margins, in samples.
  var side: Int { Int(RAW_DETAIL_SIDE) - 2 * margin }

  /// The stage for the settings; nil if they need none.
  ///
  /// - Parameters:
  ///   - noise: The noise of each color, or of all; empty if the file does not state it.
  ///   - reduction: Pixels of the file averaged to a sample.
  ///   - isInterpolated: True for demosaicked light.
  init?(
    _ settings: DevelopSettings, noise: [NoiseModel], white: [Double], reduction: Double,
    isInterpolated: Bool
  ) {
    let wavelets =
      settings.luminanceNoiseReduction > 0 || settings.colorNoiseReduction > 0
      || settings.moireReduction > 0 || settings.detail > 0
    guard !settings.isDraft, wavelets || settings.sharpness > 0 else { return nil }
    var kernel = raw_detail()
    kernel.white = (Float(white[0]), Float(white[1]), Float(white[2]))
    let models = (0..<3).map { color in
      noise.isEmpty ? Self.usualNoise : noise[min(color, noise.count - 1)]
    }
    let share = 1 / reduction
    let slopes = models.map { Float($0.scale * share) }
    let floors = models.map { Float($0.offset * share) }
    kernel.noise_slope = (slopes[0], slopes[1], slopes[2])
    kernel.noise_floor = (floors[0], floors[1], floors[2])
    kernel.is_interpolated = isInterpolated ? 1 : 0
    kernel.luminance_noise = Float(settings.luminanceNoiseReduction)
    kernel.color_noise = Float(settings.colorNoiseReduction)
    kernel.moire = Float(settings.moireReduction)
    kernel.structure = Float(settings.detail)
    kernel.sharpness = Float(settings.sharpness)
    self.kernel = kernel
    margin =
      (wavelets ? Int(RAW_WAVELET_MARGIN) : 0)
      + (settings.sharpness > 0 ? Int(RAW_SHARPEN_MARGIN) : 0)
  }

  /// A thread's buffers.
  final class Tile {
    fileprivate let scratch = UnsafeMutablePointer<raw_detail_scratch>.allocate(capacity: 1)
    fileprivate var planes: UnsafeMutablePointer<Float> {
      UnsafeMutableRawPointer(scratch).assumingMemoryBound(to: Float.self)
    }
    deinit { scratch.deallocate() }
  }

  /// Rows of light needed by a row of tiles, including rows outside the image.
  func rows(ofTiles y: Int) -> Range<Int> { y * side - margin..<(y + 1) * side + margin }

  /// Processes the tile whose first sample, margins excluded, is at the given position. Outside the image, the
  /// nearest light is used.
  func work(_ tile: Tile, _ strip: LightStrip, x: Int, y: Int) {
    let full = Int(RAW_DETAIL_SIDE)
    let planes = strip.planes
    for color in 0..<3 {
      let source = planes[min(color, planes.count - 1)]
      let target = tile.planes + color * full * full
      for row in 0..<full {
        let line = source + strip.index(ofRow: y - margin + row) * planes.width
        let first = x - margin
        if first >= 0, first + full <= planes.width {
          (target + row * full).update(from: line + first, count: full)
        } else {
          for column in 0..<full {
            target[row * full + column] = line[min(max(first + column, 0), planes.width - 1)]
          }
        }
      }
    }
    withUnsafePointer(to: kernel) { raw_detail_tile($0, tile.scratch) }
  }

  /// Copies part of a row from the tile; columns are relative to its first sample, margins excluded.
  func copy(
    _ tile: Tile, row: Int, columns: Range<Int>, into planes: [UnsafeMutablePointer<Float>]
  ) {
    let full = Int(RAW_DETAIL_SIDE)
    for color in 0..<3 {
      planes[color].update(
        from: tile.planes + (color * full + row + margin) * full + margin + columns.lowerBound,
        count: columns.count)
    }
  }
}
