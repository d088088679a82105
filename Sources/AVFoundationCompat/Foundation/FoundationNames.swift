// swift-format-ignore-file: AlwaysUseLowerCamelCase

public import Foundation

// Names that Foundation lacks on Linux.

/// A signed integer of the processor's word size.
public typealias NSInteger = Int
/// An unsigned integer of the processor's word size.
public typealias NSUInteger = UInt

extension CGFloat {
  /// The closest representable number.
  public init(truncating number: NSNumber) { self = CGFloat(number.doubleValue) }
}

extension CGPoint {
  /// The coordinates, in Apple's form: `(1.0, 2.0)`.
  public var debugDescription: String { "(\(x), \(y))" }
}

extension CGSize {
  /// Width and height, in Apple's form: `(1.0, 2.0)`.
  public var debugDescription: String { "(\(width), \(height))" }
}

extension CGRect {
  /// Origin and size, in Apple's form: `(0.0, 0.0, 1.0, 2.0)`.
  public var debugDescription: String { "(\(minX), \(minY), \(width), \(height))" }
}

extension URL {
  /// True: there is no sandbox here. File permissions are checked when the file is opened.
  public func startAccessingSecurityScopedResource() -> Bool { true }
  /// Does nothing.
  public func stopAccessingSecurityScopedResource() {}
}
