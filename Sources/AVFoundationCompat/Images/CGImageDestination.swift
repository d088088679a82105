// swift-format-ignore-file: AlwaysUseLowerCamelCase

import DNG
public import Foundation
import ImageFiles
import PhotoDevelopment
import RawDevelop
import TIFF

/// Core Foundation's mutable data type.
public typealias CFMutableData = NSMutableData

/// Writes an image to a file or to memory.
public final class CGImageDestination {
  enum Target {
    case file(URL)
    case memory(NSMutableData)
  }

  let target: Target
  private(set) var settings: ImageFileSettings
  /// The image as stored in the file; `metadata` has its orientation.
  private var image: CGImage?
  private var metadata = PhotoMetadata()
  private var xmp: String?
  /// The properties of the file, then those of the image.
  private var properties: [[String: Any]] = [[:], [:]]
  private var omissions: [String] = []
  /// Why the file was not written. Not in Image I/O.
  public internal(set) var error: (any Error)?
  /// What the written file lacks or has in another form, one line each. Not in Image I/O.
  public internal(set) var notes: [String] = []

  init?(_ target: Target, _ type: CFString, _ count: Int) {
    guard count == 1, let format = Self.formats[type] else { return nil }
    self.target = target
    settings = ImageFileSettings(format: format)
  }

  static let formats: [String: ImageFileFormat] = [
    "public.jpeg": .jpeg, "public.heic": .heic, "public.avif": .avif, "public.jpeg-xl": .jpegXL,
    "public.tiff": .tiff, "public.png": .png, "com.ilm.openexr-image": .openEXR,
  ]

  /// Sets the image and its metadata.
  ///
  /// - Parameter omissions: Source metadata that no file can store, one line each.
  func take(
    _ image: CGImage?, _ metadata: PhotoMetadata, xmp: String? = nil,
    _ properties: CFDictionary?, omissions: [String] = []
  ) {
    (self.image, self.metadata, self.xmp, self.omissions) = (image, metadata, xmp, omissions)
    self.properties[1] = properties ?? [:]
  }

  fileprivate static let noImage = AVError(
    .operationNotAllowed, "the destination has no image; add one before finalizing it")

  /// Sets the properties of the file.
  func set(_ properties: CFDictionary?) { self.properties[0] = properties ?? [:] }

  /// A property of the image, or otherwise of the file.
  private func property(_ key: CFString) -> Any? { properties[1][key] ?? properties[0][key] }

  private func isTrue(_ key: CFString) -> Bool { property(key) as? Bool == true }

  /// The content of the file; nil if there is no image.
  func content() -> ImageContent? {
    guard let image else { return nil }
    notes = omissions
    if let quality = RAWFilter.number(property(kCGImageDestinationLossyCompressionQuality)) {
      settings.quality = Double(quality)
    }
    var metadata = metadata
    let left = metadata.take(properties[0]) + metadata.take(properties[1])
    if !left.isEmpty { notes.append("not stored: " + Set(left).sorted().joined(separator: ", ")) }
    if isTrue(kCGImageDestinationEmbedThumbnail) { notes.append("no thumbnail is written") }
    var xmp = isTrue(kCGImageMetadataShouldExcludeXMP) ? nil : xmp
    if isTrue(kCGImageMetadataShouldExcludeGPS) {
      metadata.location = nil
      metadata.carried.gps = [:]
      xmp = xmp.flatMap(Self.withoutPlace)
    }
    if let turned = xmp.flatMap({ Self.turned($0, metadata.orientation) }) { xmp = turned }
    return ImageContent(arranged(image), metadata: metadata, xmp: xmp)
  }

