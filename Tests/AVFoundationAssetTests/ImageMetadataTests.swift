import AVFoundationCompat
import Testing

/// An image's XMP metadata, through Image I/O's names.
@Suite struct ImageMetadataTests {
  private func source(_ orientation: PhotoMetadata.Orientation = .up) throws -> CGImageSource {
    try #require(CGImageSourceCreateWithData(ImageTests.photo(orientation: orientation), nil))
  }

  private func text(_ metadata: CGImageMetadata, _ path: String) -> String? {
    CGImageMetadataCopyStringValueWithPath(metadata, nil, path)
  }

  @Test func photo_metadata_contains_the_camera() throws {
    let photo = try #require(
      CGImageSourceCreateWithData(try ImageTests.photo(model: "Example 2"), nil))
    let metadata = try #require(CGImageSourceCopyMetadataAtIndex(photo, 0, nil))
    #expect(text(metadata, "tiff:Model") == "Example 2")
    #expect(CGImageSourceCopyMetadataAtIndex(try source(), 1, nil).map { _ in true } == nil)
    let tags = try #require(CGImageMetadataCopyTags(metadata) as? [CGImageMetadataTag])
    let names = tags.compactMap { CGImageMetadataTagCopyName($0) }
    #expect(names.contains("Model") && !names.contains("Orientation"))
  }

  @Test func metadata_set_on_an_image_is_written_and_read_back() throws {
    let camera = try #require(CGImageSourceCopyMetadataAtIndex(try source(), 0, nil))
    let metadata: CGMutableImageMetadata = try #require(CGImageMetadataCreateMutableCopy(camera))
    for (path, value) in [
      ("dc:title", "A & B"), ("xmp:CreatorTool", "Example"), ("xmp:Rating", 4),
      ("dc:creator", "One"), ("dc:creator[1]", "Two"), ("dc:subject", ["sea", "sky"]),
      ("xmpRights:Marked", true),
    ] as [(String, Any)] {
      #expect(CGImageMetadataSetValueWithPath(metadata, nil, path, value), "\(path)")
    }
    let data = NSMutableData()
    let target = try #require(CGImageDestinationCreateWithData(data, kUTTypePNG, 1, nil))
    let image = try #require(CGImageSourceCreateImageAtIndex(try source(), 0, nil))
    CGImageDestinationAddImageAndMetadata(target, image, metadata, nil)
    #expect(CGImageDestinationFinalize(target) && target.notes.isEmpty)
    let read = try #require(CGImageMetadataCreateFromXMPData(try packet(of: data)))
    #expect(text(read, "dc:title") == "A & B" && text(read, "dc:title[x-default]") == "A & B")
    #expect(text(read, "xmp:CreatorTool") == "Example" && text(read, "xmp:Rating") == "4")
    #expect(text(read, "dc:creator") == nil && text(read, "dc:creator[1]") == "Two")
    #expect(text(read, "xmpRights:Marked") == "True")
    #expect(text(read, "tiff:Model") == text(camera, "tiff:Model"))
    let subject = try #require(CGImageMetadataCopyTagWithPath(read, nil, "dc:subject"))
    #expect(CGImageMetadataTagCopyValue(subject) as? [String] == ["sea", "sky"])
    #expect(CGImageMetadataTagGetType(subject) == .arrayUnordered)
    #expect(CGImageMetadataTagCopyNamespace(subject) == kCGImageMetadataNamespaceDublinCore)
    #expect(CGImageMetadataTagCopyPrefix(subject) == kCGImageMetadataPrefixDublinCore)
  }

  /// The `x:xmpmeta` element in a file.
  private func packet(of file: NSMutableData) throws -> Data {
    let bytes = Data(referencing: file)
    let start = try #require(bytes.range(of: Data("<x:xmpmeta".utf8))).lowerBound
    let end = try #require(bytes.range(of: Data("</x:xmpmeta>".utf8))).upperBound
    return bytes[start..<end]
  }

  @Test func invalid_metadata_paths_change_nothing() throws {
    let metadata = CGImageMetadataCreateMutable()
    let paths = [
      "Title", "none:Title", "dc:", "dc:title[", "dc:title[-1]", "dc:creator[3]", "a/b:c",
    ]
    for path in paths {
      #expect(!CGImageMetadataSetValueWithPath(metadata, nil, path, "x"), "\(path)")
    }
    #expect(!CGImageMetadataSetValueWithPath(metadata, nil, "dc:title", Data()))
    #expect(!CGImageMetadataRemoveTagWithPath(metadata, nil, "dc:title"))
    #expect(CGImageMetadataCopyTags(metadata).map(\.count) == nil)
    #expect(CGImageMetadataCreateFromXMPData(Data("no".utf8)).map { _ in true } == nil)
  }

  @Test func a_custom_namespace_gets_a_prefix() throws {
    let metadata = CGImageMetadataCreateMutable()
    let space = "https://example.org/ns/"
    var error: NSError?
    #expect(!CGImageMetadataRegisterNamespaceForPrefix(metadata, space, "dc", &error))
    #expect(error != nil)
    #expect(CGImageMetadataRegisterNamespaceForPrefix(metadata, space, "own", nil))
    #expect(CGImageMetadataSetValueWithPath(metadata, nil, "own:Scene", 7))
    let tag = try #require(CGImageMetadataTagCreate(space, "own", "Take", .string, "2"))
    #expect(CGImageMetadataSetTagWithPath(metadata, nil, "own:Take", tag))
    #expect(text(metadata, "own:Scene") == "7" && text(metadata, "own:Take") == "2")
    #expect(CGImageMetadataRemoveTagWithPath(metadata, nil, "own:Take"))
    #expect(text(metadata, "own:Take") == nil && CGImageMetadataType.alternateText.rawValue == 5)
    let packet = try #require(CGImageMetadataCreateXMPData(metadata, nil))
    #expect(String(decoding: packet, as: UTF8.self).contains(space))
    for (prefix, name) in [
      (kCGImageMetadataPrefixTIFF, kCGImageMetadataNamespaceTIFF),
      (kCGImageMetadataPrefixExif, kCGImageMetadataNamespaceExif),
      (kCGImageMetadataPrefixExifAux, kCGImageMetadataNamespaceExifAux),
      (kCGImageMetadataPrefixExifEX, kCGImageMetadataNamespaceExifEX),
      (kCGImageMetadataPrefixIPTCCore, kCGImageMetadataNamespaceIPTCCore),
      (kCGImageMetadataPrefixPhotoshop, kCGImageMetadataNamespacePhotoshop),
      (kCGImageMetadataPrefixXMPBasic, kCGImageMetadataNamespaceXMPBasic),
      (kCGImageMetadataPrefixXMPRights, kCGImageMetadataNamespaceXMPRights),
    ] {
      #expect(CGImageMetadataRegisterNamespaceForPrefix(metadata, name, prefix, nil), "\(prefix)")
    }
  }
}
