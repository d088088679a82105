import DNG
import TIFF
import Testing

@testable import RawDevelop

/// Files whose pixels are not square (DefaultScale).
struct NonSquarePixelTests: RAWFilterRig {
  /// Gains that grow from the top of the picture to its bottom, as the tag has them in a little-endian file.
  private static var gainMap: TIFFValue {
    let (points, places) = ([2, 2] as [UInt32], [1, 1, 0, 0] as [Double])
    let (weights, gains) = ([Float](repeating: 0.2, count: 5), [0.25, 0.25, 1, 1] as [Float])
    return .undefined(
      ExampleNegative.bytes(points) + ExampleNegative.bytes(places)
        + ExampleNegative.bytes([1] as [UInt32]) + ExampleNegative.bytes(weights + gains))
  }

  @Test(arguments: [[1, 2], [2, 1]] as [[Double]], [1, 3])
  func a_gain_map_lies_over_the_whole_picture(scale: [Double], components: Int) throws {
    func picture(_ scale: [Double]) throws -> RenderedPicture {
      var negative = ExampleNegative()
      negative.components = components
      negative.light = { _, _, color in 0.3 * [0.52, 1, 0.66][color] }
      negative.change = { root in
        root[.defaultScale] = ExampleNegative.unsigned(scale)
        root[.profileGainTableMap] = Self.gainMap
      }
      return try filter(negative).outputImage()
    }
    let square = try picture([1, 1])
    let odd = try picture(scale)
    #expect(odd.width * odd.height == 96 * 32)
    for row in 0..<odd.height {
      let same = (2 * row + 1) * square.height / (2 * odd.height)
      let (wanted, found) = (square[same, 48, 1], odd[row, odd.width / 2, 1])
      #expect(abs(wanted - found) < 0.02, "row \(row): \(found), not \(wanted)")
    }
  }
}
