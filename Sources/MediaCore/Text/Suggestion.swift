/// Finds the name that a mistyped one was probably meant to be.
package enum Suggestion {
  /// Longer words are no typing errors, and comparing them costs the square of their length.
  private static let longestWord = 64

  /// The name nearest to `text`: one that `text` is short for, or one that is a few slips of the
  /// keyboard away. Upper and lower case are alike.
  ///
  /// - Returns: nil where no name is near. Of equals the first.
  package static func nearest(to text: String, in names: some Sequence<String>) -> String? {
    let word = Array(text.lowercased().unicodeScalars)
    guard !word.isEmpty, word.count <= longestWord else { return nil }
    let limit = max(1, word.count / 3)
    var best: (name: String, slips: Int)?
    for name in names where !name.isEmpty && name.unicodeScalars.count <= longestWord {
      let candidate = Array(name.lowercased().unicodeScalars)
      let isShort =
        word.count > 1 && candidate.starts(with: word)
        || word.count > 2 && isAbbreviation(word, of: candidate)
      let slips = distance(word, candidate)
      guard isShort || slips <= limit && slips < min(word.count, candidate.count) else { continue }
      if best.map({ slips < $0.slips }) ?? true { best = (name, slips) }
    }
    return best?.name
  }

  /// ` (did you mean 'hq'?)`, to stand behind an unknown name; empty where no name is near.
  package static func remark(on text: String, among names: some Sequence<String>) -> String {
    nearest(to: text, in: names).map { " (did you mean '\($0)'?)" } ?? ""
  }

  /// `unknown key 'rat' (did you mean 'rate'?); known here: rate, size`.
  package static func unknownKey(_ key: String, among known: [String]) -> String {
    "unknown key '\(key)'\(remark(on: key, among: known)); known here: "
      + known.joined(separator: ", ")
  }

  /// True where a word's letters stand in another one, in their order, from the first letter on.
  private static func isAbbreviation(_ word: [Unicode.Scalar], of name: [Unicode.Scalar]) -> Bool {
    guard word.first == name.first else { return false }
    var rest = word[...]
    for letter in name where letter == rest.first { rest = rest.dropFirst() }
    return rest.isEmpty
  }

  /// Letters added, left out, replaced, or swapped with their neighbor.
  private static func distance(_ a: [Unicode.Scalar], _ b: [Unicode.Scalar]) -> Int {
    var beforeLast: [Int] = []
    var last = Array(0...b.count)
    for i in a.indices {
      var row = [i + 1]
      row.reserveCapacity(b.count + 1)
      for j in b.indices {
        var least = min(last[j + 1] + 1, row[j] + 1, last[j] + (a[i] == b[j] ? 0 : 1))
        if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] {
          least = min(least, beforeLast[j - 1] + 1)
        }
        row.append(least)
      }
      (beforeLast, last) = (last, row)
    }
    return last[b.count]
  }
}
