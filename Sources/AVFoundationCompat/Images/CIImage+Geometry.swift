public import Foundation
import RawDevelop

extension CIImage {
  /// The image within a rectangle, at the same position and rounded out to whole pixels; empty if they do not overlap.
  public func cropped(to rect: CGRect) -> CIImage {
    if case .layers(let layers) = content, rect.isNumeric {
      return .layered(layers.map { $0.cropped(to: rect) })
    }
    if case .failed = content { return self }
    guard rect.isNumeric else {
      return .failed(.invalidArgument, "an image cannot be cropped to \(rect)")
    }
    let part = extent.intersection(rect)
    if part.isInfinite { return self }
    return CIImage(.cropped(self), extent: part.isNull || part.isEmpty ? .null : part.integral)
  }

  /// The extent rounded out to whole pixels: the rendered area.
  var pixels: CGRect { extent.isNull ? extent : extent.integral }

  /// The image scaled, translated, mirrored or rotated by quarter turns, with bilinear interpolation; consecutive
  /// transforms are combined. Rendering fails with an error for any other transform.
  public func transformed(by matrix: CGAffineTransform) -> CIImage {
    switch content {
    case .transformed(let image, let earlier):
      return image.transformed(by: earlier.concatenating(matrix))
    case .layers(let layers): return .layered(layers.map { $0.transformed(by: matrix) })
    case .color, .failed: return self
    default: break
    }
    guard matrix.isFinite else {
      return .failed(.invalidArgument, "an image transform must have finite coefficients")
    }
    let exact = matrix.snapped
    return CIImage(
      .transformed(self, exact),
      extent: extent.isInfinite ? .infinite : extent.applying(exact).snapped)
  }

  /// As ``transformed(by:)``: the option has no effect.
  public func transformed(
    by matrix: CGAffineTransform, highQualityDownsample: Bool
  ) -> CIImage { transformed(by: matrix) }

  /// The coordinate transform of ``oriented(forExifOrientation:)``.
  public func orientationTransform(forExifOrientation orientation: Int32) -> CGAffineTransform {
    let known = UInt32(exactly: orientation).flatMap(CGImagePropertyOrientation.init)
    return orientationTransform(for: known ?? .up)
  }

  /// The coordinate transform of ``oriented(_:)``.
  public func orientationTransform(
    for orientation: CGImagePropertyOrientation
  ) -> CGAffineTransform {
    let (width, height) = (extent.width, extent.height)
    let turn =
      switch orientation {
      case .up: CGAffineTransform.identity
      case .upMirrored: CGAffineTransform(a: -1, b: 0, c: 0, d: 1, tx: width, ty: 0)
      case .down: CGAffineTransform(a: -1, b: 0, c: 0, d: -1, tx: width, ty: height)
      case .downMirrored: CGAffineTransform(a: 1, b: 0, c: 0, d: -1, tx: 0, ty: height)
      case .leftMirrored: CGAffineTransform(a: 0, b: -1, c: -1, d: 0, tx: height, ty: width)
      case .right: CGAffineTransform(a: 0, b: -1, c: 1, d: 0, tx: 0, ty: width)
      case .rightMirrored: CGAffineTransform(a: 0, b: 1, c: 1, d: 0, tx: 0, ty: 0)
      case .left: CGAffineTransform(a: 0, b: 1, c: -1, d: 0, tx: height, ty: 0)
      }
    return CGAffineTransform(translationX: -extent.minX, y: -extent.minY).concatenating(turn)
  }
}

extension CGAffineTransform {
  /// True for a translation by whole pixels.
  var isMoveByPixels: Bool {
    a == 1 && b == 0 && c == 0 && d == 1 && tx == tx.rounded() && ty == ty.rounded()
  }

  fileprivate var isFinite: Bool { [a, b, c, d, tx, ty].allSatisfy(\.isFinite) }

