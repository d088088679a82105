// swift-format-ignore-file: AlwaysUseLowerCamelCase

public import Foundation

/// What an observer receives: the new value, the old value, and an initial call.
public struct NSKeyValueObservingOptions: OptionSet, Sendable {
  public let rawValue: UInt
  public init(rawValue: UInt) { self.rawValue = rawValue }
  /// The value after the change.
  public static let new = Self(rawValue: 1 << 0)
  /// The value before the change.
  public static let old = Self(rawValue: 1 << 1)
  /// An initial call before `observe` returns.
  public static let initial = Self(rawValue: 1 << 2)
  /// A call before the change. Never made here: changes are detected afterwards.
  public static let prior = Self(rawValue: 1 << 3)
}

/// The kind of change.
public enum NSKeyValueChange: UInt, Sendable {
  /// The value changed.
  case setting = 1
  /// Members were inserted. Reported as `setting` here.
  case insertion = 2
  /// Members were removed. Reported as `setting` here.
  case removal = 3
  /// Members were replaced. Reported as `setting` here.
  case replacement = 4
}

/// A change of a property.
public struct NSKeyValueObservedChange<Value> {
  /// Always `setting`.
  public let kind: NSKeyValueChange
  /// The value after the change; nil if the options do not ask for it.
  public let newValue: Value?
  /// The value before the change; nil if the options do not ask for it, and in the first call.
  public let oldValue: Value?
  /// Nil: a change is reported as a whole.
  public var indexes: IndexSet? { nil }
  /// False: see ``NSKeyValueObservingOptions/prior``.
  public var isPrior: Bool { false }
}

/// An observation that continues until it is released or invalidated.
///
/// Unchecked because `NSObject` is not `Sendable`: the only stored property is a `let` of a `Sendable` type.
public final class NSKeyValueObservation: NSObject, @unchecked Sendable {
  private let watch: PropertyWatch

  init(_ watch: PropertyWatch) { self.watch = watch }

  deinit { watch.end() }

  /// Ends the observation: no call begins afterwards.
  public func invalidate() { watch.end() }
}
