import DNG
import Foundation
import MediaCore
import TIFF
import TestSupport
import Testing

@testable import RawDevelop

/// Changes to an image's look, and crops.
@Suite struct LookTests {
  private func filter(
    _ light: @escaping (Int, Int, Int) -> Double = ExampleNegative.scene, components: Int = 3
  ) throws -> RAWFilter {
    var negative = ExampleNegative()
    negative.components = components
    negative.light = light
    var filter = try RAWFilter(data: try negative.bytes())
    filter.sampleFormat = .float
    return filter
  }

  /// An image that gets brighter to the right and downward.
  private static func slope(_ row: Int, _ column: Int, _ color: Int) -> Double {
    (0.1 + 0.4 * Double(column) / 96 + 0.3 * Double(row) / 64) * [0.52, 1, 0.66][color]
  }

  private func distance(_ image: RenderedImage, _ row: Int, _ column: Int) -> Float {
    let colors = (0..<3).map { image[row, column, $0] }
    return (colors.max() ?? 0) - (colors.min() ?? 0)
  }

  @Test func minimum_saturation_leaves_grays() throws {
    var filter = try filter()
    filter.saturation = -1
    let image = try filter.outputImage()
    for (row, column) in [(20, 10), (40, 70), (60, 33)] {
      #expect(distance(image, row, column) < 2e-3)
    }
  }

  @Test func vibrance_raises_pale_colors_more_than_strong_ones() throws {
    var filter = try filter { row, _, color in
      0.3 * [0.52, 1, 0.66][color] * (color == 0 ? (row < 32 ? 1.1 : 2.2) : 1)
    }
    let usual = try filter.outputImage()
    filter.vibrance = 0.5
    let vivid = try filter.outputImage()
    let gains = [10, 50].map { distance(vivid, $0, 40) / distance(usual, $0, 40) }
    #expect(gains[0] > 1.2 && gains[1] < gains[0], "\(gains)")
  }

  @Test func a_curve_passes_through_its_points_in_encoded_values() throws {
    var filter = try filter(Self.slope)
    let usual = try filter.outputImage()
    var curves = PointCurves()
    curves.all = [[0, 0], [0.25, 0.15], [0.75, 0.85], [1, 1]]
    filter.pointCurves = curves
    let curved = try filter.outputImage()
    let spline = CubicSpline(curves.all)
    for (row, column) in [(2, 3), (30, 50), (63, 95)] {
      let expected = Float(spline(Double(usual[row, column, 1])))
      #expect(abs(curved[row, column, 1] - expected) < 3e-3)
    }
    curves = PointCurves()
    curves.blue = [[0, 0], [0.5, 0.3], [1, 1]]
    filter.pointCurves = curves
    let yellow = try filter.outputImage()
    #expect(yellow[30, 50, 2] < usual[30, 50, 2] - 0.05)
    #expect(abs(yellow[30, 50, 0] - usual[30, 50, 0]) < 0.05)
  }

  @Test(arguments: [
    [[0, 0], [1, 1]], [[0.5, 0.2]], [[0, 0], [0.5, 0.7], [0.5, 1]], [[0, 0], [1, 1.5]], [],
  ])
  func points_that_form_no_curve_change_nothing(points: [SIMD2<Double>]) throws {
    var curves = PointCurves()
    curves.all = points
    #expect(curves.isStraight)
  }

  @Test(arguments: [1, 3])
  func an_unrotated_crop_is_a_part_of_the_image(components: Int) throws {
    var filter = try filter(components: components)
    let whole = try filter.outputImage()
    filter.crop = ImageCrop(left: 0.25, top: 0.125, right: 0.75, bottom: 1)
    #expect(filter.outputSize.width == 48 && filter.nativeSize.height == 56)
    let part = try filter.outputImage()
    #expect(part == whole.cropped(columns: 24..<72, rows: 8..<64))
  }

