import MediaCore

extension CaptureError {
  /// The error of an option in an identifier that a device does not take.
  ///
  /// - Parameters:
  ///   - part: The option as it was written: `drop=2`.
  ///   - device: What does not take it: `the pattern device`.
  ///   - forms: What it takes, each with its key: `drop=CHANCE`.
  static func option(
    _ part: some StringProtocol, of device: String, forms: [String]
  ) -> CaptureError {
    func key(_ text: String) -> String { String(text.prefix { $0 != "=" }) }
    let wanted = key(String(part))
    let own = forms.filter { key($0) == wanted }
    guard own.isEmpty else {
      return CaptureError(
        .invalidArgument,
        "invalid value in '\(part)' of \(device); write \(own.joined(separator: " or "))")
    }
    return CaptureError(
      .invalidArgument,
      "unknown option '\(part)' of \(device)"
        + Suggestion.remark(on: wanted, among: forms.map(key))
        + "; choose from \(forms.joined(separator: ", "))")
  }
}
