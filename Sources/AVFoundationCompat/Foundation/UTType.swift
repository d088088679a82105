/// A uniform type, limited to the file types that this package reads or writes.
///
/// ```swift
/// if let type = UTType(resource.uniformTypeIdentifier), type.conforms(to: .rawImage) { … }
/// ```
public struct UTType: Sendable, Hashable, Codable, CustomStringConvertible {
  /// The identifier: `com.apple.quicktime-movie`.
  public let identifier: String

  private init(known identifier: String) { self.identifier = identifier }

  /// The type with an identifier; nil if it is unknown here.
  public init?(_ identifier: String) {
    guard Self.table[identifier] != nil else { return nil }
    self.identifier = identifier
  }

  /// The type for a file name extension, ignoring case; nil if it is unknown here or does not conform to `supertype`.
  public init?(filenameExtension: String, conformingTo supertype: UTType = .data) {
    let wanted = filenameExtension.lowercased()
    self.init(supertype) { $0.extensions.contains(wanted) }
  }

  /// The type for a MIME type such as `video/quicktime`; nil if it is unknown here or does not conform to `supertype`.
  public init?(mimeType: String, conformingTo supertype: UTType = .data) {
    let wanted = mimeType.lowercased()
    self.init(supertype) { $0.mimeTypes.contains(wanted) }
  }

  private init?(_ supertype: UTType, where isWanted: (Entry) -> Bool) {
    let found = Self.table.filter { isWanted($0.value) }.keys.sorted().map(UTType.init(known:))
    guard let type = found.first(where: { $0.conforms(to: supertype) }) else { return nil }
    self = type
  }

  /// The identifier.
  public var description: String { identifier }
  /// The preferred file name extension, without the dot; nil for an abstract type.
  public var preferredFilenameExtension: String? { Self.table[identifier]?.extensions.first }
  /// The preferred MIME type; nil for an abstract type or if it has none.
  public var preferredMIMEType: String? { Self.table[identifier]?.mimeTypes.first }

  /// All types that this type conforms to, except itself.
  public var supertypes: Set<UTType> {
    var found: Set<UTType> = []
    var open = Self.table[identifier]?.parents ?? []
    while let next = open.popLast() {
      guard found.insert(UTType(known: next)).inserted else { continue }
      open += Self.table[next]?.parents ?? []
    }
    return found
  }

  /// True for the same type and its supertypes.
  public func conforms(to type: UTType) -> Bool { self == type || isSubtype(of: type) }
  /// True for a supertype.
  public func isSubtype(of type: UTType) -> Bool { supertypes.contains(type) }
  /// True for a subtype.
  public func isSupertype(of type: UTType) -> Bool { type.isSubtype(of: self) }
}

extension UTType {
  private struct Entry {
    var parents: [String]
    var extensions: [String] = []
    var mimeTypes: [String] = []
  }

