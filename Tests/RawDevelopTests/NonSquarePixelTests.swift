import DNG
import Foundation
import TIFF
import Testing

@testable import RawDevelop

/// Files whose pixels are not square (DefaultScale).
struct NonSquarePixelTests: RAWFilterRig {
  /// Gains that rise from the top of the image to the bottom, in the tag's form for a little-endian file.
  private static var gainMap: TIFFValue {
    let (points, places) = ([2, 2] as [UInt32], [1, 1, 0, 0] as [Double])
    let (weights, gains) = ([Float](repeating: 0.2, count: 5), [0.25, 0.25, 1, 1] as [Float])
    return .undefined(
      ExampleNegative.bytes(points) + ExampleNegative.bytes(places)
        + ExampleNegative.bytes([1] as [UInt32]) + ExampleNegative.bytes(weights + gains))
  }

  /// An image with a single color in each row.
  ///
  /// - Parameter light: The brightness of a row.
  private func image(
    _ scale: [Double], components: Int, light: @escaping (Int) -> Double = { _ in 0.3 },
    contrast: Float = 0, change: @escaping (inout TIFFDirectory) -> Void = { _ in }
  ) throws -> RenderedImage {
    var negative = ExampleNegative()
    negative.components = components
    negative.light = { row, _, color in light(row) * [0.52, 1, 0.66][color] }
    negative.change = { root in
      root[.defaultScale] = ExampleNegative.unsigned(scale)
      change(&root)
    }
    var filter = try filter(negative)
    filter.contrastAmount = contrast
    return try filter.outputImage()
  }

  /// Expects each row to be the mean of the rows of another image that it replaces.
  private func expect(_ odd: RenderedImage, agreesWith square: RenderedImage) {
    #expect(odd.width * odd.height == 96 * 32)
    for row in 0..<odd.height {
      let rows = row * square.height / odd.height..<(row + 1) * square.height / odd.height
      for part in [0.1, 0.5, 0.9] {
        let (column, same) = (Int(part * Double(odd.width)), Int(part * Double(square.width)))
        let wanted = rows.reduce(0) { $0 + square[$1, same, 1] } / Float(rows.count)
        let found = odd[row, column, 1]
        #expect(abs(wanted - found) < 0.02, "row \(row), column \(column): \(found), not \(wanted)")
      }
    }
  }

  @Test(arguments: [[1, 2], [2, 1]] as [[Double]], [1, 3])
  func a_gain_map_covers_the_whole_image(scale: [Double], components: Int) throws {
    func image(_ scale: [Double]) throws -> RenderedImage {
      try self.image(
        scale, components: components,
        change: { $0[.profileGainTableMap] = Self.gainMap })
    }
    expect(try image(scale), agreesWith: try image([1, 1]))
  }

  @Test(arguments: [[1, 2], [2, 1]] as [[Double]], [1, 3])
  func a_mask_covers_the_whole_image(scale: [Double], components: Int) throws {
    func image(_ scale: [Double]) throws -> RenderedImage {
      try self.image(
        scale, components: components,
        change: { root in
          root[.rgbTables] = ExampleNegative.blackTable(for: "sky")
          // The mask fades out from the second eighth to the third.
          root.children = [
            ExampleNegative.mask("sky", width: 1, samples: [255, 255, 0, 0, 0, 0, 0, 0])
          ]
        })
    }
    let square = try image([1, 1])
    #expect(square[4, 48, 1] == 0 && square[60, 48, 1] > 0.3)
    expect(try image(scale), agreesWith: square)
  }

  @Test(arguments: [[1, 2], [2, 1]] as [[Double]], [1, 3])
  func local_contrast_uses_the_same_surroundings(scale: [Double], components: Int) throws {
    func image(_ scale: [Double], contrast: Float) throws -> RenderedImage {
      // Waves as high as a cell of the means, getting darker toward the bottom.
      try self.image(
        scale, components: components,
        light: { row in 0.4 - 0.004 * Double(row) + 0.1 * sin(Double(row) * .pi / 16) },
        contrast: contrast)
    }
    let square = try image([1, 1], contrast: 1)
    let plain = try image([1, 1], contrast: 0)
    #expect((0..<64).contains { abs(square[$0, 48, 1] - plain[$0, 48, 1]) > 0.04 })
    expect(try image(scale, contrast: 1), agreesWith: square)
  }
}
