public import Foundation
import RawDevelop

/// Computes the histogram of an area: an image with one row, one pixel per bin.
public final class CIAreaHistogram: CIFilter {
  public var inputImage: CIImage?
  /// The area; the image's extent if infinite or null.
  public var extent = CGRect.infinite
  /// The sum of the bins of each color; default 1.
  public var scale: Float = 1
  /// The number of bins per color, 1 to 2048; default 64.
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

  /// The share of each color's samples per bin: in linear light with BT.2020 primaries for a RAW image, in linear light
  /// with sRGB primaries for the output of a color filter, and as stored for any other image. Nil without an image or
  /// if it cannot be rendered.
  public override var outputImage: CIImage? {
    guard let inputImage else { return nil }
    let space: ImageColorSpace? =
      switch inputImage.content {
      case .raw: .linearRec2020
      case .changed: .linearSRGB
      default: nil
      }
    guard let whole = try? inputImage.rendered(space, .float) else { return nil }
    let area = extent.isInfinite || extent.isNull ? inputImage.extent : extent
    let origin = inputImage.pixels.origin
    guard let image = whole.part(area.offsetBy(dx: -origin.x, dy: -origin.y)) else { return nil }
    let bins = image.histogram(bins: min(max(count, 1), 2048))
    let total = Float(image.width * image.height)
    let samples = (0..<bins.binCount).flatMap { bin in
      bins.counts.map { scale * Float($0[bin]) / total }
    }
    return CIImage(
      RenderedImage(
        width: bins.binCount, height: 1, samples: .float(samples), colorSpace: .linearRec2020))
  }
}
