/// Columns of text, each as wide as its widest cell that another one follows.
struct TextTable {
  private var rows: [[String]] = []
  private let leastWidths: [Int]

  /// - Parameter widths: What columns are wide at the least: for rows that are printed before others
  ///   are known.
  init(widths: [Int] = []) { leastWidths = widths }

  /// Adds a row.
  mutating func add(_ cells: String...) { rows.append(cells.map(\.visible)) }

  /// The rows, two spaces between columns, nothing after the last cell.
  var lines: [String] {
    var widths = leastWidths
    for row in rows {
      for (column, cell) in row.dropLast().enumerated() {
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
    }
  }
}
