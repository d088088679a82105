/// Where things lie on the picture of a page, in pixels.
struct ContactSheetLayout {
  /// Pixels between thumbnails and around the page.
  static let gap = 16

  /// Photos in a row.
  let columns: Int
  /// Rows of photos.
  let rows: Int
  /// The longest side of a thumbnail.
  let side: Int
  /// True for a line above the photos.
  let hasTitle: Bool

  /// Pixels of a dot of a caption: small below thumbnails that have no room for a date otherwise.
  var dot: Int { side < 240 ? 1 : 2 }
  var lineHeight: Int { (CaptionFont.height + 3) * dot }
  /// What the title takes.
  var head: Int { hasTitle ? lineHeight + Self.gap : 0 }
  /// A photo with its captions, and the gap to the next one.
  var cell: (width: Int, height: Int) {
    (width: side + Self.gap, height: side + 3 * lineHeight + Self.gap)
  }
  var width: Int { columns * cell.width + Self.gap }
  var height: Int { head + rows * cell.height + Self.gap }

  /// The layout of some photos.
  ///
  /// - Parameter columns: Photos in a row, where there are as many; at least 1.
  init(count: Int, columns: Int, side: Int, hasTitle: Bool) {
    self.columns = min(max(columns, 1), max(count, 1))
    (self.side, self.hasTitle) = (side, hasTitle)
    rows = (count + self.columns - 1) / self.columns
  }
}
