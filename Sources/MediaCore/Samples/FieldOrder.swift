/// Whether a frame is one picture or two fields, and which field is the earlier one.
public enum FieldOrder: UInt8, Sendable, CaseIterable {
  /// One picture.
  case progressive = 0
  /// Two fields; the one with the top line was shot first.
  case topFieldFirst = 1
  /// Two fields; the one with the second line was shot first.
  case bottomFieldFirst = 2

  /// True for two fields.
  public var isInterlaced: Bool { self != .progressive }
}
