import Foundation

/// A condition on assets or albums, parsed from the text of a predicate in PhotoKit's fetch options.
///
/// Supported: keys compared by `==` `!=` `<` `<=` `>` `>=` `IN` `BETWEEN` `CONTAINS` `BEGINSWITH` `ENDSWITH`; a bit
/// test, `(key & number) != 0`; `AND`, `OR`, `NOT` and parentheses. Values are numbers, quoted text, `YES`, `NO`, or
/// placeholders such as `%@`, `%d` and `%K`.
indirect enum FetchPredicate {
  case always(Bool)
  case all([FetchPredicate])
  case any([FetchPredicate])
  case not(FetchPredicate)
  case compare(Operand, Relation, Operand)

  indirect enum Operand {
    case key(String)
    case value(Any?)
    case masked(Operand, Int)
  }

  enum Relation: String {
    case equal = "=="
    case unequal = "!="
    case less = "<"
    case lessOrEqual = "<="
    case greater = ">"
    case greaterOrEqual = ">="
    case isIn = "IN"
    case between = "BETWEEN"
    case contains = "CONTAINS"
    case beginsWith = "BEGINSWITH"
    case endsWith = "ENDSWITH"
  }

  /// True if the condition holds for an object, whose values `value` returns by key.
  func holds(_ value: (String) -> Any?) -> Bool {
    switch self {
    case .always(let result): result
    case .all(let parts): parts.allSatisfy { $0.holds(value) }
    case .any(let parts): parts.contains { $0.holds(value) }
    case .not(let part): !part.holds(value)
    case .compare(let left, let relation, let right):
      Self.compare(left.resolved(value), relation, right.resolved(value))
    }
  }

  /// The keys that the condition uses.
  var keys: Set<String> {
    switch self {
    case .always: []
    case .all(let parts), .any(let parts): parts.reduce(into: []) { $0.formUnion($1.keys) }
    case .not(let part): part.keys
    case .compare(let left, _, let right): left.keys.union(right.keys)
    }
  }

  private static func compare(_ left: Any?, _ relation: Relation, _ right: Any?) -> Bool {
    switch relation {
    case .equal: return order(left, right) == .orderedSame
    case .unequal: return order(left, right) != .orderedSame
    case .less: return order(left, right) == .orderedAscending
    case .greater: return order(left, right) == .orderedDescending
    case .lessOrEqual:
      return [.orderedAscending, .orderedSame].contains(order(left, right))
    case .greaterOrEqual:
      return [.orderedDescending, .orderedSame].contains(order(left, right))
    case .isIn:
      return (right as? [Any])?.contains { order(left, $0) == .orderedSame } ?? false
    case .between:
      guard let bounds = right as? [Any], bounds.count == 2 else { return false }
      return compare(left, .greaterOrEqual, bounds[0]) && compare(left, .lessOrEqual, bounds[1])
    case .contains, .beginsWith, .endsWith:
      guard let text = left as? String, let part = right as? String else { return false }
      switch relation {
      case .contains: return text.contains(part)
      case .beginsWith: return text.hasPrefix(part)
      default: return text.hasSuffix(part)
      }
    }
  }

  /// The order of two values; nil if they are of different kinds.
  private static func order(_ left: Any?, _ right: Any?) -> ComparisonResult? {
    guard let left, let right else { return left == nil && right == nil ? .orderedSame : nil }
    if let a = number(left), let b = number(right) { return order(a, b) }
    if let a = left as? Date, let b = right as? Date {
      return order(a.timeIntervalSinceReferenceDate, b.timeIntervalSinceReferenceDate)
    }
    if let a = left as? String, let b = right as? String { return order(a, b) }
    return nil
  }

  private static func order<Value: Comparable>(_ a: Value, _ b: Value) -> ComparisonResult {
    a < b ? .orderedAscending : a > b ? .orderedDescending : .orderedSame
  }

  /// The number of a numeric value, a Boolean, or a case with a numeric raw value.
  static func number(_ value: Any) -> Double? {
    if let flag = value as? Bool { return flag ? 1 : 0 }
    if let whole = value as? any BinaryInteger { return Double(whole) }
    if let real = value as? any BinaryFloatingPoint { return Double(real) }
    if let number = value as? NSNumber { return number.doubleValue }
    if let coded = value as? any RawRepresentable { return number(coded.rawValue) }
    return nil
  }
}

extension FetchPredicate.Operand {
  fileprivate func resolved(_ value: (String) -> Any?) -> Any? {
    switch self {
    case .key(let key): value(key)
    case .value(let value): value
    case .masked(let operand, let mask):
      operand.resolved(value).flatMap { FetchPredicate.number($0) }.flatMap { Int(exactly: $0) }
        .map { $0 & mask }
    }
  }

  fileprivate var keys: Set<String> {
    switch self {
    case .key(let key): [key]
    case .value: []
    case .masked(let operand, _): operand.keys
    }
  }
}
