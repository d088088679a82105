import CRawKernels
import DNG
import Foundation
import MediaCore
import TestSupport
import Testing

@testable import RawDevelop

/// Compares vectorized loops with plain ones, pixel by pixel.
@Suite struct KernelTests {
  private func noise(_ count: Int, seed: UInt64, _ range: ClosedRange<Float> = 0...1) -> [Float] {
    var random = SeededGenerator(seed: seed)
    return (0..<count).map { _ in Float.random(in: range, using: &random) }
  }

  @Test(arguments: [(0, 0), (0, 1), (1, 0), (1, 1)])
  func tiles_are_demosaicked_as_in_the_reference_code(red: (row: Int, column: Int)) {
    let side = Int(RAW_TILE_STRIDE)
    let mosaic = noise(side * side, seed: 5)
    let plain = PlainDemosaicking(
      mosaic: mosaic, side: side, redRow: red.row, redColumn: red.column)
    let planes = LightPlanes(width: side, height: side, count: 3)
    withUnsafeTemporaryAllocation(of: raw_demosaic_scratch.self, capacity: 1) { scratch in
      raw_demosaic_tile(
        mosaic, UInt32(red.row), UInt32(red.column), scratch.baseAddress, planes[0], planes[1],
        planes[2])
    }
    let margin = Int(RAW_TILE_MARGIN)
    for row in stride(from: margin, to: side - margin, by: 13) {
      for column in stride(from: margin, to: side - margin, by: 11) {
        let expected = plain.color(row, column)
        for color in 0..<3 {
          let found = planes[color][row * side + column]
          #expect(abs(found - expected[color]) < 1e-4, "\(row), \(column), color \(color)")
        }
      }
    }
  }

  @Test func strongly_shrunk_lines_keep_their_position() {
    let (width, columns) = (990, 10)
    let ramp = (0..<2 * width).map { Float($0 % width) }
    var lines = [Float](repeating: 0, count: Int(RAW_SHRINK_ROWS) * width)
    var shrunk = [Float](repeating: 0, count: 2 * columns)
    var way = raw_shrinking(source_width: width, source_height: 2, width: columns, height: 2)
    raw_shrink(&way, ramp, 0, width, 0, 2, &lines, &shrunk)
    for column in 2..<8 {
      let middle = (Float(column) + 0.5) * 99 - 0.5
      #expect(abs(shrunk[column] - middle) < 0.5 && shrunk[column] == shrunk[columns + column])
    }
  }

