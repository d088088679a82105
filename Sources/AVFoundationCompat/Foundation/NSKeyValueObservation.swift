// swift-format-ignore-file: AlwaysUseLowerCamelCase

public import Foundation

/// What an observer is told: the value now, the one before, and whether it is told at once.
public struct NSKeyValueObservingOptions: OptionSet, Sendable {
  /// The bits, as Apple's.
  public let rawValue: UInt
  /// Options from their bits.
  public init(rawValue: UInt) { self.rawValue = rawValue }
  /// The value after the change.
  public static let new = Self(rawValue: 1 << 0)
  /// The value before the change.
  public static let old = Self(rawValue: 1 << 1)
  /// A first call at once, before `observe` returns.
  public static let initial = Self(rawValue: 1 << 2)
  /// A call before the change. There is none here: a change is seen when it has happened.
  public static let prior = Self(rawValue: 1 << 3)
}

/// What became of a property.
public enum NSKeyValueChange: UInt, Sendable {
  /// It has another value.
  case setting = 1
  /// Members came. Not told here: it is a setting.
  case insertion = 2
  /// Members went. Not told here: it is a setting.
  case removal = 3
  /// Members were replaced. Not told here: it is a setting.
  case replacement = 4
}

/// A change of a property.
public struct NSKeyValueObservedChange<Value> {
  /// A setting.
  public let kind: NSKeyValueChange
  /// The value after the change; nil where the options do not ask for it.
  public let newValue: Value?
  /// The value before the change; nil where the options do not ask for it, and in the first call.
  public let oldValue: Value?
  /// Nil: a change is told as a whole.
  public var indexes: IndexSet? { nil }
  /// False: see ``NSKeyValueObservingOptions/prior``.
  public var isPrior: Bool { false }
}

/// An observation that goes on for as long as it is kept, until it is invalidated.
///
/// Unchecked: `NSObject` is not `Sendable`, and the one member is.
public final class NSKeyValueObservation: NSObject, @unchecked Sendable {
  private let watch: PropertyWatch

  init(_ watch: PropertyWatch) { self.watch = watch }

  deinit { watch.end() }

  /// Ends the observation: no call begins after it.
  public func invalidate() { watch.end() }
}
