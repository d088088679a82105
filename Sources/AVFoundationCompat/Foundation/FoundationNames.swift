// swift-format-ignore-file: AlwaysUseLowerCamelCase

public import Foundation

// Names of Apple's Foundation that the one of Linux lacks.

/// A whole number of the processor's size.
public typealias NSInteger = Int
/// The same without sign.
public typealias NSUInteger = UInt

extension CGFloat {
  /// The nearest number.
  public init(truncating number: NSNumber) { self = CGFloat(number.doubleValue) }
}

extension CGPoint {
  /// The coordinates, as Apple's: `(1.0, 2.0)`.
  public var debugDescription: String { "(\(x), \(y))" }
}

extension CGSize {
  /// The lengths, as Apple's: `(1.0, 2.0)`.
  public var debugDescription: String { "(\(width), \(height))" }
}

extension CGRect {
  /// The place and the size, as Apple's: `(0.0, 0.0, 1.0, 2.0)`.
  public var debugDescription: String { "(\(minX), \(minY), \(width), \(height))" }
}

extension URL {
  /// True: there is no sandbox that a file would have to be let out of. File permissions decide when it is opened.
  public func startAccessingSecurityScopedResource() -> Bool { true }
  /// Does nothing.
  public func stopAccessingSecurityScopedResource() {}
}
