import CRawKernels
import DNG
import MediaCore

/// Merges exposures of one scene into a mosaic of linear light.
///
/// Frames are aligned to the first one tile by tile, weighted by their noise models, and left out wherever they
/// show something different from the first one.
struct FrameMerger {
  /// The result of a merge.
  struct Result {
    /// The light, where the reference saturates at 1. It is not balanced.
    var light: LinearMosaic
    /// The greatest light that any frame can record: 1, or more if an exposure is shorter than the reference.
    var headroom: Double
    /// The noise where all frames agreed.
    var noise: NoiseModel
    /// The number of frames used in each cell of 2 by 2 pixels.
    var frameCounts: [Float]
    /// The displacement of each tile in each frame but the reference, in cells.
    var shifts: TileShifts
  }

  /// Displacements of tiles.
  struct TileShifts: Hashable {
    var columns: Int
    var rows: Int
    /// For each frame but the reference, tiles row by row: x and y in cells.
    var values: [Int16]

    /// The median displacement of each frame but the reference, in cells.
    var medians: [SIMD2<Double>] {
      let count = columns * rows
      guard count > 0 else { return [] }
      return (0..<values.count / (2 * count)).map { frame in
        let tiles = 2 * frame * count..<2 * (frame + 1) * count
        func median(_ axis: Int) -> Double {
          Double(tiles.filter { $0 % 2 == axis }.map { values[$0] }.sorted()[count / 2])
        }
        return SIMD2(median(0), median(1))
      }
    }
  }

  private let frames: [SensorFrame]
  private let kernels: [raw_frame]
  private let width: Int
  private let height: Int

  /// A merger of frames, the first being the reference. A single frame is only linearized.
  ///
  /// - Throws: ``RawPhotoError/Code/invalidArgument`` without a frame, ``RawPhotoError/Code/formatChanged`` if
  ///   frames differ in size, pattern or depth.
  init(_ frames: [SensorFrame]) throws(RawPhotoError) {
    guard let first = frames.first else {
      throw RawPhotoError(.invalidArgument, "no frames to merge")
    }
    for frame in frames {
      guard frame.mosaic.width == first.mosaic.width, frame.mosaic.height == first.mosaic.height,
        frame.pattern == first.pattern, frame.mosaic.bitDepth == first.mosaic.bitDepth
      else {
        throw RawPhotoError(
          .formatChanged, "the exposures differ in format; take them again")
      }
      guard frame.exposure.amount > 0, frame.exposure.amount.isFinite else {
        throw RawPhotoError(.invalidArgument, "an exposure of zero cannot be merged")
      }
    }
    self.frames = frames
    // An odd last row or column is not part of any cell; see `fillEdges`.
    width = first.mosaic.width
    height = first.mosaic.height
    kernels = frames.map { Self.kernel($0, reference: first) }
  }

  private static func kernel(_ frame: SensorFrame, reference: SensorFrame) -> raw_frame {
    let facts = frame.calibration
    let black = facts.blackLevel
    let mean = black.reduce(0, +) / 4
    let relative = frame.exposure.amount / reference.exposure.amount
    let range = facts.whiteLevel - mean
    var kernel = raw_frame()
    kernel.black = (Float(black[0]), Float(black[1]), Float(black[2]), Float(black[3]))
    kernel.scale = Float(1 / (range * relative))
    kernel.saturation = UInt32(mean + 0.99 * range)
    kernel.limit = Float(1 / relative)
    kernel.slope = Float(frame.noise.scale / relative)
    kernel.floor = Float(frame.noise.offset / (relative * relative))
    return kernel
  }

  /// Aligns and merges the frames, on all processors.
  func merge() -> Result {
    let cells = frames.indices.map { cellMeans($0) }
    let shifts = TileAligner(cells: cells, columns: width / 2, rows: height / 2)
      .align(caps: kernels.map(\.limit))
    var light = [Float](repeating: 0, count: width * height)
    var counts = [Float](repeating: 0, count: max((width / 2) * (height / 2), 1))
    withKernels(cells) { kernels, cells in
      light.withUnsafeMutableBufferPointer { light in
        counts.withUnsafeMutableBufferPointer { counts in
          // Safe: bands do not overlap, so each thread writes only its own rows.
          nonisolated(unsafe) let target = light
          nonisolated(unsafe) let used = counts
          // Safe: these are only read.
          nonisolated(unsafe) let (kernels, cells) = (kernels, cells)
          let (count, width, height) = (frames.count, width, height)
          ConcurrentMap.bands(height / 2, of: 16) { rows in
            raw_merge(
              kernels, count, cells, width, height, shifts.values,
              rows.lowerBound, rows.upperBound, target.baseAddress, used.baseAddress)
          }
        }
      }
    }
    fillEdges(&light)
    let headroom = kernels.map { Double($0.limit) }.max() ?? 1
    return Result(
      light: LinearMosaic(width: width, height: height, samples: light), headroom: headroom,
      noise: mergedNoise, frameCounts: counts, shifts: shifts)
  }

