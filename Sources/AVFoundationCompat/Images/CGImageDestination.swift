// swift-format-ignore-file: AlwaysUseLowerCamelCase

import DNG
public import Foundation
import PhotoDevelopment
import PictureFiles
import RawDevelop
import TIFF

/// Bytes that are written to, as Core Foundation names them.
public typealias CFMutableData = NSMutableData

/// A file, or memory, that a picture goes into.
public final class CGImageDestination {
  enum Target {
    case file(URL)
    case memory(NSMutableData)
  }

  let target: Target
  private(set) var settings: PictureFileSettings
  /// The picture, as it lies in the file: ``metadata`` says how it is to be turned.
  private var image: CGImage?
  private var metadata = PhotoMetadata()
  private var xmp: String?
  /// What was asked for the file as a whole, and for the picture.
  private var properties: [[String: Any]] = [[:], [:]]
  private var leftOut: [String] = []
  /// Why the file was not written. Not of Image I/O.
  public internal(set) var error: (any Error)?
  /// What the file that was written lacks, or has in another form, a line each. Not of Image I/O.
  public internal(set) var notes: [String] = []

  init?(_ target: Target, _ type: CFString, _ count: Int) {
    guard count == 1, let format = Self.formats[type] else { return nil }
    self.target = target
    settings = PictureFileSettings(format: format)
  }

  static let formats: [String: PictureFileFormat] = [
    "public.jpeg": .jpeg, "public.heic": .heic, "public.avif": .avif, "public.jpeg-xl": .jpegXL,
    "public.tiff": .tiff, "public.png": .png, "com.ilm.openexr-image": .openEXR,
  ]

  /// Takes a picture, and what is said of it.
  ///
  /// - Parameter leftOut: What a source says and no file stores, a line each.
  func take(
    _ image: CGImage?, _ metadata: PhotoMetadata, xmp: String? = nil,
    _ properties: CFDictionary?, leftOut: [String] = []
  ) {
    (self.image, self.metadata, self.xmp, self.leftOut) = (image, metadata, xmp, leftOut)
    self.properties[1] = properties ?? [:]
  }

  fileprivate static let noPicture = AVError(
    .operationNotAllowed, "the destination has no picture: add one before it is finalized")

  /// Takes properties of the file as a whole.
  func set(_ properties: CFDictionary?) { self.properties[0] = properties ?? [:] }

  /// A property of the picture, or else of the file.
  private func property(_ key: CFString) -> Any? { properties[1][key] ?? properties[0][key] }

  private func isTrue(_ key: CFString) -> Bool { property(key) as? Bool == true }

  /// What the file is to have; nil where there is no picture.
  func content() -> PictureContent? {
    guard let image else { return nil }
    notes = leftOut
    if let quality = RAWFilter.number(property(kCGImageDestinationLossyCompressionQuality)) {
      settings.quality = Double(quality)
    }
    var metadata = metadata
    let left = metadata.take(properties[0]) + metadata.take(properties[1])
    if !left.isEmpty { notes.append("no file says: " + Set(left).sorted().joined(separator: ", ")) }
    if isTrue(kCGImageDestinationEmbedThumbnail) { notes.append("no thumbnail is written") }
    var xmp = isTrue(kCGImageMetadataShouldExcludeXMP) ? nil : xmp
    if isTrue(kCGImageMetadataShouldExcludeGPS) {
      metadata.location = nil
      metadata.carried.gps = [:]
      xmp = xmp.flatMap(Self.withoutPlace)
    }
    if let turned = xmp.flatMap({ Self.turned($0, metadata.orientation) }) { xmp = turned }
    return PictureContent(arranged(image), metadata: metadata, xmp: xmp)
  }

  /// The picture as its properties ask for it.
  private func arranged(_ image: CGImage) -> RenderedPicture {
    let side = RAWFilter.number(property(kCGImageDestinationImageMaxPixelSize))
    let image = image.within(side.map(Double.init) ?? .infinity)
    let color = property(kCGImageDestinationBackgroundColor) as? CGColor ?? .white
    let ground = SIMD3(Float(color.red), Float(color.green), Float(color.blue))
    if image.opacity != nil {
      notes.append(
        "alpha is not written: the picture lies on its background color, white if none is given")
    }
    let picture = image.laid(on: ground)
    guard isTrue(kCGImageDestinationOptimizeColorForSharing) else { return picture }
    return picture.converted(to: .sRGB, format: picture.samples.format)
  }

  /// A packet without the place where the picture was taken; nil for one that cannot be read, which might say it.
  private static func withoutPlace(_ packet: String) -> String? {
    guard var document = try? XMPDocument(Array(packet.utf8)) else { return nil }
    let exif = XMPDocument.Namespace(uri: kCGImageMetadataNamespaceExif, prefix: "exif")
    for property in document.properties(in: exif) where property.name.hasPrefix("GPS") {
      document[exif, property.name] = nil
    }
    return document.text
  }

  /// A packet that tells of no gain map behind the picture; nil for one that cannot be read, which might tell of one.
  fileprivate static func withoutGainMap(_ packet: String) -> String? {
    guard var document = try? XMPDocument(Array(packet.utf8)) else { return nil }
    for uri in [
      "http://ns.adobe.com/hdr-gain-map/1.0/", "http://ns.google.com/photos/1.0/container/",
    ] {
      document.removeAll(in: XMPDocument.Namespace(uri: uri, prefix: "map"))
    }
    return document.text
  }

