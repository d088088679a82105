/// Whether a frame is progressive or two fields, and which field is earlier.
public enum FieldOrder: UInt8, Sendable, CaseIterable {
  /// No fields: the whole frame is of one instant.
  case progressive = 0
  /// Two fields; the one with the top line was shot first.
  case topFieldFirst = 1
  /// Two fields; the one with the second line was shot first.
  case bottomFieldFirst = 2

  /// True for two fields.
  public var isInterlaced: Bool { self != .progressive }
}

/// The names of field orders: one for programs, one for people, one for presets.
extension FieldOrder: Codable {
  /// The name in JSON.
  public var name: String {
    switch self {
    case .progressive: "progressive"
    case .topFieldFirst: "topFieldFirst"
    case .bottomFieldFirst: "bottomFieldFirst"
    }
  }

  /// The name in reports and messages.
  public var displayName: String {
    switch self {
    case .progressive: "progressive"
    case .topFieldFirst: "interlaced, top field first"
    case .bottomFieldFirst: "interlaced, bottom field first"
    }
  }

  /// The name in presets.
  public var optionName: String {
    switch self {
    case .progressive: "progressive"
    case .topFieldFirst: "top-field-first"
    case .bottomFieldFirst: "bottom-field-first"
    }
  }

  /// Reads a ``name``.
  ///
  /// - Throws: `DecodingError` for an unknown one.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let name = try container.decode(String.self)
    guard let order = Self.allCases.first(where: { $0.name == name }) else {
      throw DecodingError.dataCorruptedError(
        in: container, debugDescription: "unknown field order '\(name)'")
    }
    self = order
  }

  /// Writes the ``name``.
  ///
  /// - Throws: As the encoder.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(name)
  }
}
