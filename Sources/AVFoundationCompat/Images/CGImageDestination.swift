// swift-format-ignore-file: AlwaysUseLowerCamelCase

public import Foundation
import PictureFiles
import RawDevelop

/// Bytes that are written to, as Core Foundation names them.
public typealias CFMutableData = NSMutableData

/// A file, or memory, that a picture goes into.
public final class CGImageDestination {
  fileprivate enum Target {
    case file(URL)
    case memory(NSMutableData)
  }

  fileprivate let target: Target
  fileprivate var settings: PictureFileSettings
  fileprivate var image: CGImage?
  private var maximumSide = Double.infinity
  private var isForSharing = false
  fileprivate var xmp: String?
  /// Why the file was not written. Not of Image I/O.
  public fileprivate(set) var error: (any Error)?
  /// What the file that was written lacks, or has in another form, a line each. Not of Image I/O.
  public fileprivate(set) var notes: [String] = []

  fileprivate init?(_ target: Target, _ type: CFString, _ count: Int) {
    guard count == 1, let format = Self.formats[type] else { return nil }
    self.target = target
    settings = PictureFileSettings(format: format)
  }

  private static let formats: [String: PictureFileFormat] = [
    "public.jpeg": .jpeg, "public.heic": .heic, "public.avif": .avif, "public.jpeg-xl": .jpegXL,
    "public.tiff": .tiff, "public.png": .png, "com.ilm.openexr-image": .openEXR,
  ]

  fileprivate func set(_ properties: CFDictionary?) {
    let quality = RAWFilter.number(properties?[kCGImageDestinationLossyCompressionQuality])
    if let quality { settings.quality = Double(quality) }
    let side = RAWFilter.number(properties?[kCGImageDestinationImageMaxPixelSize])
    if let side { maximumSide = Double(side) }
    let sharing = properties?[kCGImageDestinationOptimizeColorForSharing] as? Bool
    if let sharing { isForSharing = sharing }
  }

  /// The picture as its properties ask for it.
  fileprivate func arranged(_ image: CGImage) -> RenderedPicture {
    let picture = image.within(maximumSide).picture
    guard isForSharing else { return picture }
    return picture.converted(to: .sRGB, format: picture.samples.format)
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

/// Sets the picture. Of the properties, ``kCGImageDestinationLossyCompressionQuality``,
/// ``kCGImageDestinationImageMaxPixelSize`` and ``kCGImageDestinationOptimizeColorForSharing`` count.
public func CGImageDestinationAddImage(
  _ destination: CGImageDestination, _ image: CGImage, _ properties: CFDictionary?
) {
  (destination.image, destination.xmp) = (image, nil)
  destination.set(properties)
}

/// Sets the picture, and the XMP that the file has beside it. The options count that count for
/// ``CGImageDestinationAddImage(_:_:_:)``.
public func CGImageDestinationAddImageAndMetadata(
  _ destination: CGImageDestination, _ image: CGImage, _ metadata: CGImageMetadata?,
  _ options: CFDictionary?
) {
  (destination.image, destination.xmp) = (image, metadata?.packet)
  destination.set(options)
}

/// Sets the picture of a source, in its default look and turned as it is to be seen; none where it cannot be made. What
/// else the source's file says is left out. The properties count that count for
/// ``CGImageDestinationAddImage(_:_:_:)``.
public func CGImageDestinationAddImageFromSource(
  _ destination: CGImageDestination, _ source: CGImageSource, _ index: Int,
  _ properties: CFDictionary?
) {
  destination.image = CGImageSourceCreateImageAtIndex(source, index, nil)
  destination.xmp = nil
  destination.set(properties)
}

/// Sets properties of the file: those that count for ``CGImageDestinationAddImage(_:_:_:)``; others are ignored.
public func CGImageDestinationSetProperties(
  _ destination: CGImageDestination, _ properties: CFDictionary?
) { destination.set(properties) }

/// Writes the file; false where it was not, which the destination's `error` explains.
public func CGImageDestinationFinalize(_ destination: CGImageDestination) -> Bool {
  guard let image = destination.image else { return false }
  do {
    let writer = PictureFileWriter(destination.settings)
    let content = PictureContent(destination.arranged(image), xmp: destination.xmp)
    let notes: [PictureFileNote]
    switch destination.target {
    case .file(let url): notes = try writer.write(content, to: url.path, replacing: true).notes
    case .memory(let data):
      let made = try writer.encode(content)
      data.append(Data(made.bytes))
      notes = made.notes
    }
    destination.notes = notes.map(\.message)
    return true
  } catch {
    destination.error = error
    return false
  }
}
