import AVFoundationCompat
import Testing

/// Images that are cropped, moved, scaled and rotated before they are rendered.
@Suite struct ImageGeometryTests {
  /// 4x2 pixels; red is 10 times the row from the top, plus the column.
  private let image: CIImage = {
    let reds: [UInt8] = [0, 1, 2, 3, 10, 11, 12, 13]
    let samples = reds.flatMap { red -> [UInt8] in [red, 0, 0] }
    return CIImage(
      RenderedImage(width: 4, height: 2, samples: .uint8(samples), colorSpace: .sRGB))
  }()

  private func red(_ image: CIImage, _ rect: CGRect? = nil) throws -> [[UInt8]] {
    let made = try #require(CIContext().createCGImage(image, from: rect ?? image.extent))
    guard case .uint8(let samples) = made.image.samples else { return [] }
    return (0..<made.height).map { row -> [UInt8] in
      (0..<made.width).map { column -> UInt8 in samples[3 * (row * made.width + column)] }
    }
  }

  @Test func a_cropped_image_keeps_its_position() throws {
    let part = image.cropped(to: CGRect(x: 1, y: 0, width: 2, height: 1))
    #expect(part.extent == CGRect(x: 1, y: 0, width: 2, height: 1))
    #expect(try red(part) == [[11, 12]])
    #expect(try red(part, CGRect(x: 2, y: 0, width: 2, height: 2)) == [[12]])
    let again = part.cropped(to: CGRect(x: 2, y: -5, width: 9, height: 9))
    #expect(try red(again) == [[12]])
    let none = image.cropped(to: CGRect(x: 9, y: 9, width: 1, height: 1))
    #expect(none.extent.isNull && CIContext().createCGImage(none, from: image.extent) == nil)
  }

  @Test func a_translated_crop_is_rendered_at_its_new_position() throws {
    let part = image.cropped(to: CGRect(x: 2, y: 1, width: 2, height: 1))
      .transformed(by: CGAffineTransform(translationX: -2, y: -1))
    #expect(part.extent == CGRect(x: 0, y: 0, width: 2, height: 1))
    #expect(try red(part) == [[2, 3]])
    var made: CVPixelBuffer?
    CVPixelBufferCreate(nil, 2, 1, kCVPixelFormatType_32BGRA, nil, &made)
    let buffer = try #require(made)
    #expect(CIContext().render(part, to: buffer) == nil)
    let bytes = try #require(CVPixelBufferGetBaseAddress(buffer))
    #expect((0..<2).map { bytes.load(fromByteOffset: 4 * $0 + 2, as: UInt8.self) } == [2, 3])
  }

  @Test func scaling_changes_the_number_of_pixels() throws {
    let large = image.transformed(by: CGAffineTransform(scaleX: 2, y: 2))
    #expect(large.extent == CGRect(x: 0, y: 0, width: 8, height: 4))
    #expect(try red(large).first?.first == 0 && red(large).last?.last == 13)
    let small = image.transformed(
      by: CGAffineTransform(scaleX: 0.5, y: 0.5), highQualityDownsample: true)
    // The means of four pixels each: 0, 1, 10, 11 and 2, 3, 12, 13.
    #expect(try red(small) == [[6, 8]])
  }

  private let row = CIImage(
    RenderedImage(
      width: 4, height: 1, samples: .uint8([0, 20, 40, 60].flatMap { [$0, 0, 0] }),
      colorSpace: .sRGB))

  @Test func crops_of_a_subpixel_translation_are_interpolated() throws {
    let moved = row.transformed(by: CGAffineTransform(translationX: 0.5, y: 0))
    #expect(moved.extent == CGRect(x: 0.5, y: 0, width: 4, height: 1))
    #expect(try red(moved) == [[0, 10, 30, 50, 60]])
    let part = CGRect(x: 1, y: 0, width: 3, height: 1)
    #expect(try red(moved.cropped(to: part)) == [[10, 30, 50]])
    #expect(try red(moved, part) == [[10, 30, 50]])
    #expect(moved.oriented(.down).extent == CGRect(x: 0, y: 0, width: 5, height: 1))
  }

  @Test func successive_transforms_are_combined() throws {
    let large = row.transformed(by: CGAffineTransform(scaleX: 2, y: 2))
    let again = large.transformed(by: CGAffineTransform(scaleX: 0.5, y: 0.5))
    #expect(try again.extent == row.extent && red(again) == [[0, 20, 40, 60]])
  }

  @Test(arguments: [CGImagePropertyOrientation.up, .upMirrored, .down, .downMirrored])
  func landscape_orientations_match_their_transforms(lying: CGImagePropertyOrientation) throws {
    try compare(lying)
  }

  @Test(arguments: [CGImagePropertyOrientation.left, .leftMirrored, .right, .rightMirrored])
  func portrait_orientations_match_their_transforms(standing: CGImagePropertyOrientation) throws {
    try compare(standing)
  }

  private func compare(_ orientation: CGImagePropertyOrientation) throws {
    let moved = image.transformed(by: image.orientationTransform(for: orientation))
    let oriented = image.oriented(orientation)
    #expect(moved.extent == oriented.extent)
    #expect(try red(moved) == red(oriented))
  }

  @Test func quarter_turns_are_exact_and_other_angles_are_refused() throws {
    let quarter = self.image.transformed(by: CGAffineTransform(rotationAngle: .pi / 2))
    #expect(quarter.extent == CGRect(x: -2, y: 0, width: 2, height: 4))
    #expect(try red(quarter) == [[3, 13], [2, 12], [1, 11], [0, 10]])
    var made: CVPixelBuffer?
    CVPixelBufferCreate(nil, 4, 4, kCVPixelFormatType_32BGRA, nil, &made)
    let buffer = try #require(made)
    for transform in [CGAffineTransform(rotationAngle: 0.3), CGAffineTransform(scaleX: 0, y: 1)] {
      let image = self.image.transformed(by: transform)
      #expect(CIContext().render(image, to: buffer) != nil)
      #expect(CIContext().createCGImage(image, from: self.image.extent) == nil)
    }
  }
}
