// swift-format-ignore-file: AlwaysUseLowerCamelCase

public import Foundation
import PictureFiles
import RawDevelop

/// A file that a picture goes into.
public final class CGImageDestination {
  fileprivate let url: URL
  fileprivate var settings: PictureFileSettings
  fileprivate var image: CGImage?
  /// Why the file was not written. Not of Image I/O.
  public fileprivate(set) var error: (any Error)?

  fileprivate init(_ url: URL, _ settings: PictureFileSettings) {
    self.url = url
    self.settings = settings
  }
}

/// A destination for one picture; nil for a type that is not written: `public.jpeg`, `public.heic`,
/// `public.avif`, `public.jpeg-xl`, `public.tiff`, `public.png`, `com.ilm.openexr-image`.
public func CGImageDestinationCreateWithURL(
  _ url: URL, _ type: CFString, _ count: Int, _ options: CFDictionary?
) -> CGImageDestination? {
  let formats: [String: PictureFileFormat] = [
    "public.jpeg": .jpeg, "public.heic": .heic, "public.avif": .avif, "public.jpeg-xl": .jpegXL,
    "public.tiff": .tiff, "public.png": .png, "com.ilm.openexr-image": .openEXR,
  ]
  guard count == 1, let format = formats[type] else { return nil }
  return CGImageDestination(url, PictureFileSettings(format: format))
}

/// Sets the picture. Of the properties, ``kCGImageDestinationLossyCompressionQuality`` counts.
public func CGImageDestinationAddImage(
  _ destination: CGImageDestination, _ image: CGImage, _ properties: CFDictionary?
) {
  destination.image = image
  let quality = RAWFilter.number(properties?[kCGImageDestinationLossyCompressionQuality])
  if let quality { destination.settings.quality = Double(quality) }
}

/// Writes the file; false where it was not, which the destination's `error` explains.
public func CGImageDestinationFinalize(_ destination: CGImageDestination) -> Bool {
  guard let image = destination.image else { return false }
  do {
    _ = try PictureFileWriter(destination.settings).write(
      PictureContent(image.picture), to: destination.url.path, replacing: true)
    return true
  } catch {
    destination.error = error
    return false
  }
}
