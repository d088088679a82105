// swift-format-ignore-file: AlwaysUseLowerCamelCase

public import Foundation

/// An affine transform of the plane: `x' = ax + cy + tx`, `y' = bx + dy + ty`.
public struct CGAffineTransform: Sendable, Hashable {
  public var a: CGFloat
  public var b: CGFloat
  public var c: CGFloat
  public var d: CGFloat
  public var tx: CGFloat
  public var ty: CGFloat

  /// The identity transform.
  public static let identity = CGAffineTransform()

  /// The identity transform.
  public init() { self.init(a: 1, b: 0, c: 0, d: 1, tx: 0, ty: 0) }

  /// A transform with the given coefficients.
  public init(a: CGFloat, b: CGFloat, c: CGFloat, d: CGFloat, tx: CGFloat, ty: CGFloat) {
    self.a = a
    self.b = b
    self.c = c
    self.d = d
    self.tx = tx
    self.ty = ty
  }

  /// A rotation, in radians.
  public init(rotationAngle angle: CGFloat) {
    let (sine, cosine) = (sin(Double(angle)), cos(Double(angle)))
    self.init(
      a: CGFloat(cosine), b: CGFloat(sine), c: CGFloat(-sine), d: CGFloat(cosine), tx: 0, ty: 0)
  }

  /// A scaling.
  public init(scaleX sx: CGFloat, y sy: CGFloat) {
    self.init(a: sx, b: 0, c: 0, d: sy, tx: 0, ty: 0)
  }

  /// A translation.
  public init(translationX tx: CGFloat, y ty: CGFloat) {
    self.init(a: 1, b: 0, c: 0, d: 1, tx: tx, ty: ty)
  }

  /// True for the identity transform.
  public var isIdentity: Bool { self == .identity }

  /// This transform followed by another one.
  public func concatenating(_ t2: CGAffineTransform) -> CGAffineTransform {
    CGAffineTransform(
      a: a * t2.a + b * t2.c, b: a * t2.b + b * t2.d, c: c * t2.a + d * t2.c,
      d: c * t2.b + d * t2.d, tx: tx * t2.a + ty * t2.c + t2.tx, ty: tx * t2.b + ty * t2.d + t2.ty)
  }

  /// A rotation followed by this transform.
  public func rotated(by angle: CGFloat) -> CGAffineTransform {
    CGAffineTransform(rotationAngle: angle).concatenating(self)
  }

  /// A scaling followed by this transform.
  public func scaledBy(x sx: CGFloat, y sy: CGFloat) -> CGAffineTransform {
    CGAffineTransform(scaleX: sx, y: sy).concatenating(self)
  }

  /// A translation followed by this transform.
  public func translatedBy(x tx: CGFloat, y ty: CGFloat) -> CGAffineTransform {
    CGAffineTransform(translationX: tx, y: ty).concatenating(self)
  }

  /// The inverse transform; the transform itself if it has no inverse.
  public func inverted() -> CGAffineTransform {
    let size = a * d - b * c
    guard size != 0 else { return self }
    return CGAffineTransform(
      a: d / size, b: -b / size, c: -c / size, d: a / size, tx: (c * ty - d * tx) / size,
      ty: (b * tx - a * ty) / size)
  }

  /// The number of clockwise quarter turns on a screen; nil if the transform does anything else. Translations are
  /// ignored.
  var quarterTurns: Int? {
    guard let turn = RightAngleTransform(self) else { return nil }
    return [
      .identity, RightAngleTransform(a: 0, b: 1, c: -1, d: 0),
      RightAngleTransform(a: -1, b: 0, c: 0, d: -1), RightAngleTransform(a: 0, b: -1, c: 1, d: 0),
    ].firstIndex(of: turn)
  }
}

/// The identity transform.
public let CGAffineTransformIdentity = CGAffineTransform.identity

extension CGPoint {
  /// The transformed point.
  public func applying(_ t: CGAffineTransform) -> CGPoint {
    CGPoint(x: t.a * x + t.c * y + t.tx, y: t.b * x + t.d * y + t.ty)
  }
}

extension CGRect {
  /// The bounding box of the transformed rectangle.
  public func applying(_ t: CGAffineTransform) -> CGRect {
    let corners = [
      CGPoint(x: minX, y: minY), CGPoint(x: maxX, y: minY), CGPoint(x: minX, y: maxY),
      CGPoint(x: maxX, y: maxY),
    ].map { $0.applying(t) }
    let (x, y) = (corners.map(\.x), corners.map(\.y))
    guard let left = x.min(), let right = x.max(), let bottom = y.min(), let top = y.max() else {
      return self
    }
    return CGRect(x: left, y: bottom, width: right - left, height: top - bottom)
  }
  /// True for the same rectangle.
  public func equalTo(_ rect2: CGRect) -> Bool { self == rect2 }
}

extension CGPoint {
  /// True for the same point.
  public func equalTo(_ point2: CGPoint) -> Bool { self == point2 }
}

/// The largest rectangle with an aspect ratio that fits centered in another one.
public func AVMakeRect(aspectRatio: CGSize, insideRect boundingRect: CGRect) -> CGRect {
  guard aspectRatio.width > 0, aspectRatio.height > 0 else { return boundingRect }
  let scale = min(
    boundingRect.width / aspectRatio.width, boundingRect.height / aspectRatio.height)
  let (width, height) = (aspectRatio.width * scale, aspectRatio.height * scale)
  return CGRect(
    x: boundingRect.midX - width / 2, y: boundingRect.midY - height / 2, width: width,
    height: height)
}

extension CGSize {
  /// True for the same size.
  public func equalTo(_ size2: CGSize) -> Bool { self == size2 }
  /// The transformed size.
  public func applying(_ t: CGAffineTransform) -> CGSize {
    CGSize(width: t.a * width + t.c * height, height: t.b * width + t.d * height)
  }
}

/// Runs a function. There are no autorelease pools here.
public func autoreleasepool<Result, Failure: Error>(
  invoking body: () throws(Failure) -> Result
) throws(Failure) -> Result {
  try body()
}
