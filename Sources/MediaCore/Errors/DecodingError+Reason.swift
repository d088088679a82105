extension DecodingError {
  /// What is wrong with a document, in words: the key, where one is known.
  package var reason: String {
    let (context, isMissing): (Context, Bool) =
      switch self {
      case .keyNotFound(let key, let context): (context.appending(key), true)
      case .valueNotFound(_, let context): (context, true)
      case .typeMismatch(_, let context), .dataCorrupted(let context): (context, false)
      @unknown default: (Context(codingPath: [], debugDescription: ""), false)
      }
    let keys = context.codingPath.map { $0.intValue.map(String.init) ?? $0.stringValue }
    guard !keys.isEmpty else { return "it is not JSON of the expected form" }
    return "'\(keys.joined(separator: "."))' is \(isMissing ? "missing" : "invalid")"
  }
}

extension DecodingError.Context {
  fileprivate func appending(_ key: any CodingKey) -> Self {
    Self(codingPath: codingPath + [key], debugDescription: debugDescription)
  }
}