  /// As in Apple's System-Declared Uniform Type Identifiers.
  private static let table: [String: Entry] = [
    "public.item": Entry(parents: []),
    "public.content": Entry(parents: []),
    "public.data": Entry(parents: ["public.item"]),
    "public.folder": Entry(parents: ["public.item"]),
    "public.image": Entry(parents: ["public.data", "public.content"]),
    "public.camera-raw-image": Entry(parents: ["public.image"]),
    "com.adobe.raw-image": Entry(
      parents: ["public.camera-raw-image"], extensions: ["dng"], mimeTypes: ["image/x-adobe-dng"]),
    "public.jpeg": image("jpg", "jpeg", mime: "image/jpeg"),
    "public.png": image("png", mime: "image/png"),
    "com.compuserve.gif": image("gif", mime: "image/gif"),
    "public.tiff": image("tiff", "tif", mime: "image/tiff"),
    "public.heic": image("heic", mime: "image/heic"),
    "public.heif": image("heif", mime: "image/heif"),
    "public.avif": image("avif", mime: "image/avif"),
    "public.jpeg-xl": image("jxl", mime: "image/jxl"),
    "org.webmproject.webp": image("webp", mime: "image/webp"),
    "com.ilm.openexr-image": image("exr", mime: "image/x-exr"),
    "public.audiovisual-content": Entry(parents: ["public.data", "public.content"]),
    "public.movie": Entry(parents: ["public.audiovisual-content"]),
    "public.video": Entry(parents: ["public.movie"]),
    "public.audio": Entry(parents: ["public.audiovisual-content"]),
    "com.apple.quicktime-movie": movie("mov", "qt", mime: "video/quicktime"),
    "public.mpeg-4": movie("mp4", mime: "video/mp4"),
    "com.apple.m4v-video": movie("m4v", mime: "video/x-m4v"),
    "public.avi": movie("avi", mime: "video/avi"),
    "org.matroska.mkv": movie("mkv", mime: "video/x-matroska"),
    "org.smpte.mxf": movie("mxf", mime: "application/mxf"),
    "public.mp3": audio("mp3", mime: "audio/mpeg"),
    "public.mpeg-4-audio": audio("mp4", mime: "audio/mp4"),
    "com.apple.m4a-audio": audio("m4a", mime: "audio/x-m4a"),
    "com.microsoft.waveform-audio": audio("wav", "wave", mime: "audio/vnd.wave"),
    "public.aiff-audio": audio("aiff", "aif", mime: "audio/aiff"),
    "com.apple.coreaudio-format": audio("caf", mime: "audio/x-caf"),
    "org.xiph.flac": audio("flac", mime: "audio/flac"),
    "public.text": Entry(parents: ["public.data", "public.content"]),
    "public.plain-text": Entry(
      parents: ["public.text"], extensions: ["txt"], mimeTypes: ["text/plain"]),
    "public.json": Entry(
      parents: ["public.text"], extensions: ["json"], mimeTypes: ["application/json"]),
    "public.xml": Entry(
      parents: ["public.text"], extensions: ["xml"], mimeTypes: ["application/xml"]),
    "com.apple.property-list": Entry(parents: ["public.data"], extensions: ["plist"]),
  ]

  private static func image(_ extensions: String..., mime: String) -> Entry {
    Entry(parents: ["public.image"], extensions: extensions, mimeTypes: [mime])
  }
  private static func movie(_ extensions: String..., mime: String) -> Entry {
    Entry(parents: ["public.movie"], extensions: extensions, mimeTypes: [mime])
  }
  private static func audio(_ extensions: String..., mime: String) -> Entry {
    Entry(parents: ["public.audio"], extensions: extensions, mimeTypes: [mime])
  }

  public static let item = UTType(known: "public.item")
  public static let content = UTType(known: "public.content")
  public static let data = UTType(known: "public.data")
  public static let folder = UTType(known: "public.folder")
  public static let image = UTType(known: "public.image")
  public static let rawImage = UTType(known: "public.camera-raw-image")
  public static let jpeg = UTType(known: "public.jpeg")
  public static let png = UTType(known: "public.png")
  public static let gif = UTType(known: "com.compuserve.gif")
  public static let tiff = UTType(known: "public.tiff")
  public static let heic = UTType(known: "public.heic")
  public static let heif = UTType(known: "public.heif")
  public static let audiovisualContent = UTType(known: "public.audiovisual-content")
  public static let movie = UTType(known: "public.movie")
  public static let video = UTType(known: "public.video")
  public static let audio = UTType(known: "public.audio")
  public static let quickTimeMovie = UTType(known: "com.apple.quicktime-movie")
  public static let mpeg4Movie = UTType(known: "public.mpeg-4")
  public static let avi = UTType(known: "public.avi")
  public static let mp3 = UTType(known: "public.mp3")
  public static let mpeg4Audio = UTType(known: "public.mpeg-4-audio")
  public static let wav = UTType(known: "com.microsoft.waveform-audio")
  public static let aiff = UTType(known: "public.aiff-audio")
  public static let text = UTType(known: "public.text")
  public static let plainText = UTType(known: "public.plain-text")
  public static let json = UTType(known: "public.json")
  public static let xml = UTType(known: "public.xml")
  public static let propertyList = UTType(known: "com.apple.property-list")
}

extension URL {
  /// The URL with the type's preferred extension; unchanged for a type without one.
  public func appendingPathExtension(for contentType: UTType) -> URL {
    contentType.preferredFilenameExtension.map { appendingPathExtension($0) } ?? self
  }
  /// A name below the URL, with the type's preferred extension if it lacks it.
  public func appendingPathComponent(
    _ partialName: String, conformingTo contentType: UTType
  ) -> URL {
    let whole = appendingPathComponent(partialName)
    guard let wanted = contentType.preferredFilenameExtension else { return whole }
    return whole.pathExtension.lowercased() == wanted ? whole : whole.appendingPathExtension(wanted)
  }
}
