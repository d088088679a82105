extension PhotoMetadata.Orientation {
  /// True where rows of the file are columns of the upright picture, so that its sides change places.
  package var isTransposed: Bool {
    switch self {
    case .leftMirrored, .right, .rightMirrored, .left: true
    case .up, .upMirrored, .down, .downMirrored: false
    }
  }

  /// True where the file's columns count against the side of the upright picture that they lie along.
  package var reversesColumns: Bool {
    switch self {
    case .upMirrored, .down, .rightMirrored, .left: true
    case .up, .downMirrored, .leftMirrored, .right: false
    }
  }

  /// True where the file's rows count against the side of the upright picture that they lie along.
  package var reversesRows: Bool {
    switch self {
    case .down, .downMirrored, .right, .rightMirrored: true
    case .up, .upMirrored, .leftMirrored, .left: false
    }
  }

  /// Where a pixel of the upright picture lies in the file.
  ///
  /// - Parameters:
  ///   - x: The pixel's column in the upright picture.
  ///   - y: Its row there, from the top.
  ///   - width: Pixels in a row of the file.
  ///   - height: Rows of the file.
  package func stored(x: Int, y: Int, width: Int, height: Int) -> (column: Int, row: Int) {
    let (column, row) = isTransposed ? (y, x) : (x, y)
    return (
      reversesColumns ? width - 1 - column : column, reversesRows ? height - 1 - row : row
    )
  }
}