  /// The image, scaled, blended and converted as its properties request.
  private func arranged(_ image: CGImage) -> RenderedImage {
    let side = RAWFilter.number(property(kCGImageDestinationImageMaxPixelSize))
    let image = image.within(side.map(Double.init) ?? .infinity)
    let color = property(kCGImageDestinationBackgroundColor) as? CGColor ?? .white
    let ground = SIMD3(Float(color.red), Float(color.green), Float(color.blue))
    if image.opacity != nil {
      notes.append(
        "alpha is not written: the image is blended over its background color, white by default")
    }
    let bitmap = image.laid(on: ground)
    guard isTrue(kCGImageDestinationOptimizeColorForSharing) else { return bitmap }
    return bitmap.converted(to: .sRGB, format: bitmap.samples.format)
  }

  /// A packet without GPS data; nil if it cannot be parsed, because it might contain some.
  private static func withoutPlace(_ packet: String) -> String? {
    guard var document = try? XMPDocument(Array(packet.utf8)) else { return nil }
    let exif = XMPDocument.Namespace(uri: kCGImageMetadataNamespaceExif, prefix: "exif")
    for property in document.properties(in: exif) where property.name.hasPrefix("GPS") {
      document[exif, property.name] = nil
    }
    return document.text
  }

  /// A packet without gain map data; nil if it cannot be parsed, because it might contain some.
  fileprivate static func withoutGainMap(_ packet: String) -> String? {
    guard var document = try? XMPDocument(Array(packet.utf8)) else { return nil }
    for uri in [
      "http://ns.adobe.com/hdr-gain-map/1.0/", "http://ns.google.com/photos/1.0/container/",
    ] {
      document.removeAll(in: XMPDocument.Namespace(uri: uri, prefix: "map"))
    }
    return document.text
  }

  /// A packet with the file's orientation; nil if the packet has no orientation.
  private static func turned(
    _ packet: String, _ orientation: PhotoMetadata.Orientation
  ) -> String? {
    guard var document = try? XMPDocument(Array(packet.utf8)),
      document[.tiff, "Orientation"] != nil
    else { return nil }
    document[.tiff, "Orientation"] = "\(orientation.rawValue)"
    return document.text
  }
}

/// A destination for one image; nil for a type other than `public.jpeg`, `public.heic`, `public.avif`,
/// `public.jpeg-xl`, `public.tiff`, `public.png` and `com.ilm.openexr-image`.
public func CGImageDestinationCreateWithURL(
  _ url: URL, _ type: CFString, _ count: Int, _ options: CFDictionary?
) -> CGImageDestination? {
  CGImageDestination(.file(url), type, count)
}

/// A destination for one image that appends the file to data in memory; nil as for
/// ``CGImageDestinationCreateWithURL(_:_:_:_:)``.
public func CGImageDestinationCreateWithData(
  _ data: CFMutableData, _ type: CFString, _ count: Int, _ options: CFDictionary?
) -> CGImageDestination? {
  CGImageDestination(.memory(data), type, count)
}

/// The uniform type identifiers of the supported file types.
public func CGImageDestinationCopyTypeIdentifiers() -> CFArray {
  CGImageDestination.formats.keys.sorted()
}

/// Sets the image. Supported properties: ``kCGImageDestinationLossyCompressionQuality``,
/// ``kCGImageDestinationImageMaxPixelSize``, ``kCGImageDestinationOptimizeColorForSharing``,
/// ``kCGImageDestinationBackgroundColor``, ``kCGImagePropertyOrientation``, and the TIFF, EXIF and GPS properties that
/// files can store. The destination's `notes` lists the others.
public func CGImageDestinationAddImage(
  _ destination: CGImageDestination, _ image: CGImage, _ properties: CFDictionary?
) { destination.take(image, PhotoMetadata(), properties) }

/// Sets the image and the file's XMP. The supported options are those of ``CGImageDestinationAddImage(_:_:_:)``.
public func CGImageDestinationAddImageAndMetadata(
  _ destination: CGImageDestination, _ image: CGImage, _ metadata: CGImageMetadata?,
  _ options: CFDictionary?
) { destination.take(image, PhotoMetadata(), xmp: metadata?.packet, options) }

