/// The kind of a failure: a name that stays the same from version to version.
///
/// Codes are static members and no cases, so that a module may add some without breaking those who
/// tell them apart: a `switch` over them has a `default`.
public protocol ErrorCode: Sendable, Hashable, CustomStringConvertible {
  /// As reports and logs have it: `diskFull`.
  var name: String { get }
}

extension ErrorCode {
  public var description: String { name }
}
