import ArgumentParser

/// Options that may be given once, and of which the parser would take the last and say nothing: a take would lie in
/// one library, and be missing in the other that was named.
enum GivenTwice {
  /// The names of one option each.
  private static let options: [[String]] = [["--library", "-L"]]

  /// - Parameter arguments: The command line without the program's name.
  /// - Throws: `ValidationError` for the first option that is there a second time.
  static func check(_ arguments: [String]) throws {
    // What shells ask for completions is not whole yet.
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
