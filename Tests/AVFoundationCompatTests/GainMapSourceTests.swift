import AVFoundationCompat
import ImageFiles
import Testing

/// The data behind the image in a JPEG file, through Image I/O's names.
@Suite struct GainMapSourceTests {
  /// An image with one half three times as bright as white.
  private func file(_ format: ImageFileFormat) throws -> Data {
    let light = (0..<32 * 16 * 3).map { Float($0 / 3 % 32 < 16 ? 0.5 : 3) }
    let base = RenderedImage(
      width: 32, height: 16, samples: .float(light.map { min($0, 1) }), colorSpace: .linearSRGB)
    let high = RenderedImage(
      width: 32, height: 16, samples: .float(light), colorSpace: .linearSRGB)
    var settings = ImageFileSettings(format: format)
    settings.gainMapReduction = 2
    let content = ImageContent(base.converted(to: .sRGB, format: .uint8), highRange: high)
    return Data(try ImageFileWriter(settings).encode(content).bytes)
  }

  @Test func a_gain_map_is_returned_with_size_and_xmp() throws {
    let source = try #require(CGImageSourceCreateWithData(try file(.gainMapJPEG), nil))
    #expect(CGImageSourceGetCount(source) == 1)
    #expect(CGImageSourceGetStatus(source) == .statusComplete)
    let info = try #require(
      CGImageSourceCopyAuxiliaryDataInfoAtIndex(source, 0, kCGImageAuxiliaryDataTypeISOGainMap))
    let layout = try #require(info[kCGImageAuxiliaryDataInfoDataDescription] as? [String: Any])
    #expect(layout["Width"] as? Int == 16 && layout["Height"] as? Int == 8)
    let pixels = try #require(info[kCGImageAuxiliaryDataInfoData] as? Data)
    #expect(pixels.count == 8 * (layout["BytesPerRow"] as? Int ?? 0))
    // Only the right half is bright.
    #expect(pixels[pixels.startIndex] < 32 && pixels[pixels.endIndex - 1] > 224)
    let metadata = try #require(info[kCGImageAuxiliaryDataInfoMetadata] as? CGImageMetadata)
    let packet = try #require(CGImageMetadataCreateXMPData(metadata, nil))
    #expect(String(decoding: packet, as: UTF8.self).contains("GainMapMax"))
    for type in [kCGImageAuxiliaryDataTypeHDRGainMap, kCGImageAuxiliaryDataTypeDepth] {
      #expect(CGImageSourceCopyAuxiliaryDataInfoAtIndex(source, 0, type) == nil)
    }
  }

  @Test func files_without_a_gain_map_return_no_auxiliary_data() throws {
    for format in [ImageFileFormat.jpeg, .png] {
      let source = try #require(CGImageSourceCreateWithData(try file(format), nil))
      let type = kCGImageAuxiliaryDataTypeISOGainMap
      #expect(CGImageSourceCopyAuxiliaryDataInfoAtIndex(source, 0, type) == nil)
    }
  }
}
