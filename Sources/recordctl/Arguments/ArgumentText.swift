import ArgumentParser

/// Arguments as text. Swift takes other bytes for U+FFFD: a file would not be found, or get another name.
enum ArgumentText {
  /// - Throws: `ValidationError` for the first argument that is not UTF-8.
  static func check(_ arguments: [[UInt8]]) throws {
    // A command line that a shell wants completed is not complete yet.
    guard arguments.first?.starts(with: Array("---".utf8)) != true else { return }
    guard let bytes = arguments.first(where: { String(validating: $0, as: UTF8.self) == nil })
    else { return }
    throw ValidationError(
      "'\(String(decoding: bytes, as: UTF8.self))' is not UTF-8, so the file cannot be found; "
        + "rename it")
  }

  /// The bytes of the arguments behind the command's name.
  static var given: [[UInt8]] {
    (0..<Int(CommandLine.argc)).dropFirst().compactMap { CommandLine.unsafeArgv[$0] }.map { text in
      let bytes = sequence(first: 0) { $0 + 1 }.prefix { text[$0] != 0 }
      return bytes.map { UInt8(bitPattern: text[$0]) }
    }
  }
}