  /// With rounding errors of sines and cosines set to 0.
  fileprivate var snapped: CGAffineTransform {
    let least = 1e-9 * max(abs(a), abs(b), abs(c), abs(d))
    func snap(_ number: CGFloat) -> CGFloat { abs(number) < least ? 0 : number }
    return CGAffineTransform(a: snap(a), b: snap(b), c: snap(c), d: snap(d), tx: tx, ty: ty)
  }
}

extension CGRect {
  /// False if an edge is NaN: intersecting such a rectangle makes Foundation end the program.
  var isNumeric: Bool { ![minX, minY, maxX, maxY].contains { $0.isNaN } }

  /// With nearly integral edges rounded.
  fileprivate var snapped: CGRect {
    func snap(_ number: CGFloat) -> CGFloat {
      abs(number - number.rounded()) < 1e-6 ? number.rounded() : number
    }
    let (left, bottom) = (snap(minX), snap(minY))
    return CGRect(x: left, y: bottom, width: snap(maxX) - left, height: snap(maxY) - bottom)
  }
}

extension RenderedImage {
  /// Transforms an image of floats.
  ///
  /// - Parameters:
  ///   - source: The position of this image.
  ///   - target: The position of the result.
  func transformed(
    _ transform: CGAffineTransform, from source: CGRect, to target: CGRect,
    as format: SampleFormat
  ) throws(RawDevelopError) -> RenderedImage {
    let isUpright = transform.b == 0 && transform.c == 0
    guard isUpright || (transform.a == 0 && transform.d == 0) else {
      throw RawDevelopError(
        .unsupported,
        "an image can only be scaled, translated, mirrored and rotated by quarter turns")
    }
    let area = target.integral
    guard transform.a * transform.d != transform.b * transform.c, area.width >= 1,
      area.height >= 1, area.width * area.height < 0x1p27, case .float(let samples) = samples
    else {
      throw RawDevelopError(.invalidArgument, "an image cannot be transformed to \(target)")
    }
    let back = transform.inverted()
    let (columns, rows) = (Int(area.width), Int(area.height))
    // A row of the source becomes a row or a column of the result.
    let across = (0..<columns).map { column in
      let x = area.minX + CGFloat(column) + 0.5
      return isUpright
        ? Self.neighbors(back.a * x + back.tx - source.minX - 0.5, width)
        : Self.neighbors(source.maxY - back.b * x - back.ty - 0.5, height)
    }
    let down = (0..<rows).map { row in
      let y = area.maxY - CGFloat(row) - 0.5
      return isUpright
        ? Self.neighbors(source.maxY - back.d * y - back.ty - 0.5, height)
        : Self.neighbors(back.c * y + back.tx - source.minX - 0.5, width)
    }
    var made = [Float](repeating: 0, count: 3 * columns * rows)
    for row in 0..<rows {
      for column in 0..<columns {
        let (x, y) = isUpright ? (across[column], down[row]) : (down[row], across[column])
        let (upper, lower) = (3 * y.first * width, 3 * y.second * width)
        let (left, right) = (3 * x.first, 3 * x.second)
        for component in 0..<3 {
          let top =
            samples[upper + left + component] * (1 - x.share)
            + samples[upper + right + component] * x.share
          let bottom =
            samples[lower + left + component] * (1 - x.share)
            + samples[lower + right + component] * x.share
          made[3 * (row * columns + column) + component] = top * (1 - y.share) + bottom * y.share
        }
      }
    }
    return RenderedImage(
      width: columns, height: rows, samples: .float(made), colorSpace: colorSpace
    ).converted(to: colorSpace, format: format)
  }

  /// The pixels on both sides of a position, and the weight of the second one.
  private static func neighbors(
    _ place: CGFloat, _ count: Int
  ) -> (first: Int, second: Int, share: Float) {
    let place = min(max(place, 0), CGFloat(count - 1))
    let first = Int(place)
    return (first, min(first + 1, count - 1), Float(place - CGFloat(first)))
  }
}
