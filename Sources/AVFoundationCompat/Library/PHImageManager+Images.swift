import AssetReader
import DNG
public import Foundation
import ImageFiles
import MediaLibrary
import RawDevelop

extension PHImageManager {
  /// The photo, or a video's first frame, as an upright 8-bit image. A RAW photo is rendered in its default look.
  ///
  /// - Parameters:
  ///   - asset: The photo or video.
  ///   - targetSize: In pixels; ``PHImageManagerMaximumSize`` for the original size. Images are never enlarged.
  ///   - contentMode: Whether the image fits into the size, or fills it.
  ///   - options: Which version, and which part.
  ///   - resultHandler: Called before this returns, with a `CGImage` in place of the window system's image; nil, with
  ///     an error under ``PHImageErrorKey``, if it cannot be made.
  @discardableResult
  public func requestImage(
    for asset: PHAsset, targetSize: CGSize, contentMode: PHImageContentMode,
    options: PHImageRequestOptions?,
    resultHandler: (CGImage?, [AnyHashable: Any]?) -> Void
  ) -> PHImageRequestID {
    do throws(PHPhotosError) {
      var image = CGImage(try asset.image(options))
      if let part = options?.normalizedCropRect, part.width > 0, part.height > 0 {
        let (width, height) = (CGFloat(image.width), CGFloat(image.height))
        let area = CGRect(
          x: part.minX * width, y: part.minY * height, width: part.width * width,
          height: part.height * height)
        guard let cropped = image.cropping(to: area) else {
          throw PHPhotosError(.internalError, "\(part) is not a part of the image")
        }
        image = cropped
      }
      Self.report(options?.progressHandler)
      resultHandler(image.scaled(to: targetSize, contentMode), Self.info())
    } catch { resultHandler(nil, Self.info(error)) }
    return PHInvalidImageRequestID
  }
}

extension PHAsset {
  /// The first frame, upright.
  fileprivate func image(
    _ options: PHImageRequestOptions?
  ) throws(PHPhotosError) -> RenderedImage {
    do {
      if let file = photo(options) { return try RenderedImage(photo: file.fileURL) }
      guard let movie else { throw lacking("image") }
      let generator = AVAssetImageGenerator(asset: movie)
      generator.appliesPreferredTrackTransform = true
      return try generator.copyCGImage(at: .zero, actualTime: nil).image
    } catch let error as PHPhotosError {
      throw error
    } catch {
      throw PHPhotosError(.invalidResource, "\(localIdentifier): \(error)")
    }
  }
}

extension RenderedImage {
  fileprivate init(photo url: URL) throws {
    let bytes = [UInt8](try Data(contentsOf: url))
    if var filter = try? RAWFilter(data: bytes) {
      filter.sampleFormat = .uint8
      self = try filter.outputImage()
      return
    }
    // Keeps the file's color space. High dynamic range images and other formats are left to libavcodec.
    if let file = try? ImageFile(bytes), let decoded = try? file.decoded(at: file.primary),
      !decoded.image.samples.format.isFloat
    {
      let turn = UInt16(exactly: file.images[file.primary].orientation)
      self = decoded.image.converted(to: decoded.image.colorSpace, format: .uint8)
        .turned(turn.flatMap(PhotoMetadata.Orientation.init) ?? .up)
      return
    }
    var generator = AssetImageGenerator(path: url.path)
    generator.maximumSide = .max
    let made = try generator.image()
    self = RenderedImage(
      width: made.width, height: made.height, samples: .uint8(made.samples), colorSpace: .sRGB
    ).turned(PhotoMetadata.Orientation(ofFile: bytes))
  }
}

extension CGImage {
  /// The image scaled to fit or fill a size, in its aspect ratio; unchanged if it is not larger.
  fileprivate func scaled(to size: CGSize, _ mode: PHImageContentMode) -> CGImage {
    guard size.width > 0, size.height > 0 else { return self }
    let ratios = [size.width / CGFloat(width), size.height / CGFloat(height)]
    let factor = (mode == .aspectFill ? ratios.max() : ratios.min()) ?? 1
    guard factor < 1 else { return self }
    let (columns, rows) = (
      max(Int((CGFloat(width) * factor).rounded()), 1),
      max(Int((CGFloat(height) * factor).rounded()), 1)
    )
    guard
      let context = CGContext(
        data: nil, width: columns, height: rows, bitsPerComponent: 8, bytesPerRow: 0,
        space: colorSpace ?? CGColorSpaceCreateDeviceRGB(),
        bitmapInfo: CGImageAlphaInfo.none.rawValue)
    else { return self }
    context.draw(
      self, in: CGRect(x: 0, y: 0, width: CGFloat(columns), height: CGFloat(rows)))
    return context.makeImage() ?? self
  }
}
