import AVFoundationCompat
import Testing

/// File types through the functions older than UTType.
@Suite struct UTTypeFunctionTests {
  @Test func a_file_type_has_an_extension_and_a_mime_type() {
    let name = UTTypeCopyPreferredTagWithClass(kUTTypeJPEG, kUTTagClassFilenameExtension)
    #expect(name?.takeRetainedValue() == "jpg")
    let mime = UTTypeCopyPreferredTagWithClass(kUTTypeQuickTimeMovie, kUTTagClassMIMEType)
    #expect(mime?.takeUnretainedValue() == "video/quicktime")
    for type in [kUTTypeImage, kUTTypeRawImage, kUTTypeMovie, kUTTypeVideo, kUTTypeAudio] {
      let none = UTTypeCopyPreferredTagWithClass(type, kUTTagClassFilenameExtension)
      #expect(none.map { $0.takeRetainedValue() } == nil, "\(type)")
    }
    let unknown = UTTypeCopyPreferredTagWithClass("org.example.none", kUTTagClassMIMEType)
    #expect(unknown.map { $0.takeRetainedValue() } == nil)
  }

  @Test(
    arguments: [
      (kUTTagClassFilenameExtension, "MP4", nil, kUTTypeMPEG4),
      (kUTTagClassFilenameExtension, "mp4", kUTTypeAudio, "public.mpeg-4-audio"),
      (kUTTagClassFilenameExtension, "mov", kUTTypeImage, nil),
      (kUTTagClassMIMEType, "image/png", nil, kUTTypePNG),
      (kUTTagClassMIMEType, "image/tiff", "org.example.none", nil),
      ("public.none", "tiff", nil, nil),
    ] as [(String, String, String?, String?)])
  func a_file_type_is_found_by_tag(of tags: String, tag: String, within: String?, kind: String?) {
    let found = UTTypeCreatePreferredIdentifierForTag(tags, tag, within)
    #expect(found?.takeRetainedValue() == kind)
  }

  @Test func file_types_conform_to_others() {
    #expect(UTTypeConformsTo(kUTTypeTIFF, kUTTypeImage) && UTTypeConformsTo(kUTTypePNG, kUTTypePNG))
    #expect(!UTTypeConformsTo(kUTTypeMPEG4, kUTTypeImage))
    #expect(!UTTypeConformsTo("org.example.none", "org.example.none"))
    let text: UnmanagedString? = nil
    #expect(text.map { $0.takeRetainedValue() } == nil)
  }
}
