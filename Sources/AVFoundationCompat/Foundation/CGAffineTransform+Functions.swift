// swift-format-ignore-file: AlwaysUseLowerCamelCase

public import Foundation

/// As `translatedBy(x:y:)`.
public func CGAffineTransformTranslate(
  _ t: CGAffineTransform, _ tx: CGFloat, _ ty: CGFloat
) -> CGAffineTransform { t.translatedBy(x: tx, y: ty) }

/// As `scaledBy(x:y:)`.
public func CGAffineTransformScale(
  _ t: CGAffineTransform, _ sx: CGFloat, _ sy: CGFloat
) -> CGAffineTransform { t.scaledBy(x: sx, y: sy) }

/// As `rotated(by:)`: the angle in radians.
public func CGAffineTransformRotate(
  _ t: CGAffineTransform, _ angle: CGFloat
) -> CGAffineTransform { t.rotated(by: angle) }

/// As `concatenating(_:)`: the first is applied before the second.
public func CGAffineTransformConcat(
  _ t1: CGAffineTransform, _ t2: CGAffineTransform
) -> CGAffineTransform { t1.concatenating(t2) }

/// As `inverted()`: the transform itself if it has no inverse.
public func CGAffineTransformInvert(_ t: CGAffineTransform) -> CGAffineTransform { t.inverted() }

/// A translation.
public func CGAffineTransformMakeTranslation(
  _ tx: CGFloat, _ ty: CGFloat
) -> CGAffineTransform { CGAffineTransform(translationX: tx, y: ty) }

/// A scaling.
public func CGAffineTransformMakeScale(
  _ sx: CGFloat, _ sy: CGFloat
) -> CGAffineTransform { CGAffineTransform(scaleX: sx, y: sy) }

/// A rotation by an angle in radians.
public func CGAffineTransformMakeRotation(_ angle: CGFloat) -> CGAffineTransform {
  CGAffineTransform(rotationAngle: angle)
}
