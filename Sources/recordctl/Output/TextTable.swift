/// Columns of text, each as wide as its widest cell.
struct TextTable {
  private var rows: [[String]] = []

  /// Adds a row.
  mutating func add(_ cells: String...) { rows.append(cells) }

  /// The rows, two spaces between columns, nothing after the last cell.
  var text: String {
    var widths: [Int] = []
    for row in rows {
      for (column, cell) in row.enumerated() {
        if column == widths.count { widths.append(0) }
        widths[column] = max(widths[column], cell.count)
      }
    }
    return rows.map { row in
      var line = ""
      for (column, cell) in row.enumerated() {
        line += cell
        if column + 1 < row.count {
          line += String(repeating: " ", count: widths[column] - cell.count + 2)
        }
      }
      while line.last == " " { line.removeLast() }
      return line
    }.joined(separator: "\n")
  }
}
