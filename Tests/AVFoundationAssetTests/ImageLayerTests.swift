import AVFoundationCompat
import Testing

/// Images composited over one another, as recorders put a camera's image on a screen's.
@Suite struct ImageLayerTests {
  private func row(_ reds: [UInt8]) -> CIImage {
    CIImage(
      RenderedImage(
        width: reds.count, height: 1, samples: .uint8(reds.flatMap { [$0, 0, 0] }),
        colorSpace: .sRGB))
  }

  private func red(_ image: CIImage, _ rect: CGRect? = nil) throws -> [UInt8] {
    let context = CIContext()
    let made = try #require(context.createCGImage(image, from: rect ?? image.extent))
    context.clearCaches()
    context.reclaimResources()
    guard case .uint8(let samples) = made.image.samples else { return [] }
    return stride(from: 0, to: samples.count, by: 3).map { samples[$0] }
  }

  private func rect(_ x: CGFloat, _ width: CGFloat) -> CGRect {
    CGRect(x: x, y: 0, width: width, height: 1)
  }

  private func moved(_ image: CIImage, _ columns: CGFloat) -> CIImage {
    image.transformed(by: CGAffineTransform(translationX: columns, y: 0))
  }

  @Test func a_composited_image_hides_what_is_below_it() throws {
    let both = moved(row([8, 9]), 1).composited(over: row([1, 2, 3, 4]))
    #expect(both.extent == rect(0, 4))
    #expect(try red(both) == [1, 8, 9, 4])
    #expect(try red(both.cropped(to: rect(2, 2))) == [9, 4])
    #expect(try red(moved(both, -3), rect(-3, 2)) == [1, 8])
    #expect(try red(row([7]).composited(over: .empty())) == [7])
  }

  @Test func uncovered_areas_show_images_composited_below_later() throws {
    let apart = moved(row([8]), 3).composited(over: row([1]))
    #expect(try red(apart) == [1, 0, 0, 8])
    #expect(try red(apart.composited(over: row([5, 5, 5, 5]))) == [1, 5, 5, 8])
  }

  @Test func a_color_image_is_infinite() throws {
    let color = CIImage(color: CIColor(red: 1, green: 0, blue: 0))
    #expect(color.extent.isInfinite)
    #expect(moved(color, 5).cropped(to: rect(3, 1)).extent == rect(3, 1))
    #expect(try red(row([9]).composited(over: color), rect(-1, 3)) == [255, 9, 255])
    #expect(try red(row([9]).composited(over: CIImage(color: .clear)), rect(0, 2)) == [9, 0])
    #expect(CIContext().createCGImage(color, from: .infinite) == nil)
    #expect(CIContext().createCGImage(.empty(), from: rect(0, 1)) == nil)
    #expect(CIColor(cgColor: .white) == .white && CIColor.clear.alpha == 0)
  }

  @Test func translucent_colors_are_blended_in_linear_light() throws {
    let half = CIImage(color: CIColor(red: 1, green: 1, blue: 1, alpha: 0.5))
    let mixed = half.cropped(to: rect(1, 1)).composited(over: row([0, 0, 255]))
    // Half of white light is code 188 of sRGB.
    #expect(try red(mixed) == [0, 188, 255])
    #expect(try red(half, rect(0, 1)) == [188])
  }

  @Test func pixel_buffers_become_images_except_bayer_mosaics() throws {
    func image(_ layout: PixelFormat) throws -> (image: CGImage?, status: OSStatus) {
      let bitmap = try MutablePixelBuffer(.init(format: layout, width: 64, height: 48)).finish()
      var image: CGImage?
      let status = VTCreateCGImageFromCVPixelBuffer(bitmap, options: nil, imageOut: &image)
      return (image, status)
    }
    let made = try image(.uyvy)
    #expect(made.status == noErr && made.image?.width == 64 && made.image?.height == 48)
    let none = try image(.rggb10)
    #expect(none.status == kVTPixelTransferNotSupportedErr && none.image == nil)
  }
}
