/// The order of color filters in a Bayer mosaic, named by its first row and then its second.
public enum BayerPattern: String, Sendable, Hashable, CaseIterable, Codable {
  /// Red first, green below.
  case rggb
  /// Green first, blue below it.
  case grbg
  /// Green first, red below it.
  case gbrg
  /// Blue first, green below.
  case bggr

  /// A color of the mosaic.
  public enum Color: UInt8, Sendable, Hashable {
    case red = 0
    case green = 1
    case blue = 2
  }

  /// The color of the pixel at a row and a column.
  public func color(row: Int, column: Int) -> Color {
    cell[(row & 1) * 2 + (column & 1)]
  }

  /// The colors of the cell of two by two pixels, row by row.
  public var cell: [Color] {
    switch self {
    case .rggb: [.red, .green, .green, .blue]
    case .grbg: [.green, .red, .blue, .green]
    case .gbrg: [.green, .blue, .red, .green]
    case .bggr: [.blue, .green, .green, .red]
    }
  }

  /// Where red lies in the cell.
  public var redOffset: (row: Int, column: Int) {
    switch self {
    case .rggb: (0, 0)
    case .grbg: (0, 1)
    case .gbrg: (1, 0)
    case .bggr: (1, 1)
    }
  }

  /// The order that a mosaic has whose first rows and columns are cut off.
  public func shifted(rows: Int, columns: Int) -> BayerPattern {
    let red = redOffset
    return switch ((red.row + rows) & 1, (red.column + columns) & 1) {
    case (0, 0): .rggb
    case (0, 1): .grbg
    case (1, 0): .gbrg
    default: .bggr
    }
  }
}