  @Test func shrunk_rows_do_not_depend_on_the_band_they_are_made_in() {
    let (width, height, columns, rows) = (61, 90, 40, 59)
    let light = noise(width * height, seed: 5)
    var lines = [Float](repeating: 0, count: Int(RAW_SHRINK_ROWS) * width)
    var way = raw_shrinking(
      source_width: width, source_height: height, width: columns, height: rows)
    func shrunk(by band: Int) -> [Float] {
      var result = [Float](repeating: 0, count: columns * rows)
      for first in stride(from: 0, to: rows, by: band) {
        let last = min(first + band, rows)
        // Only the rows of the source that these rows need.
        var (begin, end) = (0, 0)
        raw_shrink_reach(&way, first, last, &begin, &end)
        let part = Array(light[begin * width..<end * width])
        raw_shrink(&way, part, begin, width, first, last, &lines, &result)
      }
      return result
    }
    let whole = shrunk(by: rows)
    #expect(whole.allSatisfy { $0 > 0 })
    for band in [1, 15, 16, 17, 32] { #expect(shrunk(by: band) == whole, "\(band)") }
  }

  @Test(arguments: [(1, 1), (2, 1), (3, 1), (1, 3), (2, 3)])
  func codes_are_linearized_by_their_position_in_the_pattern(
    pattern: (columns: Int, components: Int)
  ) {
    let (columns, rows) = (211, 4)
    let cell = pattern.columns * pattern.components
    let count = columns * pattern.components
    let codes = noise(count * rows, seed: 2, 0...4095).map { UInt16($0) }
    let black = (0..<2 * cell).map { Float(60 + $0) }
    let scale = (0..<pattern.components).map { 1 / Float(3000 + 400 * $0) }
    var light = [Float](repeating: 0, count: count * rows)
    black.withUnsafeBufferPointer { black in
      scale.withUnsafeBufferPointer { scale in
        var levels = raw_levels()
        (levels.columns, levels.components) = (columns, pattern.components)
        levels.black = black.baseAddress
        (levels.black_rows, levels.black_columns) = (2, pattern.columns)
        levels.scale = scale.baseAddress
        raw_linearize(&levels, codes, nil, count, 0, rows, &light)
      }
    }
    for index in light.indices {
      let (row, place) = (index / count, index % count)
      let dark = black[row % 2 * cell + place % cell]
      let expected = min((Float(codes[index]) - dark) * scale[place % pattern.components], 1)
      #expect(abs(light[index] - expected) < 1e-6)
    }
  }

  @Test(arguments: [(0, 0), (0, 1), (1, 0), (1, 1)])
  func mosaic_cells_become_rgb_pixels(red: (row: Int, column: Int)) {
    let width = 75
    let light = noise(2 * width, seed: 8)
    let planes = LightPlanes(width: 37, height: 1, count: 3)
    raw_bin_mosaic(
      light, width, 2, 2, UInt32(red.row), UInt32(red.column), 37, planes[0], planes[1],
      planes[2])
    func at(_ row: Int, _ column: Int) -> Float { light[(row & 1) * width + column] }
    for cell in 0..<37 {
      let (row, column) = (red.row, 2 * cell + red.column)
      let other = 2 * cell + 1 - red.column
      #expect(planes[0][cell] == at(row, column))
      #expect(planes[1][cell] == (at(row, other) + at(row + 1, column)) / 2)
      #expect(planes[2][cell] == at(row + 1, other))
    }
  }

  /// NaN surrounds the table, and would show in the colors.
  @Test func colors_outside_a_hue_table_use_its_edge() {
    let (before, count) = (4096, 3 * 6 * 3 * 2)
    let outside = [Float](repeating: .nan, count: before)
    let entries = outside + (0..<count).map { $0 % 3 == 0 ? 0 : 1 } + outside
    entries.withUnsafeBufferPointer { entries in
      var plan = raw_develop()
      plan.is_open = 1
      (plan.look.hues, plan.look.saturations, plan.look.values) = (6, 3, 2)
      plan.look.entries = entries.baseAddress.map { $0 + before }
      plan.output = (1, 0, 0, 0, 1, 0, 0, 0, 1)
      for color: SIMD3<Float> in [
        [-0.01, -1, -2], [-1, -0.3, -40], [-1e-6, -1, -1e9], [0.5, -0.5, 0.1], [9, 2, 1],
        [.infinity, 0, 0], [.nan, 0, 0], [0.2, .nan, 0.1],
      ] {
        var (red, green, blue) = (color.x, color.y, color.z)
        raw_develop_look(&plan, 1, nil, &red, &green, &blue)
        let isNumber = !color.x.isNaN && !color.y.isNaN && color.x.isFinite
        #expect(!isNumber || [red, green, blue].allSatisfy(\.isFinite), "\(color)")
      }
    }
  }

  @Test func highlights_are_estimated_only_next_to_clipped_pixels() {
    let (width, height) = (40, 30)
    var planes = (0..<3).map { noise(width * height, seed: 20 + UInt64($0), 0.2...0.6) }
    for place in [0, 13 * width + 20, 13 * width + 21, 29 * width + 39] { planes[1][place] = 1 }
    let white: [Float] = [0.6, 1, 0.7]
    let guesses = LightPlanes(width: width, height: height, count: 3)
    var sums = [Double](repeating: 0, count: 6)
    var marks = [UInt8](repeating: 0, count: width)
    raw_guess_highlights(
      planes[0], planes[1], planes[2], width, height, 0, height, white, 0.987, &marks, guesses[0],
      guesses[1], guesses[2], &sums)
    var counts = 0.0
    for row in 0..<height {
      for column in 0..<width {
        var around: [Int] = []
        for y in row - 1...row + 1 {
          for x in column - 1...column + 1 {
            around.append(min(max(y, 0), height - 1) * width + min(max(x, 0), width - 1))
          }
        }
        let place = row * width + column
        guard around.contains(where: { planes[1][$0] >= 0.987 }) else {
          #expect((0..<3).allSatisfy { guesses[$0][place] == 0 })
          continue
        }
        let roots: [Double] = (0..<3).map { color in
          let sum: Float = around.reduce(0) { $0 + planes[color][$1] }
          return cbrt(Double(sum / (9 * white[color])))
        }
        for color in 0..<3 {
          let mean = (roots[(color + 1) % 3] + roots[(color + 2) % 3]) / 2
          #expect(abs(Double(guesses[color][place]) - mean * mean * mean) < 1e-5)
        }
        if planes[1][place] < 0.987 { counts += 1 }
      }
    }
    #expect(sums[4] == counts && sums[3] == 0 && sums[5] == 0)
  }

  @Test(arguments: [(true, false), (false, true), (true, true)])
  func denoising_and_sharpening_match_the_reference_code(
    steps: (reducesNoise: Bool, sharpens: Bool)
  ) {
    let (full, side) = (Int(RAW_DETAIL_SIDE), PlainDetail.side)
    var kernel = raw_detail()
    kernel.white = (0.6, 1, 0.7)
    kernel.noise_slope = (2e-3, 1e-3, 2e-3)
    kernel.noise_floor = (1e-5, 1e-5, 1e-5)
    if steps.reducesNoise {
      kernel.is_interpolated = steps.sharpens ? 1 : 0
      (kernel.luminance_noise, kernel.color_noise) = (0.5, 0.7)
      (kernel.moire, kernel.structure) = (0.4, 0.6)
    }
    if steps.sharpens { kernel.sharpness = 0.8 }
    let planes = (0..<3).map { color in
      noise(full * full, seed: 30 + UInt64(color), 0.2...0.5)
    }
    let corner = 100
    var plain = PlainDetail(
      planes: planes.map { plane in
        (0..<side * side).map { plane[(corner + $0 / side) * full + corner + $0 % side] }
      }, settings: kernel)
    plain.work()
    withUnsafeTemporaryAllocation(of: raw_detail_scratch.self, capacity: 1) { scratch in
      guard let memory = scratch.baseAddress else { return }
      let tile = UnsafeMutableRawPointer(memory).assumingMemoryBound(to: Float.self)
      for color in 0..<3 {
        (tile + color * full * full).update(from: planes[color], count: full * full)
      }
      raw_detail_tile(&kernel, memory)
      for row in side / 2 - 4..<side / 2 + 4 {
        for column in side / 2 - 4..<side / 2 + 4 {
          for color in 0..<3 {
            let found = tile[color * full * full + (corner + row) * full + corner + column]
            let expected = plain.planes[color][row * side + column]
            #expect(abs(found - expected) < 1e-4 * max(abs(expected), 0.1), "color \(color)")
          }
        }
      }
    }
  }

  @Test func strips_match_the_whole_image() {
    let (width, height) = (130, 611)
    let mosaic = LightPlanes(width: width, height: height, count: 1)
    mosaic[0].update(from: noise(width * height, seed: 3), count: width * height)
    let demosaicker = Demosaicker(mosaic, .grbg, white: [0.6, 1, 0.7], clips: false)
    let whole = demosaicker.planes()
    let source = LightStripSource(source: .mosaic(mosaic, .grbg), demosaicker: demosaicker)
    var previous: LightStrip?
    for start in stride(from: 0, to: height, by: 150) {
      let rows = start - 40..<start + 190
      let strip = source.strip(of: rows, after: previous)
      previous = strip
      for row in rows {
        let place = min(max(row, 0), height - 1)
        for color in 0..<3 {
          let found = strip.planes[color] + strip.index(ofRow: row) * width
          let expected = whole[color] + place * width
          #expect((0..<width).allSatisfy { found[$0] == expected[$0] }, "row \(row)")
        }
      }
    }
  }
}
