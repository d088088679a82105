import ArgumentParser

/// Refuses options that are given twice. The parser would silently use the last one, so that a take would go into
/// one of two libraries that were named.
enum GivenTwice {
  /// The names of one option each.
  private static let options: [[String]] = [["--library", "-L"]]

  /// - Parameter arguments: The command line without the program's name.
  /// - Throws: `ValidationError` for the first option that is there a second time.
  static func check(_ arguments: [String]) throws {
    // A command line that a shell wants completed is not complete yet.
    guard arguments.first?.hasPrefix("---") != true else { return }
    for names in options {
      let values = values(of: names, in: arguments.prefix { $0 != "--" })
      guard values.count > 1 else { continue }
      throw ValidationError(
        "\(names[0]) is given twice, \(values[0]) and \(values[1]); give it once")
    }
  }

  private static func values(of names: [String], in arguments: ArraySlice<String>) -> [String] {
    var values: [String] = []
    var rest = arguments
    while let argument = rest.popFirst() {
      if names.contains(argument) {
        if let value = rest.popFirst() { values.append(value) }
      } else if let name = names.first(where: { argument.hasPrefix($0 + "=") }) {
        values.append(String(argument.dropFirst(name.count + 1)))
      }
    }
    return values
  }
}
