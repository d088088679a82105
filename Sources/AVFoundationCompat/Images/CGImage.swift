public import Foundation
public import RawDevelop

/// A picture in memory.
public final class CGImage: Sendable {
  /// Its pixels.
  public let picture: RenderedPicture

  init(_ picture: RenderedPicture) { self.picture = picture }

  /// Pixels in a row.
  public var width: Int { picture.width }
  /// Rows.
  public var height: Int { picture.height }
  /// Bits of a sample.
  public var bitsPerComponent: Int {
    switch picture.samples {
    case .uint8: 8
    case .uint16, .half: 16
    case .float: 32
    }
  }
  /// What the samples mean.
  public var colorSpace: CGColorSpace? { CGColorSpace(picture.colorSpace) }
}

/// A DNG file that pictures are taken from.
public final class CGImageSource: Sendable {
  let filter: RAWFilter

  fileprivate init(_ filter: RAWFilter) { self.filter = filter }
}

/// Nil where the file cannot be read, or is no DNG file.
public func CGImageSourceCreateWithURL(_ url: URL, _ options: CFDictionary?) -> CGImageSource? {
  (try? RAWFilter(url: url)).map(CGImageSource.init)
}

/// Nil for what is no DNG file.
public func CGImageSourceCreateWithData(_ data: Data, _ options: CFDictionary?) -> CGImageSource? {
  (try? RAWFilter(data: [UInt8](data))).map(CGImageSource.init)
}

/// Pictures of the file apart from previews and masks: one.
public func CGImageSourceGetCount(_ source: CGImageSource) -> Int { 1 }

/// The file's largest preview; nil where it has none, it is damaged, or the index is not 0.
public func CGImageSourceCreateThumbnailAtIndex(
  _ source: CGImageSource, _ index: Int, _ options: CFDictionary?
) -> CGImage? {
  guard index == 0, let preview = try? source.filter.previewPicture() else { return nil }
  return CGImage(preview)
}

/// The file's picture in its default look, in sRGB; nil where it cannot be developed, or the index is
/// not 0.
public func CGImageSourceCreateImageAtIndex(
  _ source: CGImageSource, _ index: Int, _ options: CFDictionary?
) -> CGImage? {
  guard index == 0 else { return nil }
  var filter = source.filter
  filter.sampleFormat = .uint8
  return (try? filter.outputImage()).map(CGImage.init)
}
