// swift-format-ignore-file: AlwaysUseLowerCamelCase

import DNG
import Foundation
import ImageFiles
import RawDevelop

/// Source option: whether to cache decoded images. Has no effect: none are cached.
public let kCGImageSourceShouldCache: CFString = "kCGImageSourceShouldCache"
/// Source option: whether to decode an image on creation. Has no effect: it always is.
public let kCGImageSourceShouldCacheImmediately: CFString = "kCGImageSourceShouldCacheImmediately"
/// Thumbnail option: the maximum number of pixels on the longer side. Images are never enlarged.
public let kCGImageSourceThumbnailMaxPixelSize: CFString = "kCGImageSourceThumbnailMaxPixelSize"
/// Thumbnail option: true to make it from the full image even if the file has a preview.
public let kCGImageSourceCreateThumbnailFromImageAlways: CFString =
  "kCGImageSourceCreateThumbnailFromImageAlways"
/// Thumbnail option: true to make it from the full image if the file has no preview.
public let kCGImageSourceCreateThumbnailFromImageIfAbsent: CFString =
  "kCGImageSourceCreateThumbnailFromImageIfAbsent"
/// Thumbnail option: true to apply the orientation.
public let kCGImageSourceCreateThumbnailWithTransform: CFString =
  "kCGImageSourceCreateThumbnailWithTransform"

/// The file's thumbnail (for a DNG file its largest preview), or the image scaled down if the options request it.
///
/// - Returns: Nil if there is none, it is damaged, or there is no image with the index; the source's `error` gives the
///   reason.
public func CGImageSourceCreateThumbnailAtIndex(
  _ isrc: CGImageSource, _ index: Int, _ options: CFDictionary?
) -> CGImage? {
  func isTrue(_ key: CFString) -> Bool {
    options?[key] as? Bool ?? ((options?[key] as? Int ?? 0) != 0)
  }
  let side = RAWFilter.number(options?[kCGImageSourceThumbnailMaxPixelSize]).map(Double.init)
  let request = ThumbnailRequest(
    isAlwaysMade: isTrue(kCGImageSourceCreateThumbnailFromImageAlways),
    isMadeIfAbsent: isTrue(kCGImageSourceCreateThumbnailFromImageIfAbsent),
    isTurned: isTrue(kCGImageSourceCreateThumbnailWithTransform),
    side: side.map { $0.isFinite && $0 >= 1 ? $0 : .infinity } ?? .infinity)
  let made: CGImage? =
    switch isrc.content {
    case .none: nil
    case .negative(let negative): index == 0 ? isrc.thumbnail(negative, request) : nil
    case .file(let file):
      file.images.indices.contains(index) ? isrc.thumbnail(file, index, request) : nil
    }
  return made?.within(request.side)
}

/// The parameters of a thumbnail.
private struct ThumbnailRequest {
  let isAlwaysMade: Bool
  let isMadeIfAbsent: Bool
  let isTurned: Bool
  /// The maximum number of pixels on the longer side.
  let side: Double
}

extension CGImageSource {
  fileprivate func thumbnail(_ negative: Negative, _ request: ThumbnailRequest) -> CGImage? {
    made { () throws(RawDevelopError) in
      if !request.isAlwaysMade {
        let preview = try negative.filter.decodedPreview()
        let turn = negative.filter.properties.orientation
        if let preview { return CGImage(request.isTurned ? preview.turned(turn) : preview) }
        guard request.isMadeIfAbsent else { return nil }
      }
      var filter = negative.filter
      filter.sampleFormat = .uint8
      if !request.isTurned { filter.orientation = .up }
      return CGImage(try filter.outputImage())
    }
  }

  fileprivate func thumbnail(
    _ file: ImageFile, _ index: Int, _ request: ThumbnailRequest
  ) -> CGImage? {
    var small: CGImage?
    if !request.isAlwaysMade {
      small = made { () throws(ImageFileError) in
        try file.thumbnail(at: index).map { CGImage($0.image, opacity: $0.opacity) }
      }
      guard small != nil || request.isMadeIfAbsent else { return nil }
    }
    let enough = request.side < 1e6 ? Int(request.side) : nil
    guard let image = small ?? image(at: index, side: enough) else { return nil }
    let turn =
      UInt16(exactly: file.images[index].orientation)
      .flatMap(PhotoMetadata.Orientation.init) ?? .up
    return request.isTurned ? image.within(request.side).turned(turn) : image
  }
}
