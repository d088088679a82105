// swift-format-ignore-file: AlwaysUseLowerCamelCase

import DNG
import Foundation
import RawDevelop

/// Among a source's options: whether a decoded picture is kept. Changes nothing: none is.
public let kCGImageSourceShouldCache: CFString = "kCGImageSourceShouldCache"
/// Among a source's options: whether a picture is decoded when it is made. Changes nothing: it is.
public let kCGImageSourceShouldCacheImmediately: CFString = "kCGImageSourceShouldCacheImmediately"
/// Among a thumbnail's options: the most pixels that its longer side has. None is enlarged.
public let kCGImageSourceThumbnailMaxPixelSize: CFString = "kCGImageSourceThumbnailMaxPixelSize"
/// Among a thumbnail's options: true for one that is made of the file's picture, whatever previews it has.
public let kCGImageSourceCreateThumbnailFromImageAlways: CFString =
  "kCGImageSourceCreateThumbnailFromImageAlways"
/// Among a thumbnail's options: true for one that is made of the file's picture if it has no preview.
public let kCGImageSourceCreateThumbnailFromImageIfAbsent: CFString =
  "kCGImageSourceCreateThumbnailFromImageIfAbsent"
/// Among a thumbnail's options: true for one that is turned as it is to be seen.
public let kCGImageSourceCreateThumbnailWithTransform: CFString =
  "kCGImageSourceCreateThumbnailWithTransform"

/// The file's largest preview, or its picture in its default look where the options ask for that; nil if there is
/// none, it is damaged, or the index is not 0.
public func CGImageSourceCreateThumbnailAtIndex(
  _ source: CGImageSource, _ index: Int, _ options: CFDictionary?
) -> CGImage? {
  guard index == 0 else { return nil }
  func isTrue(_ key: CFString) -> Bool { options?[key] as? Bool == true }
  let isTurned = isTrue(kCGImageSourceCreateThumbnailWithTransform)
  var made: RenderedPicture?
  if !isTrue(kCGImageSourceCreateThumbnailFromImageAlways) {
    do {
      let preview = try source.filter.previewPicture()
      made = isTurned ? preview?.turned(source.filter.properties.orientation) : preview
    } catch { return nil }
    guard made != nil || isTrue(kCGImageSourceCreateThumbnailFromImageIfAbsent) else { return nil }
  }
  if made == nil {
    var filter = source.filter
    filter.sampleFormat = .uint8
    if !isTurned { filter.orientation = .up }
    made = try? filter.outputImage()
  }
  guard let made else { return nil }
  let side = RAWFilter.number(options?[kCGImageSourceThumbnailMaxPixelSize])
  return CGImage(made).within(side.map(Double.init) ?? .infinity)
}

extension CGImage {
  /// The picture in its shape, with a longer side of at most so many pixels.
  func within(_ side: Double) -> CGImage {
    let factor = side / Double(max(width, height))
    guard side >= 1, factor < 1 else { return self }
    func length(_ pixels: Int) -> Int { max(Int((Double(pixels) * factor).rounded()), 1) }
    let (columns, rows) = (length(width), length(height))
    let context = CGContext(
      data: nil, width: columns, height: rows, bitsPerComponent: 8, bytesPerRow: 0,
      space: colorSpace ?? CGColorSpaceCreateDeviceRGB(),
      bitmapInfo: CGImageAlphaInfo.none.rawValue)
    context?.draw(self, in: CGRect(x: 0, y: 0, width: Double(columns), height: Double(rows)))
    return context?.makeImage() ?? self
  }
}
