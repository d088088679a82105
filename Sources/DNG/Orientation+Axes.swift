extension PhotoMetadata.Orientation {
  /// True if rows in the file are columns of the upright image, which swaps width and height.
  package var isTransposed: Bool {
    switch self {
    case .leftMirrored, .right, .rightMirrored, .left: true
    case .up, .upMirrored, .down, .downMirrored: false
    }
  }

  /// True if the file's columns run opposite to the upright image's axis they lie along.
  package var reversesColumns: Bool {
    switch self {
    case .upMirrored, .down, .rightMirrored, .left: true
    case .up, .downMirrored, .leftMirrored, .right: false
    }
  }

  /// True if the file's rows run opposite to the upright image's axis they lie along.
  package var reversesRows: Bool {
    switch self {
    case .down, .downMirrored, .right, .rightMirrored: true
    case .up, .upMirrored, .leftMirrored, .left: false
    }
  }

  /// The stored position of a pixel of the upright image.
  ///
  /// - Parameters:
  ///   - x: The pixel's column in the upright image.
  ///   - y: The pixel's row in the upright image, from the top.
  ///   - width: The stored width in pixels.
  ///   - height: The stored height in pixels.
  package func stored(x: Int, y: Int, width: Int, height: Int) -> (column: Int, row: Int) {
    let (column, row) = isTransposed ? (y, x) : (x, y)
    return (
      reversesColumns ? width - 1 - column : column, reversesRows ? height - 1 - row : row
    )
  }
}