/// Sets a source's image with the EXIF and XMP of its file; no image if it cannot be decoded. The supported properties
/// are those of ``CGImageDestinationAddImage(_:_:_:)``; they replace those of the source's file.
///
/// The image is re-encoded. A DNG file's image is rotated upright.
public func CGImageDestinationAddImageFromSource(
  _ destination: CGImageDestination, _ source: CGImageSource, _ index: Int,
  _ properties: CFDictionary?
) {
  let said = source.said(at: index)
  let image = source.image(at: index)
  // Includes the assumptions made when decoding the image.
  destination.take(
    image, said.metadata, xmp: said.xmp, properties, omissions: said.omissions + source.notes)
  if image == nil { destination.error = source.error ?? CGImageDestination.noImage }
}

/// Sets properties of the file; the supported ones are those of ``CGImageDestinationAddImage(_:_:_:)``.
public func CGImageDestinationSetProperties(
  _ destination: CGImageDestination, _ properties: CFDictionary?
) { destination.set(properties) }

/// Writes the file; false on failure, with the reason in the destination's `error`.
public func CGImageDestinationFinalize(_ destination: CGImageDestination) -> Bool {
  guard let content = destination.content() else {
    destination.error = destination.error ?? CGImageDestination.noImage
    return false
  }
  destination.error = nil
  do {
    let writer = ImageFileWriter(destination.settings)
    let notes: [ImageFileNote]
    switch destination.target {
    case .file(let url): notes = try writer.write(content, to: url.path, replacing: true).notes
    case .memory(let data):
      let made = try writer.encode(content)
      data.append(Data(made.bytes))
      notes = made.notes
    }
    destination.notes += notes.map(\.message)
    return true
  } catch {
    destination.error = error
    return false
  }
}

extension CGImageSource {
  /// The file's metadata for an image, for use in another file.
  fileprivate func said(
    at index: Int
  ) -> (metadata: PhotoMetadata, xmp: String?, omissions: [String]) {
    var metadata = PhotoMetadata()
    var xmp: String?
    var omissions: [String] = []
    switch content {
    case .none: break
    case .negative(let negative):
      metadata = negative.metadata
      metadata.orientation = .up
      xmp = negative.xmp.map { String(decoding: $0, as: UTF8.self) }
    case .file(let file):
      guard file.images.indices.contains(index) else { break }
      let facts = file.images[index]
      if let directory = facts.directory {
        metadata = PhotoMetadata(directory, isLittleEndian: facts.exif?.first == 0x49)
        metadata.software = directory[.software]?.text ?? metadata.software
      }
      metadata.orientation =
        UInt16(exactly: facts.orientation).flatMap(PhotoMetadata.Orientation.init) ?? .up
      let packet = facts.xmp.map { String(decoding: $0, as: UTF8.self) }
      xmp = file.hasGainMap ? packet.flatMap(CGImageDestination.withoutGainMap) : packet
      omissions += file.omissions(of: facts)
    }
    return (metadata, xmp, omissions + [metadata.carried.note].compactMap(\.self))
  }
}

extension ImageFile {
  /// What a file with only this image loses, one line each.
  fileprivate func omissions(of facts: ImageFacts) -> [String] {
    var lines: [String] = []
    if images.count > 1 { lines.append("only one of \(images.count) images is written") }
    if hasGainMap { lines.append("the gain map is left out: the image has standard dynamic range") }
    if !facts.texts.isEmpty {
      lines.append("PNG text is left out: " + facts.texts.keys.sorted().joined(separator: ", "))
    }
    // Written files have 72.
    if let resolution = facts.resolution?.rounded(.toNearestOrEven), resolution != SIMD2(72, 72) {
      lines.append(
        "the resolution is left out: \(Int(resolution.x)) x \(Int(resolution.y)) pixels per inch")
    }
    return lines
  }

  /// Also true for a damaged gain map.
  fileprivate var hasGainMap: Bool {
    do throws(ImageFileError) { return try gainMap() != nil } catch { return true }
  }
}
