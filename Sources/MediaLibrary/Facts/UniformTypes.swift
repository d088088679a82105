/// Uniform type identifiers by file name extension.
enum UniformTypes {
  private static let identifiers: [String: String] = [
    "mov": "com.apple.quicktime-movie", "mp4": "public.mpeg-4", "m4v": "com.apple.m4v-video",
    "mxf": "org.smpte.mxf", "mkv": "org.matroska.mkv", "avi": "public.avi",
    "jpg": "public.jpeg", "jpeg": "public.jpeg", "png": "public.png", "tif": "public.tiff",
    "tiff": "public.tiff", "dng": "com.adobe.raw-image", "heic": "public.heic",
    "heif": "public.heif", "avif": "public.avif", "jxl": "public.jpeg-xl",
    "webp": "org.webmproject.webp", "exr": "com.ilm.openexr-image", "bmp": "com.microsoft.bmp",
    "gif": "com.compuserve.gif", "jp2": "public.jpeg-2000", "ico": "com.microsoft.ico",
    "wav": "com.microsoft.waveform-audio", "aif": "public.aiff-audio", "aiff": "public.aiff-audio",
    "caf": "com.apple.coreaudio-format", "m4a": "com.apple.m4a-audio", "flac": "org.xiph.flac",
    "json": "public.json",
    "txt": "public.plain-text", "xml": "public.xml", "plist": "com.apple.property-list",
  ]

  /// The identifier for a name; `public.data` if its extension is unknown.
  static func identifier(forName name: String) -> String {
    identifiers[FileName(name).pathExtension.lowercased()] ?? "public.data"
  }

  /// The usual extension for an identifier; nil if it is unknown.
  static func pathExtension(for identifier: String) -> String? {
    let preferred = ["jpg", "tif", "aif"]
    let known = identifiers.filter { $0.value == identifier }.keys
    return known.first(where: preferred.contains) ?? known.min()
  }

  /// The usual extension for unnamed data, judged by its first bytes.
  static func pathExtension(for kind: ContentKind, type: AssetResourceType) -> String {
    switch kind {
    case .image("jpeg"): "jpg"
    case .image("heif"): "heic"
    case .image(let name), .rawImage(let name): name
    case .tiff: type == .photo || type == .alternatePhoto ? "dng" : "tif"
    case .other:
      switch type {
      case _ where type.isWholeMovie: "mov"
      case .audio: "wav"
      case .adjustmentData: "plist"
      default: "dat"
      }
    }
  }
}
