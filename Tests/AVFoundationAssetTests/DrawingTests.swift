import AVFoundationCompat
import Testing

/// Images and rectangles drawn into memory.
@Suite struct DrawingTests {
  /// Two rows of two pixels: red and green above blue and white.
  private let image = CGImage.of(
    [255, 0, 0, 0, 255, 0, 0, 0, 255, 255, 255, 255], width: 2, height: 2)

  private func context(
    _ width: Int, _ height: Int, _ info: UInt32 = CGImageAlphaInfo.premultipliedLast.rawValue
  ) throws -> CGContext {
    try #require(
      CGContext(
        data: nil, width: width, height: height, bitsPerComponent: 8, bytesPerRow: 0,
        space: CGColorSpaceCreateDeviceRGB(), bitmapInfo: info))
  }

  private func pixel(_ context: CGContext, row: Int, column: Int) throws -> [UInt8] {
    let data = try #require(context.data)
    let size = context.bitsPerPixel / 8
    return (0..<size).map {
      data.load(fromByteOffset: row * context.bytesPerRow + column * size + $0, as: UInt8.self)
    }
  }

  @Test func an_image_fills_its_rectangle_upright() throws {
    let context = try context(4, 4)
    let quality: CGInterpolationQuality = .none
    context.interpolationQuality = quality
    context.draw(image, in: CGRect(x: 0, y: 0, width: 4, height: 4))
    #expect(try pixel(context, row: 0, column: 0) == [255, 0, 0, 255])
    #expect(try pixel(context, row: 1, column: 3) == [0, 255, 0, 255])
    #expect(try pixel(context, row: 3, column: 0) == [0, 0, 255, 255])
    #expect(try pixel(context, row: 2, column: 2) == [255, 255, 255, 255])
  }

  @Test func drawing_copies_pixels_at_full_size_and_averages_them_below() throws {
    let same = try context(2, 2)
    same.draw(self.image, in: CGRect(x: 0, y: 0, width: 2, height: 2))
    let image = try #require(same.makeImage())
    #expect(image.image == self.image.image && image.bytesPerRow == 6)
    let small = try context(1, 1)
    small.draw(self.image, in: CGRect(x: 0, y: 0, width: 1, height: 1))
    #expect(try pixel(small, row: 0, column: 0) == [128, 128, 128, 255])
  }

  @Test func bitmap_bytes_follow_the_bitmap_info() throws {
    let (first, little) = (
      CGImageAlphaInfo.noneSkipFirst.rawValue, CGBitmapInfo.byteOrder32Little.rawValue
    )
    #expect(CGImageByteOrderInfo.order32Little.rawValue == little)
    let layouts: [(UInt32, [UInt8])] = [
      (first, [255, 255, 0, 0]), (first | little, [0, 0, 255, 255]),
      (CGImageAlphaInfo.premultipliedFirst.rawValue | little, [0, 0, 255, 255]),
      (CGImageAlphaInfo.noneSkipLast.rawValue, [255, 0, 0, 255]),
      (CGImageAlphaInfo.none.rawValue, [255, 0, 0]),
    ]
    for (info, bytes) in layouts {
      let context = try context(2, 2, info)
      context.draw(image, in: CGRect(x: 0, y: 0, width: 2, height: 2))
      #expect(try pixel(context, row: 0, column: 0) == bytes)
      #expect(context.bitmapInfo.rawValue == info)
    }
    let refused: [UInt32] = [
      CGImageAlphaInfo.last.rawValue, CGImageAlphaInfo.alphaOnly.rawValue,
      first | CGBitmapInfo.floatComponents.rawValue,
    ]
    for (info, bytesPerRow) in refused.map({ ($0, 0) }) + [(first, 7)] {
      let context = CGContext(
        data: nil, width: 2, height: 2, bitsPerComponent: 8, bytesPerRow: bytesPerRow,
        space: CGColorSpaceCreateDeviceRGB(), bitmapInfo: CGBitmapInfo(rawValue: info))
      #expect(context == nil)
    }
  }

  @Test func a_context_translates_scales_rotates_and_restores_coordinates() throws {
    let context = try context(4, 2)
    context.interpolationQuality = .none
    context.saveGState()
    // Mirrored.
    context.translateBy(x: 2, y: 0)
    context.scaleBy(x: -1, y: 1)
    context.draw(image, in: CGRect(x: 0, y: 0, width: 2, height: 2))
    context.restoreGState()
    #expect(context.ctm.isIdentity)
    #expect(try pixel(context, row: 0, column: 0) == [0, 255, 0, 255])
    #expect(try pixel(context, row: 1, column: 1) == [0, 0, 255, 255])
    // A quarter turn counterclockwise.
    context.concatenate(CGAffineTransform(translationX: 4, y: 0))
    context.rotate(by: .pi / 2)
    context.draw(image, in: CGRect(x: 0, y: 0, width: 2, height: 2))
    #expect(try pixel(context, row: 0, column: 2) == [0, 255, 0, 255])
    #expect(try pixel(context, row: 1, column: 2) == [255, 0, 0, 255])
    #expect(try pixel(context, row: 0, column: 3) == [255, 255, 255, 255])
  }

  @Test func rectangles_are_blended_within_the_clip() throws {
    let context = try context(4, 1)
    context.setFillColor(CGColor(red: 1, green: 0, blue: 0, alpha: 1))
    context.fill(CGRect(x: 0, y: 0, width: 4, height: 1))
    context.clip(to: CGRect(x: 1, y: 0, width: 2, height: 1))
    context.setFillColor(red: 0, green: 0, blue: 1, alpha: 0.5)
    context.fill([CGRect(x: 0, y: 0, width: 4, height: 1)])
    context.clear(CGRect(x: 2, y: 0, width: 1, height: 1))
    #expect(try pixel(context, row: 0, column: 0) == [255, 0, 0, 255])
    #expect(try pixel(context, row: 0, column: 1) == [128, 0, 128, 255])
    #expect(try pixel(context, row: 0, column: 2) == [0, 0, 0, 0])
    #expect(try pixel(context, row: 0, column: 3) == [255, 0, 0, 255])
    context.setFillColor(gray: 1, alpha: 1)
    context.setAlpha(0.5)
    context.fill(CGRect(x: 2, y: 0, width: 1, height: 1))
    #expect(try pixel(context, row: 0, column: 2) == [128, 128, 128, 128])
  }

  @Test func linear_images_are_converted_to_the_contexts_color_space() throws {
    let light = CIContext().createCGImage(
      CIImage(
        RenderedImage(
          width: 1, height: 1, samples: .float([0.5, 0.5, 0.5]), colorSpace: .linearSRGB)),
      from: CGRect(x: 0, y: 0, width: 1, height: 1), format: .RGBAf)
    let context = try context(1, 1)
    let drawn = try #require(light)
    #expect(drawn.bitmapInfo == [.floatComponents, .byteOrder32Little])
    context.draw(drawn, in: CGRect(x: 0, y: 0, width: 1, height: 1))
    #expect(try pixel(context, row: 0, column: 0) == [188, 188, 188, 255])
  }

  @Test func drawing_into_a_pixel_buffer_changes_its_pixels() throws {
    var made: CVPixelBuffer?
    CVPixelBufferCreate(nil, 20, 4, kCVPixelFormatType_32BGRA, nil, &made)
    let buffer = try #require(made)
    CVPixelBufferLockBaseAddress(buffer, [])
    let info =
      CGImageAlphaInfo.noneSkipFirst.rawValue | CGBitmapInfo.byteOrder32Little.rawValue
    let context = try #require(
      CGContext(
        data: CVPixelBufferGetBaseAddress(buffer), width: 20, height: 4, bitsPerComponent: 8,
        bytesPerRow: CVPixelBufferGetBytesPerRow(buffer), space: CGColorSpaceCreateDeviceRGB(),
        bitmapInfo: info))
    context.setFillColor(.white)
    context.fill(CGRect(x: 0, y: 0, width: 20, height: 4))
    context.draw(self.image, in: CGRect(x: 18, y: 0, width: 2, height: 2))
    CVPixelBufferUnlockBaseAddress(buffer, [])
    let image = CIImage(cvPixelBuffer: buffer)
    let part = try #require(
      CIContext().createCGImage(image, from: CGRect(x: 18, y: 0, width: 2, height: 2)))
    #expect(part.image.samples == self.image.image.samples)
  }
}

extension CGImage {
  /// An 8-bit sRGB image.
  fileprivate static func of(_ samples: [UInt8], width: Int, height: Int) -> CGImage {
    let image = CIImage(
      RenderedImage(width: width, height: height, samples: .uint8(samples), colorSpace: .sRGB))
    guard let made = CIContext().createCGImage(image, from: image.extent) else {
      preconditionFailure("an image in memory cannot be rendered")
    }
    return made
  }
}
