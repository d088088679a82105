/// Command lines in which an option's value may be a negative number.
enum NegativeValues {
  /// The arguments with `--duration -5s` as `--duration=-5s`: no option's name begins with a digit, so
  /// that what follows an option and looks like a negative number is its value.
  static func joined(_ arguments: [String]) -> [String] {
    // Requests for completions have another form.
    guard arguments.first?.hasPrefix("---") != true else { return arguments }
    var joined: [String] = []
    for (index, argument) in arguments.enumerated() {
      if argument == "--" { return joined + arguments[index...] }
      if isNegativeNumber(argument), let option = joined.last, option.hasPrefix("--"),
        !option.contains("=")
      {
        joined[joined.count - 1] = "\(option)=\(argument)"
      } else {
        joined.append(argument)
      }
    }
    return joined
  }

  private static func isNegativeNumber(_ argument: String) -> Bool {
    guard argument.hasPrefix("-") else { return false }
    let next = argument.dropFirst().drop { $0 == "." }.first
    return next.map { $0.isASCII && $0.isNumber } ?? false
  }
}
