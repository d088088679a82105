import DNG
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
  public var bitsPerComponent: Int { picture.samples.format.bitDepth }
  /// Bits of a pixel: of its three samples.
  public var bitsPerPixel: Int { 3 * bitsPerComponent }
  /// Bytes of a row.
  public var bytesPerRow: Int { width * bitsPerPixel / 8 }
  /// None: a pixel is red, green and blue.
  public var alphaInfo: CGImageAlphaInfo { .none }
  /// Without alpha, and with floats where samples are.
  public var bitmapInfo: CGBitmapInfo {
    picture.samples.format.isFloat ? .floatComponents : []
  }
  /// What the samples mean.
  public var colorSpace: CGColorSpace? { CGColorSpace(picture.colorSpace) }

  /// The pixels within a rectangle, whose coordinates begin in the upper left corner; nil where there
  /// are none.
  public func cropping(to rect: CGRect) -> CGImage? {
    // A part's coordinates begin in the lower left corner.
    let whole = rect.integral
    let turned = CGRect(
      x: whole.minX, y: CGFloat(height) - whole.maxY, width: whole.width, height: whole.height)
    return picture.part(turned).map(CGImage.init)
  }
}

/// Where a pixel's alpha is, with Apple's numbers.
public enum CGImageAlphaInfo: UInt32, Sendable, Hashable {
  case none = 0
  case premultipliedLast = 1
  case premultipliedFirst = 2
  case last = 3
  case first = 4
  case noneSkipLast = 5
  case noneSkipFirst = 6
  case alphaOnly = 7
}

/// A DNG file that pictures are taken from.
public final class CGImageSource: Sendable {
  let filter: RAWFilter
  /// The XMP packet in the file; nil if it has none.
  let xmp: [UInt8]?

  fileprivate init?(_ file: () throws(DNGError) -> DNGFile) {
    guard let file = try? file(), let filter = try? RAWFilter(file) else { return nil }
    self.filter = filter
    xmp = file.xmpPacket
  }
}

/// Nil where the file cannot be read, or is no DNG file.
public func CGImageSourceCreateWithURL(_ url: URL, _ options: CFDictionary?) -> CGImageSource? {
  CGImageSource { () throws(DNGError) in try DNGFile(contentsOf: url) }
}

/// Nil for what is no DNG file.
public func CGImageSourceCreateWithData(_ data: Data, _ options: CFDictionary?) -> CGImageSource? {
  CGImageSource { () throws(DNGError) in try DNGFile([UInt8](data)) }
}

/// Pictures of the file apart from previews and masks: one.
public func CGImageSourceGetCount(_ source: CGImageSource) -> Int { 1 }

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
