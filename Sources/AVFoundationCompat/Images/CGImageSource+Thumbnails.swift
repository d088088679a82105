// swift-format-ignore-file: AlwaysUseLowerCamelCase

import DNG
import Foundation
import PictureFiles
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

/// The thumbnail in the file (of a DNG file its largest preview), or its picture made small where the options ask for that.
///
/// - Returns: Nil if there is none, it is damaged, or there is no picture of the index: the source's `error` has the
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
      file.pictures.indices.contains(index) ? isrc.thumbnail(file, index, request) : nil
    }
  return made?.within(request.side)
}

/// What a thumbnail is to be.
private struct ThumbnailRequest {
  let isAlwaysMade: Bool
  let isMadeIfAbsent: Bool
  let isTurned: Bool
  /// The most pixels of its longer side.
  let side: Double
}

extension CGImageSource {
  fileprivate func thumbnail(_ negative: Negative, _ request: ThumbnailRequest) -> CGImage? {
    made { () throws(RawDevelopError) in
      if !request.isAlwaysMade {
        let preview = try negative.filter.previewPicture()
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
    _ file: PictureFile, _ index: Int, _ request: ThumbnailRequest
  ) -> CGImage? {
    var small: CGImage?
    if !request.isAlwaysMade {
      small = made { () throws(PictureFileError) in
        try file.thumbnail(at: index).map { CGImage($0.picture, opacity: $0.opacity) }
      }
      guard small != nil || request.isMadeIfAbsent else { return nil }
    }
    let enough = request.side < 1e6 ? Int(request.side) : nil
    guard let image = small ?? image(at: index, side: enough) else { return nil }
    let turn =
      UInt16(exactly: file.pictures[index].orientation)
      .flatMap(PhotoMetadata.Orientation.init) ?? .up
    return request.isTurned ? image.within(request.side).turned(turn) : image
  }
}
