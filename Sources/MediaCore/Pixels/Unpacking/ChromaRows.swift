/// Which chroma rows of a 4:2:0 frame a row of luma lies between.
struct ChromaRows: Hashable {
  /// The row that counts for more.
  let near: Int
  /// The other one.
  let far: Int
  /// Eighths that the near row counts for.
  let nearWeight: UInt32

  /// The rows for luma row `row`.
  ///
  /// In a frame of two fields the chroma rows alternate between the fields as those of luma do. Midway
  /// between the rows is then a quarter (top field) or three quarters (bottom field) of a field row
  /// below the first of their two luma rows (ISO/IEC 13818-2, 6.1.1.8); the upper and the lower row
  /// are those of the field.
  init(forRow row: Int, of rows: Int, siting: ChromaSiting, isInterlaced: Bool) {
    guard isInterlaced, rows > 1 else {
      let (near, other) = Self.neighbors(row)
      let weight: UInt32 =
        switch siting.rows {
        case .between: 6
        case .upper: row % 2 == 0 ? 8 : 4
        case .lower: row % 2 == 0 ? 4 : 8
        }
      self.init(near: near, far: min(max(other, 0), rows - 1), nearWeight: weight)
      return
    }
    let field = row % 2
    let fieldRow = row / 2
    let fieldRows = (rows + 1 - field) / 2
    let (near, other) = Self.neighbors(fieldRow)
    let isFirst = fieldRow % 2 == 0
    let weight: UInt32 =
      switch siting.rows {
      case .between: isFirst == (field == 0) ? 7 : 5
      case .upper: isFirst ? 8 : 4
      case .lower: isFirst ? 4 : 8
      }
    self.init(
      near: min(near, fieldRows - 1) * 2 + field,
      far: min(max(other, 0), fieldRows - 1) * 2 + field, nearWeight: weight)
  }

  private init(near: Int, far: Int, nearWeight: UInt32) {
    self.near = near
    self.far = far
    self.nearWeight = nearWeight
  }

  private static func neighbors(_ row: Int) -> (near: Int, other: Int) {
    (row / 2, row % 2 == 0 ? row / 2 - 1 : row / 2 + 1)
  }
}
