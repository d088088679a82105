public import Foundation
import RawDevelop

extension CIImage {
  /// The picture with the pixels at its edges repeated beyond them, without end: what is blurred then stays as bright
  /// at its edges. `cropped(to:)` gives it a size again.
  public func clampedToExtent() -> CIImage {
    extent.isInfinite || extent.isNull ? self : CIImage(.clamped(self), extent: .infinite)
  }

  /// A part of the picture, its edges repeated without end.
  public func clamped(to rect: CGRect) -> CIImage { cropped(to: rect).clampedToExtent() }

  /// The picture blurred by a Gaussian curve, in linear light. It becomes larger by three times sigma on each side,
  /// and runs into black there: pictures are opaque.
  ///
  /// - Parameter sigma: The curve's standard deviation in pixels: up to 1000, 0 for no change. Others are refused
  ///   when the picture is rendered.
  public func applyingGaussianBlur(sigma: Double) -> CIImage {
    guard sigma >= 0, sigma <= 1000 else {
      return .failed(.invalidArgument, "a picture is blurred by 0 to 1000 pixels, not \(sigma)")
    }
    // Below that the neighbors' weights are nothing.
    guard sigma > 0.01, !extent.isNull else { return self }
    let blur = GaussianBlur(sigma: sigma)
    let reach = CGFloat(blur.reach)
    return CIImage(
      .blurred(self, blur),
      extent: extent.isInfinite ? .infinite : pixels.insetBy(dx: -reach, dy: -reach))
  }

  func lanczosScaled(x: Double, y: Double) -> CIImage {
    guard !extent.isInfinite else {
      return .failed(.invalidArgument, "an image without end is not scaled; crop it first")
    }
    if (x == 1 && y == 1) || extent.isNull { return self }
    let place = pixels.applying(CGAffineTransform(scaleX: x, y: y))
    return CIImage(.scaled(self, x: x, y: y), extent: place.integral)
  }

  /// A picture on another one, where a mask is bright.
  static func blended(_ image: CIImage, _ background: CIImage, _ mask: CIImage) -> CIImage {
    let seen = image.extent.intersection(mask.extent)
    let extent =
      seen.isInfinite || background.extent.isInfinite
      ? CGRect.infinite : seen.union(background.extent)
    return extent.isNull || extent.isEmpty
      ? .empty() : CIImage(.blended(image, background, mask: mask), extent: extent)
  }

  /// The pixels of a picture that is scaled.
  func scaled(_ image: CIImage, x: Double, y: Double) throws(RawDevelopError) -> RenderedPicture {
    let target = pixels
    let size = try Self.size(of: target)
    let source = image.pixels
    let light = try image.rendered(.linearSRGB, .float)
    guard case .float(let samples) = light.samples else { return light }
    let across = LanczosFilter(
      scale: x, offset: target.minX / x - source.minX, from: light.width, to: size.width)
    // Rows begin at the top.
    let down = LanczosFilter(
      scale: y, offset: source.maxY - target.maxY / y, from: light.height, to: size.height)
    let narrow = across.filteredRows(samples, rows: light.height)
    let made = down.filteredColumns(narrow, width: size.width)
    return RenderedPicture(
      width: size.width, height: size.height, samples: .float(made), colorSpace: .linearSRGB)
  }
}
