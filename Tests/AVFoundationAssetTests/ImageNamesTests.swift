import AVFoundationCompat
import TestSupport
import Testing

/// Names of Image I/O that programs use besides RAW development.
@Suite struct ImageNamesTests {
  @Test func orientations_have_apples_32_bit_raw_values() throws {
    let number: UInt32 = 6
    let turn = try #require(CGImagePropertyOrientation(rawValue: number))
    #expect(turn == .right && turn.rawValue == number && turn.base == .right)
    #expect(CGImagePropertyOrientation(rawValue: 9) == nil)
    for turn in CGImagePropertyOrientation.allCases {
      #expect(CGImagePropertyOrientation(turn.base) == turn)
      #expect(UInt32(turn.base.rawValue) == turn.rawValue)
    }
  }

  @Test func an_image_is_rotated_by_its_orientation() throws {
    let bitmap = RenderedImage(
      width: 2, height: 1, samples: .uint8([10, 10, 10, 20, 20, 20]), colorSpace: .sRGB)
    let image = CIImage(bitmap)
    func levels(_ image: CIImage) throws -> [UInt8] {
      let made = try #require(CIContext().createCGImage(image, from: image.extent))
      guard case .uint8(let samples) = made.image.samples else { return [] }
      return stride(from: 0, to: samples.count, by: 3).map { samples[$0] }
    }
    #expect(image.oriented(.right).extent.size == CGSize(width: 1, height: 2))
    #expect(try levels(image.oriented(.right)) == [10, 20])
    #expect(try levels(image.oriented(.left)) == [20, 10])
    #expect(try levels(image.oriented(.down)) == [20, 10])
    #expect(try levels(image.oriented(forExifOrientation: 2)) == [20, 10])
    #expect(try levels(image.oriented(forExifOrientation: 0)) == [10, 20])
    #expect(try levels(image.oriented(.right).oriented(.left)) == [10, 20])
  }

  @Test func rendered_images_are_encoded_in_memory() throws {
    let options: [CIContextOption: Any] = [
      .workingColorSpace: CGColorSpaceCreateDeviceRGB(), .outputColorSpace: NSNull(),
      .workingFormat: CIFormat.RGBAh, .cacheIntermediates: false, .useSoftwareRenderer: true,
    ]
    let context = CIContext(options: options)
    let image = try #require(CIImage(data: try ImageTests.photo()))
    let space = CGColorSpaceCreateDeviceRGB()
    let files: [(Data?, Int, [UInt8])] = [
      (context.heifRepresentation(of: image, format: .RGBA8, colorSpace: space), 4, [0x66, 0x74]),
      (try context.heif10Representation(of: image, colorSpace: space), 4, [0x66, 0x74]),
      (context.jpegRepresentation(of: image, colorSpace: space), 0, [0xFF, 0xD8]),
      (context.pngRepresentation(of: image, format: .RGBA16, colorSpace: space), 0, [0x89, 0x50]),
      (context.tiffRepresentation(of: image, format: .RGBA8, colorSpace: space), 0, [0x49, 0x49]),
    ]
    for (data, place, start) in files {
      let bytes = [UInt8](try #require(data))
      #expect(Array(bytes.dropFirst(place).prefix(2)) == start)
    }
    #expect(CGColorSpace(name: CGColorSpace.itur_709)?.space.curve == .rec709)
    #expect(UTType.gif.preferredFilenameExtension == "gif" && UTType.gif.conforms(to: .image))
  }

  @Test func an_image_is_cropped_from_its_upper_left_corner() throws {
    let samples: [UInt8] = (0..<4).flatMap { [UInt8](repeating: $0, count: 3) }
    let image = CIImage(
      RenderedImage(width: 2, height: 2, samples: .uint8(samples), colorSpace: .sRGB))
    let whole = try #require(CIContext().createCGImage(image, from: image.extent))
    let none: CGImageAlphaInfo = .none
    #expect(whole.bitsPerPixel == 24 && whole.alphaInfo == none)
    let part = try #require(whole.cropping(to: CGRect(x: 1, y: 0, width: 1, height: 1)))
    #expect(part.image.samples == .uint8([1, 1, 1]))
    #expect(whole.cropping(to: CGRect(x: 5, y: 5, width: 1, height: 1)) == nil)
  }
}
