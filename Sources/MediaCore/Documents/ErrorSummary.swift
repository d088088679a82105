/// An error as JSON documents tell it.
public struct ErrorSummary: Sendable, Hashable, Codable, CustomStringConvertible {
  /// The kind of failure, a name that stays: `diskFull`, `deviceDisconnected`.
  public var code: String
  /// What failed and what to do about it, in one line.
  public var message: String

  public var description: String { message }

  /// A summary of an error's code and message.
  public init(code: String, message: String) {
    self.code = code
    self.message = message
  }

  /// A summary of an error.
  public init(_ error: some CodedError) { self.init(code: error.code.name, message: error.message) }

  private enum CodingKeys: CodingKey { case code, message }

  /// Reads an object, or the bare message that documents of version 1 have.
  ///
  /// - Throws: `DecodingError` for anything else.
  public init(from decoder: any Decoder) throws {
    if let message = try? decoder.singleValueContainer().decode(String.self) {
      self.init(code: "unknown", message: message)
    } else {
      let values = try decoder.container(keyedBy: CodingKeys.self)
      self.init(
        code: try values.decode(String.self, forKey: .code),
        message: try values.decode(String.self, forKey: .message))
    }
  }
}
