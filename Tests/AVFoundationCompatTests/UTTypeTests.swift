import AVFoundationCompat
import Testing

/// File types, as used by code that looks for a photo's RAW file.
@Suite struct UTTypeTests {
  @Test func a_raw_file_conforms_to_raw_images_and_a_jpeg_does_not() throws {
    let raw = try #require(UTType("com.adobe.raw-image"))
    #expect(raw.conforms(to: UTType.rawImage) && raw.conforms(to: .image) && raw.conforms(to: raw))
    #expect(
      raw.isSubtype(of: .data) && !raw.isSubtype(of: raw) && UTType.image.isSupertype(of: raw))
    #expect(!UTType.jpeg.conforms(to: .rawImage) && !raw.conforms(to: .movie))
    #expect(UTType.quickTimeMovie.supertypes.contains(.audiovisualContent))
  }

  @Test func types_are_found_by_extension_and_mime_type() {
    #expect(UTType(filenameExtension: "MOV") == .quickTimeMovie)
    #expect(UTType(filenameExtension: "dng")?.conforms(to: .rawImage) == true)
    #expect(UTType(mimeType: "image/jpeg") == .jpeg)
    #expect(UTType(filenameExtension: "mp4") == .mpeg4Movie)
    #expect(UTType(filenameExtension: "mp4", conformingTo: .audio) == .mpeg4Audio)
    #expect(UTType(filenameExtension: "mov", conformingTo: .image) == nil)
    #expect(UTType(filenameExtension: "nonsense") == nil && UTType("org.example.none") == nil)
    #expect(UTType.quickTimeMovie.preferredFilenameExtension == "mov")
    #expect(UTType.quickTimeMovie.preferredMIMEType == "video/quicktime")
    #expect(UTType.movie.preferredFilenameExtension == nil && "\(UTType.png)" == "public.png")
  }

  /// The types that `PHAssetResource` gives for a library's files.
  @Test(arguments: [
    "com.apple.quicktime-movie", "public.mpeg-4", "com.apple.m4v-video", "org.smpte.mxf",
    "org.matroska.mkv", "public.avi", "public.jpeg", "public.png", "public.tiff",
    "com.adobe.raw-image", "public.heic", "public.heif", "public.avif", "public.jpeg-xl",
    "org.webmproject.webp", "com.microsoft.waveform-audio", "public.aiff-audio",
    "com.apple.m4a-audio", "org.xiph.flac", "public.json", "public.plain-text", "public.xml",
    "com.apple.property-list", "public.data",
  ])
  func every_type_named_by_the_library_is_known(identifier: String) throws {
    let type = try #require(UTType(identifier))
    #expect(type.identifier == identifier && type.conforms(to: .data))
  }
}
