public import Foundation
import RawDevelop

/// Counts how often values occur in an area: a picture of one row, a pixel for each bin.
public final class CIAreaHistogram: CIFilter {
  /// The picture.
  public var inputImage: CIImage?
  /// The area; the whole picture's extent where it is infinite or null.
  public var extent = CGRect.infinite
  /// What the sum of a color's bins comes to; 1.
  public var scale: Float = 1
  /// Bins of a color: 1 to 2048; 64.
  public var count = 64

  init() { super.init(raw: nil) }

  override class var inputs: [CIFilterInput] {
    [
      .image(\CIAreaHistogram.inputImage),
      .rectangle(\CIAreaHistogram.extent, kCIInputExtentKey),
      .number(\CIAreaHistogram.scale, kCIInputScaleKey),
      .integer(\CIAreaHistogram.count, "inputCount"),
    ]
  }

  /// Shares of each color's samples, in linear light of BT.2020's primaries for a RAW picture, in
  /// that of sRGB's for what a filter for colors makes, and as they are for another; nil without a picture, or where it cannot be rendered.
  public override var outputImage: CIImage? {
    guard let inputImage else { return nil }
    let space: PictureColorSpace? =
      switch inputImage.content {
      case .raw: .linearRec2020
      case .changed: .linearSRGB
      default: nil
      }
    guard let whole = try? inputImage.rendered(space, .float) else { return nil }
    let area = extent.isInfinite || extent.isNull ? inputImage.extent : extent
    let origin = inputImage.pixels.origin
    guard let picture = whole.part(area.offsetBy(dx: -origin.x, dy: -origin.y)) else { return nil }
    let bins = picture.histogram(bins: min(max(count, 1), 2048))
    let total = Float(picture.width * picture.height)
    let samples = (0..<bins.binCount).flatMap { bin in
      bins.counts.map { scale * Float($0[bin]) / total }
    }
    return CIImage(
      RenderedPicture(
        width: bins.binCount, height: 1, samples: .float(samples), colorSpace: .linearRec2020))
  }
}
