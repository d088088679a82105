/// Finds the word that was meant where another one was written.
enum NearestWord {
  /// The word that needs the fewest edits; nil where none is near: more than a third of its letters
  /// would have to change.
  static func to(_ word: String, among words: [String]) -> String? {
    let ranked = words.map { (word: $0, edits: edits(Array(word), Array($0))) }
      .filter { $0.edits <= max($0.word.count / 3, 1) }
    return ranked.min { $0.edits < $1.edits }?.word
  }

  /// Letters to insert, leave out or replace, and neighbours to swap, to get from one to the other.
  private static func edits(_ from: [Character], _ to: [Character]) -> Int {
    var rows = [Array(0...to.count)]
    for (index, letter) in from.enumerated() {
      var row = [index + 1]
      for (place, other) in to.enumerated() {
        var least = min(
          rows[index][place] + (letter == other ? 0 : 1), rows[index][place + 1] + 1, row[place] + 1
        )
        if index > 0, place > 0, letter == to[place - 1], from[index - 1] == other {
          least = min(least, rows[index - 1][place - 1] + 1)
        }
        row.append(least)
      }
      rows.append(row)
    }
    return rows.last?.last ?? 0
  }
}