  /// A packet that tells the same turn as the file; nil for one that tells none.
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

/// A destination for one picture; nil for a type that is not written: `public.jpeg`, `public.heic`,
/// `public.avif`, `public.jpeg-xl`, `public.tiff`, `public.png`, `com.ilm.openexr-image`.
public func CGImageDestinationCreateWithURL(
  _ url: URL, _ type: CFString, _ count: Int, _ options: CFDictionary?
) -> CGImageDestination? {
  CGImageDestination(.file(url), type, count)
}

/// A destination for one picture in memory, to which the file is appended; nil as for
/// ``CGImageDestinationCreateWithURL(_:_:_:_:)``.
public func CGImageDestinationCreateWithData(
  _ data: CFMutableData, _ type: CFString, _ count: Int, _ options: CFDictionary?
) -> CGImageDestination? {
  CGImageDestination(.memory(data), type, count)
}

/// The kinds of files that destinations write, by their uniform type identifiers.
public func CGImageDestinationCopyTypeIdentifiers() -> CFArray {
  CGImageDestination.formats.keys.sorted()
}

/// Sets the picture. Of the properties, ``kCGImageDestinationLossyCompressionQuality``,
/// ``kCGImageDestinationImageMaxPixelSize``, ``kCGImageDestinationOptimizeColorForSharing`` and
/// ``kCGImageDestinationBackgroundColor`` count, ``kCGImagePropertyOrientation``, and what files store of the dictionaries of
/// TIFF, EXIF and GPS. The destination's `notes` names what they do not.
public func CGImageDestinationAddImage(
  _ destination: CGImageDestination, _ image: CGImage, _ properties: CFDictionary?
) { destination.take(image, PhotoMetadata(), properties) }

/// Sets the picture, and the XMP that the file has beside it. The options count that count for
/// ``CGImageDestinationAddImage(_:_:_:)``.
public func CGImageDestinationAddImageAndMetadata(
  _ destination: CGImageDestination, _ image: CGImage, _ metadata: CGImageMetadata?,
  _ options: CFDictionary?
) { destination.take(image, PhotoMetadata(), xmp: metadata?.packet, options) }

/// Sets the picture of a source, and what its file says in EXIF and XMP; none where the picture cannot be made. The
/// properties count that count for ``CGImageDestinationAddImage(_:_:_:)``, and replace what the source's file says.
///
/// The picture is compressed anew. That of a DNG file is turned as it is to be seen.
public func CGImageDestinationAddImageFromSource(
  _ destination: CGImageDestination, _ source: CGImageSource, _ index: Int,
  _ properties: CFDictionary?
) {
  let said = source.said(at: index)
  let image = source.image(at: index)
  // With what was guessed of the picture when it was made.
  destination.take(
    image, said.metadata, xmp: said.xmp, properties, leftOut: said.leftOut + source.notes)
  if image == nil { destination.error = source.error ?? CGImageDestination.noPicture }
}

/// Sets properties of the file: those that count for ``CGImageDestinationAddImage(_:_:_:)``.
public func CGImageDestinationSetProperties(
  _ destination: CGImageDestination, _ properties: CFDictionary?
) { destination.set(properties) }

/// Writes the file; false where it was not, which the destination's `error` explains.
public func CGImageDestinationFinalize(_ destination: CGImageDestination) -> Bool {
  guard let content = destination.content() else {
    destination.error = destination.error ?? CGImageDestination.noPicture
    return false
  }
  destination.error = nil
  do {
    let writer = PictureFileWriter(destination.settings)
    let notes: [PictureFileNote]
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
  /// What the file says of a picture, for another file of it.
  fileprivate func said(
    at index: Int
  ) -> (metadata: PhotoMetadata, xmp: String?, leftOut: [String]) {
    var metadata = PhotoMetadata()
    var xmp: String?
    var leftOut: [String] = []
    switch content {
    case .none: break
    case .negative(let negative):
      metadata = negative.metadata
      metadata.orientation = .up
      xmp = negative.xmp.map { String(decoding: $0, as: UTF8.self) }
    case .file(let file):
      guard file.pictures.indices.contains(index) else { break }
      let facts = file.pictures[index]
      if let directory = facts.directory {
        metadata = PhotoMetadata(directory, isLittleEndian: facts.exif?.first == 0x49)
        metadata.software = directory[.software]?.text ?? metadata.software
      }
      metadata.orientation =
        UInt16(exactly: facts.orientation).flatMap(PhotoMetadata.Orientation.init) ?? .up
      let packet = facts.xmp.map { String(decoding: $0, as: UTF8.self) }
      xmp = file.hasGainMap ? packet.flatMap(CGImageDestination.withoutGainMap) : packet
      leftOut += file.leftOut(of: facts)
    }
    return (metadata, xmp, leftOut + [metadata.carried.note].compactMap(\.self))
  }
}

extension PictureFile {
  /// What a file of the picture alone does not have, a line each.
  fileprivate func leftOut(of facts: PictureFacts) -> [String] {
    var lines: [String] = []
    if pictures.count > 1 { lines.append("of \(pictures.count) pictures, one is written") }
    if hasGainMap { lines.append("the gain map is left out: the picture is of standard range") }
    if !facts.texts.isEmpty {
      lines.append("PNG's texts are left out: " + facts.texts.keys.sorted().joined(separator: ", "))
    }
    // What is written has 72.
    if let resolution = facts.resolution?.rounded(.toNearestOrEven), resolution != SIMD2(72, 72) {
      lines.append(
        "pixels an inch are left out: \(Int(resolution.x)) across, \(Int(resolution.y)) down")
    }
    return lines
  }

  /// True for a damaged one, too.
  fileprivate var hasGainMap: Bool {
    do throws(PictureFileError) { return try gainMap() != nil } catch { return true }
  }
}
