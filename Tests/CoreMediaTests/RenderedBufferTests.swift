import AVFoundationCompat
import Testing

/// Images that a context renders into pixel buffers.
@Suite struct RenderedBufferTests {
  /// Red in the upper half, blue in the lower.
  private let frame: CIImage

  init() {
    let samples = [UInt8](repeating: 0, count: 8 * 4 * 3).indices.map { index in
      let isUpper = index < 8 * 2 * 3
      return UInt8(index % 3 == (isUpper ? 0 : 2) ? 200 : 0)
    }
    frame = CIImage(
      RenderedImage(width: 8, height: 4, samples: .uint8(samples), colorSpace: .sRGB))
  }

  private func buffer(_ type: OSType, _ width: Int, _ height: Int) throws -> CVPixelBuffer {
    var buffer: CVPixelBuffer?
    CVPixelBufferCreate(nil, width, height, type, nil, &buffer)
    let made = try #require(buffer)
    for plane in 0..<max(CVPixelBufferGetPlaneCount(made), 1) {
      let address = try #require(CVPixelBufferGetBaseAddressOfPlane(made, plane))
      let bytes =
        CVPixelBufferGetBytesPerRowOfPlane(made, plane)
        * CVPixelBufferGetHeightOfPlane(made, plane)
      memset(address, 77, bytes)
    }
    return made
  }

  private func bytes(_ buffer: CVPixelBuffer, row: Int, column: Int) throws -> [UInt8] {
    let address = try #require(CVPixelBufferGetBaseAddress(buffer))
    let place = row * CVPixelBufferGetBytesPerRow(buffer) + 4 * column
    return (0..<4).map { address.load(fromByteOffset: place + $0, as: UInt8.self) }
  }

  @Test func an_image_is_rendered_at_the_lower_left_on_black() throws {
    let buffer = try buffer(kCVPixelFormatType_32BGRA, 10, 6)
    #expect(CIContext().render(frame, to: buffer) == nil)
    #expect(try bytes(buffer, row: 0, column: 0) == [0, 0, 0, 0])
    #expect(try bytes(buffer, row: 2, column: 0) == [0, 0, 200, 255])
    #expect(try bytes(buffer, row: 5, column: 7) == [200, 0, 0, 255])
    #expect(try bytes(buffer, row: 5, column: 8) == [0, 0, 0, 0])
  }

  @Test func an_area_is_rendered_at_the_corner() throws {
    let buffer = try buffer(kCVPixelFormatType_32ARGB, 4, 3)
    let area = CGRect(x: 2, y: 1, width: 4, height: 2)
    let space = CGColorSpaceCreateDeviceRGB()
    #expect(CIContext().render(frame, to: buffer, bounds: area, colorSpace: space) == nil)
    #expect(try bytes(buffer, row: 0, column: 0) == [0, 0, 0, 0])
    #expect(try bytes(buffer, row: 1, column: 3) == [255, 200, 0, 0])
    #expect(try bytes(buffer, row: 2, column: 0) == [255, 0, 0, 200])
  }

  @Test func linear_light_is_encoded_as_srgb_by_default() throws {
    let light = CIImage(
      RenderedImage(
        width: 2, height: 2, samples: .float([Float](repeating: 0.5, count: 12)),
        colorSpace: .linearSRGB))
    let buffer = try buffer(kCVPixelFormatType_32BGRA, 2, 2)
    CIContext().render(light, to: buffer)
    #expect(try bytes(buffer, row: 0, column: 0) == [188, 188, 188, 255])
  }

  @Test func images_are_rendered_into_ycbcr_buffers() throws {
    let full = try buffer(kCVPixelFormatType_420YpCbCr8BiPlanarFullRange, 8, 4)
    let white = CIImage(
      RenderedImage(
        width: 8, height: 4, samples: .uint8([UInt8](repeating: 255, count: 96)),
        colorSpace: .sRGB))
    #expect(CIContext().render(white, to: full) == nil)
    let luma = try #require(CVPixelBufferGetBaseAddressOfPlane(full, 0))
    let chroma = try #require(CVPixelBufferGetBaseAddressOfPlane(full, 1))
    #expect(luma.load(as: UInt8.self) >= 254)
    #expect(abs(Int(chroma.load(as: UInt8.self)) - 128) <= 1)
    let video = try buffer(kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange, 8, 4)
    CIContext().render(white, to: video)
    let level = try #require(CVPixelBufferGetBaseAddressOfPlane(video, 0)).load(as: UInt8.self)
    #expect(abs(Int(level) - 235) <= 1)
  }

  @Test func an_unsupported_buffer_layout_is_refused_and_left_unchanged() throws {
    let buffer = try buffer(kCVPixelFormatType_422YpCbCr10, 48, 4)
    let error = CIContext().render(frame, to: buffer)
    #expect(error?.code == .unsupported && error?.message.contains("v210") == true)
    #expect(try bytes(buffer, row: 0, column: 0) == [77, 77, 77, 77])
  }
}
