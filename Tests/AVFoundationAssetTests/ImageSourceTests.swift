import AVFoundationCompat
import TestSupport
import Testing

/// What Image I/O reports about a DNG file, and where it writes images.
@Suite struct ImageSourceTests {
  private func source(_ orientation: PhotoMetadata.Orientation = .up) throws -> CGImageSource {
    let options: [String: Any] = [
      kCGImageSourceShouldCache: false, kCGImageSourceShouldCacheImmediately: false,
    ]
    return try #require(
      CGImageSourceCreateWithData(ImageTests.photo(orientation: orientation), options))
  }

  @Test func a_source_reports_unrotated_size_orientation_and_camera() throws {
    let source = try source(.right)
    #expect(CGImageSourceGetType(source) == "com.adobe.raw-image")
    let facts = try #require(CGImageSourceCopyPropertiesAtIndex(source, 0, nil))
    #expect(facts[kCGImagePropertyPixelWidth] as? Int == 96)
    #expect(facts[kCGImagePropertyPixelHeight] as? Int == 64)
    #expect(facts[kCGImagePropertyOrientation] as? Int == 6)
    let camera = try #require(facts[kCGImagePropertyTIFFDictionary] as? [String: Any])
    let file = try #require(CIRAWFilter(imageData: try ImageTests.photo()))
    #expect(camera[kCGImagePropertyTIFFModel] as? String == file.metadata.model)
    #expect(camera[kCGImagePropertyTIFFOrientation] as? Int == 6)
    let exif = try #require(facts[kCGImagePropertyExifDictionary] as? [String: Any])
    #expect(exif[kCGImagePropertyExifPixelXDimension] as? Int == 96)
    #expect(exif[kCGImagePropertyExifPixelYDimension] as? Int == 64)
    #expect(facts[kCGImagePropertyHasAlpha] as? Bool == false)
    #expect(facts[kCGImagePropertyIPTCDictionary] == nil)
    #expect(CGImageSourceCopyPropertiesAtIndex(source, 1, nil) == nil)
    #expect(CGImageSourceGetPrimaryImageIndex(source) == 0)
  }

  @Test func a_dng_thumbnail_has_the_requested_size_and_orientation() throws {
    func size(_ options: [String: Any]) throws -> [Int] {
      let made = try #require(CGImageSourceCreateThumbnailAtIndex(try source(.right), 0, options))
      return [made.width, made.height]
    }
    let whole = [kCGImageSourceCreateThumbnailFromImageAlways: true]
    #expect(try size(whole) == [96, 64])
    #expect(
      try size(whole.merging([kCGImageSourceCreateThumbnailWithTransform: true]) { $1 })
        == [64, 96])
    let small: [String: Any] = [
      kCGImageSourceCreateThumbnailFromImageAlways: true,
      kCGImageSourceCreateThumbnailWithTransform: true, kCGImageSourceThumbnailMaxPixelSize: 48,
    ]
    #expect(try size(small) == [32, 48])
    #expect(
      try size(small.merging([kCGImageSourceThumbnailMaxPixelSize: 500]) { $1 }) == [64, 96])
    let file = try source()
    #expect(
      CGImageSourceCopyAuxiliaryDataInfoAtIndex(file, 0, kCGImageAuxiliaryDataTypeDepth) == nil)
  }

  @Test func an_image_from_a_source_is_written_to_memory() throws {
    let data: CFMutableData = NSMutableData()
    let target = try #require(CGImageDestinationCreateWithData(data, "public.png", 1, nil))
    #expect(!CGImageDestinationFinalize(target))
    CGImageDestinationAddImageFromSource(target, try source(.right), 0, nil)
    #expect(CGImageDestinationFinalize(target) && target.error == nil)
    // The size in a PNG file's first chunk.
    let bytes = [UInt8](Data(referencing: data))
    #expect(bytes[1..<4].elementsEqual("PNG".utf8))
    #expect(bytes[16..<24].elementsEqual([0, 0, 0, 64, 0, 0, 0, 96]))
    #expect(CGImageDestinationCreateWithData(data, "com.compuserve.gif", 1, nil) == nil)
  }

  @Test func a_destination_limits_the_image_size_on_request() throws {
    let data = NSMutableData()
    let target = try #require(CGImageDestinationCreateWithData(data, "public.png", 1, nil))
    let properties: [String: Any] = [
      kCGImageDestinationImageMaxPixelSize: 24, kCGImageDestinationOptimizeColorForSharing: true,
      kCGImageDestinationEmbedThumbnail: true, kCGImageMetadataShouldExcludeGPS: true,
      kCGImageDestinationBackgroundColor: CGColor(red: 1, green: 1, blue: 1, alpha: 1),
    ]
    CGImageDestinationAddImageFromSource(target, try source(), 0, properties)
    #expect(CGImageDestinationFinalize(target) && target.error == nil)
    let bytes = [UInt8](Data(referencing: data))
    #expect(bytes[16..<24].elementsEqual([0, 0, 0, 24, 0, 0, 0, 16]))
  }

  @Test func quality_can_be_set_for_the_whole_file() throws {
    let sizes = try [0.2, 0.95].map { quality in
      let data = NSMutableData()
      let target = try #require(CGImageDestinationCreateWithData(data, "public.jpeg", 1, nil))
      CGImageDestinationAddImageFromSource(target, try source(), 0, nil)
      CGImageDestinationSetProperties(
        target, [kCGImageDestinationLossyCompressionQuality: quality])
      #expect(CGImageDestinationFinalize(target))
      return data.length
    }
    #expect(sizes[0] < sizes[1])
  }
}