  @Test func a_rotated_crop_shows_the_area_of_its_rectangle() throws {
    var filter = try filter(Self.slope)
    let whole = try filter.outputImage()
    let crop = try #require(
      ImageCrop(left: 0.3, top: 0.2, right: 0.6, bottom: 0.9, angle: 12))
    filter.crop = crop
    let part = try filter.outputImage()
    #expect(part.width == filter.outputSize.width && part.height == filter.outputSize.height)
    // The crop's two given corners are at the image's corners.
    for (row, column, x, y) in [
      (0, 0, crop.left, crop.top), (part.height - 1, part.width - 1, crop.right, crop.bottom),
    ] {
      let expected = whole[Int(y * 64), Int(x * 96), 1]
      #expect(abs(part[row, column, 1] - expected) < 0.02)
    }
    // The place of the rectangle's upper right corner.
    let turn = 12 * Double.pi / 180
    let diagonal = SIMD2(0.3 * 96, 0.7 * 64)
    let width = cos(turn) * diagonal.x + sin(turn) * diagonal.y
    #expect(abs(Double(part.width) - width) <= 1)
    let corner = SIMD2(0.3 * 96 + cos(turn) * width, 0.2 * 64 + sin(turn) * width)
    #expect(
      abs(part[0, part.width - 1, 1] - whole[Int(corner.y), Int(corner.x), 1]) < 0.02)
  }

  @Test(arguments: [RenderedImage.SampleFormat.uint8, .uint16, .half, .float])
  func a_rotated_crop_follows_the_image_orientation(format: RenderedImage.SampleFormat) throws {
    var filter = try filter(Self.slope)
    filter.sampleFormat = format
    filter.crop = ImageCrop(left: 0.3, top: 0.2, right: 0.6, bottom: 0.9, angle: -7)
    let upright = try filter.outputImage()
    for raw in 2...8 {
      let orientation = try #require(PhotoMetadata.Orientation(rawValue: UInt16(raw)))
      filter.orientation = orientation
      let turned = try filter.outputImage()
      let size = filter.outputSize
      #expect(turned.width == size.width && turned.height == size.height)
      let (last, bottom) = (upright.width - 1, upright.height - 1)
      for (row, column) in [(0, 0), (3, 5), (bottom, 1)] {
        let (y, x) =
          switch raw {
          case 2: (row, last - column)
          case 3: (bottom - row, last - column)
          case 4: (bottom - row, column)
          case 5: (column, row)
          case 6: (column, bottom - row)
          case 7: (last - column, bottom - row)
          default: (last - column, row)
          }
        #expect(abs(upright[row, column, 1] - turned[y, x, 1]) < 5e-3, "\(raw)")
      }
    }
  }

  @Test func an_invalid_crop_is_reported_and_ignored() throws {
    #expect(ImageCrop(left: 0.6, top: 0, right: 0.4, bottom: 1) == nil)
    #expect(ImageCrop(left: 0, top: 0, right: 1.2, bottom: 1) == nil)
    #expect(ImageCrop(left: 0, top: 0, right: .nan, bottom: 1) == nil)
    var filter = try filter()
    filter.crop = ImageCrop(left: 0.6, top: 0.5, right: 0.4, bottom: 0.5, angle: 3)
    #expect(!filter.isCropUsable)
    #expect(try filter.outputImage().width == 96)
  }

  @Test func a_linear_space_filter_runs_before_the_look() throws {
    var filter = try filter()
    filter.useLinearOutput()
    filter.sampleFormat = .float
    filter.exposure = 1
    let brighter = try filter.outputImage()
    filter.exposure = 0
    filter.linearSpaceFilter = { $0 * 2 }
    let filtered = try filter.outputImage()
    for (row, column) in [(20, 10), (40, 70), (60, 33)] {
      for color in 0..<3 {
        #expect(abs(filtered[row, column, color] - brighter[row, column, color]) < 1e-4)
      }
    }
    filter.linearSpaceFilter = { _ in SIMD3(.nan, .nan, .nan) }
    #expect(try filter.outputImage()[20, 10, 0] == 0)
  }

  @Test func a_draft_of_a_mosaic_is_close_to_the_full_image() throws {
    var filter = try filter(
      { row, column, color in
        (0.3 + 0.2 * sin(Double(column) / 9) * cos(Double(row) / 7)) * [0.52, 1, 0.66][color]
      }, components: 1)
    let full = try filter.outputImage()
    filter.isDraftModeEnabled = true
    let draft = try filter.outputImage()
    for row in stride(from: 4, to: 60, by: 5) {
      for column in stride(from: 4, to: 92, by: 7) {
        for color in 0..<3 {
          #expect(abs(full[row, column, color] - draft[row, column, color]) < 0.02)
        }
      }
    }
    #expect(draft != full)
  }
}

/// From a file to an image, with different numbers of threads.
@Suite struct ThreadTests {
  @Test func any_number_of_threads_gives_the_same_image() throws {
    var negative = ExampleNegative()
    (negative.components, negative.width, negative.height) = (1, 410, 330)
    var random = SeededGenerator(seed: 3)
    let grain = (0..<410 * 330).map { _ in Double.random(in: -0.05...0.05, using: &random) }
    negative.light = { row, column, color in
      let wave = sin(Double(column) / 5) * cos(Double(row) / 7)
      return (0.45 + 0.5 * wave + grain[row * 410 + column]) * [0.52, 1, 0.66][color]
    }
    negative.change = { $0[.noiseProfile] = .doubles([1e-3, 1e-5]) }
    var filter = try RAWFilter(data: try negative.bytes())
    filter.luminanceNoiseReductionAmount = 0.5
    filter.colorNoiseReductionAmount = 0.5
    filter.moireReductionAmount = 0.3
    filter.sharpnessAmount = 0.6
    filter.contrastAmount = 0.3
    filter.detailAmount = 1
    filter.saturation = 0.2
    filter.crop = ImageCrop(left: 0.05, top: 0.1, right: 0.9, bottom: 0.95, angle: 3)
    var images: [RenderedImage] = []
    for threads in [1, 2, 5] {
      images.append(
        try ConcurrentMap.$threadLimit.withValue(threads) { try filter.outputImage() })
    }
    #expect(images[0] == images[1] && images[0] == images[2])
  }
}
