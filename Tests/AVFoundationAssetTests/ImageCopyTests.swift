import AVFoundationCompat
import TestSupport
import Testing

/// Files whose metadata is changed but not their pixels.
@Suite struct ImageCopyTests {
  private func source(_ data: Data) throws -> CGImageSource {
    try #require(CGImageSourceCreateWithData(data, nil))
  }

  private func copy(
    _ data: Data, _ options: [String: Any]?, as type: String = "public.jpeg"
  ) throws -> (data: Data, error: CFError?) {
    let made = NSMutableData()
    let target = try #require(CGImageDestinationCreateWithData(made, type, 1, nil))
    var failure: Unmanaged<CFError>?
    let isDone = CGImageDestinationCopyImageSource(target, try source(data), options, &failure)
    let error = failure?.takeRetainedValue()
    #expect(isDone == (error == nil) && isDone == (target.error == nil))
    return (Data(referencing: made), error)
  }

  private func text(_ data: Data, _ path: String) throws -> String? {
    let metadata = try #require(CGImageSourceCopyMetadataAtIndex(try source(data), 0, nil))
    return CGImageMetadataCopyStringValueWithPath(metadata, nil, path)
  }

  private func pixels(_ data: Data) throws -> Data? {
    try #require(CGImageSourceCreateImageAtIndex(try source(data), 0, nil)).dataProvider?.data
  }

  @Test func changing_jpeg_metadata_preserves_pixels() throws {
    let jpeg = try ImageFileTests.file(
      try ImageFileTests.image(), "public.jpeg", ImageFileTests.tags)
    let title = CGImageMetadataCreateMutable()
    #expect(CGImageMetadataSetValueWithPath(title, nil, "dc:title", "A title"))
    let titled = try copy(
      jpeg, [kCGImageDestinationMetadata: title, kCGImageDestinationMergeMetadata: true]
    ).data
    #expect(try text(titled, "dc:title") == "A title")
    let rating = CGImageMetadataCreateMutable()
    #expect(CGImageMetadataSetValueWithPath(rating, nil, "xmp:Rating", 4))
    let both = try copy(
      titled,
      [
        kCGImageDestinationMetadata: rating, kCGImageDestinationMergeMetadata: true,
        kCGImageDestinationOrientation: 3, kCGImageDestinationDateTime: "2025-01-02T03:04:05",
      ]
    ).data
    #expect(try text(both, "dc:title") == "A title" && text(both, "xmp:Rating") == "4")
    #expect(try text(both, "xmp:CreateDate") == "2025-01-02T03:04:05")
    let facts = try #require(CGImageSourceCopyPropertiesAtIndex(try source(both), 0, nil))
    #expect(facts[kCGImagePropertyOrientation] as? Int == 3)
    let tiff = facts[kCGImagePropertyTIFFDictionary] as? [String: Any]
    #expect(tiff?[kCGImagePropertyTIFFArtist] as? String == "A. Photographer")
    let alone = try copy(both, [kCGImageDestinationMetadata: rating]).data
    #expect(try text(alone, "dc:title") == nil && text(alone, "xmp:Rating") == "4")
    let none = try copy(both, [kCGImageMetadataShouldExcludeXMP: true]).data
    #expect(try text(none, "xmp:Rating") == nil)
    for file in [titled, both, alone, none] { #expect(try pixels(file) == pixels(jpeg)) }
  }

  @Test func a_copy_without_options_has_the_same_bytes() throws {
    for type in ["public.jpeg", "public.png"] {
      let data = try ImageFileTests.file(try ImageFileTests.image(), type)
      #expect(try copy(data, nil, as: type).data == data)
    }
  }

  @Test func an_impossible_image_copy_reports_an_error() throws {
    let png = try ImageFileTests.file(try ImageFileTests.image(), "public.png")
    let jpeg = try ImageFileTests.file(try ImageFileTests.image(), "public.jpeg")
    let turn = [kCGImageDestinationOrientation: 3]
    for (data, options, type) in [
      (png, turn, "public.png"), (png, turn, "public.jpeg"),
      (jpeg, [kCGImageDestinationOrientation: 9], "public.jpeg"),
      (jpeg, ["kUnknown": 1], "public.jpeg"),
    ] {
      let made = try copy(data, options, as: type)
      #expect(made.error != nil && made.data.isEmpty)
    }
  }
}