  /// The noise where all frames agree: their inverse variances add up.
  private var mergedNoise: NoiseModel {
    func variance(_ light: Float) -> Double {
      1
        / kernels.reduce(0) {
          $0 + (light < $1.limit ? 1 / Double($1.slope * light + $1.floor) : 0)
        }
    }
    let dark = variance(0)
    let middle: Float = 0.15
    return NoiseModel(scale: max((variance(middle) - dark) / Double(middle), 1e-12), offset: dark)
  }

  private func cellMeans(_ index: Int) -> [Float] {
    let count = (width / 2) * (height / 2)
    return [Float](unsafeUninitializedCapacity: max(count, 1)) { cells, used in
      // Safe: bands do not overlap, so each thread writes only its own cells; the frame is only read.
      nonisolated(unsafe) let target = cells
      frames[index].mosaic.samples.withUnsafeBufferPointer { codes in
        var kernel = kernels[index]
        kernel.codes = codes.baseAddress
        nonisolated(unsafe) let frame = kernel
        let width = width
        ConcurrentMap.bands(height / 2, of: 64) { rows in
          withUnsafePointer(to: frame) {
            raw_cell_means($0, width, rows.lowerBound, rows.upperBound, target.baseAddress)
          }
        }
      }
      if count == 0 { cells[0] = 0 }
      used = max(count, 1)
    }
  }

  /// Calls `body` with the kernels and cells; the pointers to codes and cells are valid only while it runs.
  private func withKernels(
    _ cells: [[Float]],
    _ body: (UnsafePointer<raw_frame>?, UnsafePointer<UnsafePointer<Float>?>?) -> Void
  ) {
    var pointers: [UnsafePointer<Float>?] = []
    var ready = kernels
    func hold(_ index: Int) {
      guard index < frames.count else {
        ready.withUnsafeBufferPointer { kernels in
          pointers.withUnsafeBufferPointer { body(kernels.baseAddress, $0.baseAddress) }
        }
        return
      }
      frames[index].mosaic.samples.withUnsafeBufferPointer { codes in
        cells[index].withUnsafeBufferPointer { means in
          ready[index].codes = codes.baseAddress
          pointers.append(means.baseAddress)
          hold(index + 1)
        }
      }
    }
    hold(0)
  }

  /// An odd last row or column belongs to no cell and is taken from the reference.
  private func fillEdges(_ light: inout [Float]) {
    let kernel = kernels[0]
    let black = [kernel.black.0, kernel.black.1, kernel.black.2, kernel.black.3]
    func fill(_ row: Int, _ column: Int) {
      let code = Float(frames[0].mosaic.samples[row * width + column])
      light[row * width + column] =
        (code - black[(row & 1) * 2 + (column & 1)]) * kernel.scale
    }
    if width % 2 == 1 { for row in 0..<height { fill(row, width - 1) } }
    if height % 2 == 1 { for column in 0..<width { fill(height - 1, column) } }
  }
}

extension LinearMosaic {
  /// The mosaic with each color divided by that of a neutral surface, for interpolation.
  func balanced(_ neutral: [Double], _ pattern: BayerPattern) -> LinearMosaic {
    let factors = pattern.cell.map { Float(1 / neutral[Int($0.rawValue)]) }
    var result = self
    result.samples.withUnsafeMutableBufferPointer { samples in
      // Safe: bands do not overlap, so each thread writes only its own rows.
      nonisolated(unsafe) let target = samples
      ConcurrentMap.bands(height, of: 64) { rows in
        for row in rows {
          let (even, odd) = (factors[(row & 1) * 2], factors[(row & 1) * 2 + 1])
          var index = row * width
          for column in 0..<width {
            target[index] *= column & 1 == 0 ? even : odd
            index += 1
          }
        }
      }
    }
    return result
  }
}
