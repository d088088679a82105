public import Foundation
import RawDevelop

extension CIImage {
  /// The image with its edge pixels repeated infinitely, so that a blur keeps the brightness at the edges.
  /// `cropped(to:)` makes it finite again.
  public func clampedToExtent() -> CIImage {
    extent.isInfinite || extent.isNull ? self : CIImage(.clamped(self), extent: .infinite)
  }

  /// A part of the image, with its edge pixels repeated infinitely.
  public func clamped(to rect: CGRect) -> CIImage { cropped(to: rect).clampedToExtent() }

  /// The image with a Gaussian blur, in linear light. It grows by three times sigma on each side and fades to black
  /// there, because images are opaque.
  ///
  /// - Parameter sigma: The standard deviation in pixels: up to 1000, 0 for no change. With other values rendering
  ///   fails.
  public func applyingGaussianBlur(sigma: Double) -> CIImage {
    guard sigma >= 0, sigma <= 1000 else {
      return .failed(.invalidArgument, "a blur must have 0 to 1000 pixels, not \(sigma)")
    }
    // Below that the neighbors' weights are zero.
    guard sigma > 0.01, !extent.isNull else { return self }
    let blur = GaussianBlur(sigma: sigma)
    let reach = CGFloat(blur.reach)
    return CIImage(
      .blurred(self, blur),
      extent: extent.isInfinite ? .infinite : pixels.insetBy(dx: -reach, dy: -reach))
  }

  func lanczosScaled(x: Double, y: Double) -> CIImage {
    guard !extent.isInfinite else {
      return .failed(.invalidArgument, "an infinite image cannot be scaled; crop it first")
    }
    if (x == 1 && y == 1) || extent.isNull { return self }
    let place = pixels.applying(CGAffineTransform(scaleX: x, y: y))
    return CIImage(.scaled(self, x: x, y: y), extent: place.integral)
  }

  /// An image over another one where a mask is bright.
  static func blended(_ image: CIImage, _ background: CIImage, _ mask: CIImage) -> CIImage {
    let seen = image.extent.intersection(mask.extent)
    let extent =
      seen.isInfinite || background.extent.isInfinite
      ? CGRect.infinite : seen.union(background.extent)
    return extent.isNull || extent.isEmpty
      ? .empty() : CIImage(.blended(image, background, mask: mask), extent: extent)
  }

  /// The pixels of a scaled image.
  func scaled(_ image: CIImage, x: Double, y: Double) throws(RawDevelopError) -> RenderedImage {
    let target = pixels
    let size = try Self.size(of: target)
    let source = image.pixels
    let light = try image.rendered(.linearSRGB, .float)
    guard case .float(let samples) = light.samples else { return light }
    let across = LanczosFilter(
      scale: x, offset: target.minX / x - source.minX, from: light.width, to: size.width)
    // Rows count from the top.
    let down = LanczosFilter(
      scale: y, offset: source.maxY - target.maxY / y, from: light.height, to: size.height)
    let narrow = across.filteredRows(samples, rows: light.height)
    let made = down.filteredColumns(narrow, width: size.width)
    return RenderedImage(
      width: size.width, height: size.height, samples: .float(made), colorSpace: .linearSRGB)
  }
}
