/// The layout of a page as an image, in pixels.
struct ContactSheetLayout {
  /// The gap between thumbnails and around the page.
  static let gap = 16

  /// Photos per row.
  let columns: Int
  /// Rows of photos.
  let rows: Int
  /// The longest side of a thumbnail.
  let side: Int
  /// True if there is a title above the photos.
  let hasTitle: Bool

  /// The size of a caption's dot: small below narrow thumbnails, which would have no room for a date otherwise.
  var dot: Int { side < 240 ? 1 : 2 }
  var lineHeight: Int { (CaptionFont.height + 3) * dot }
  /// The height of the title.
  var head: Int { hasTitle ? lineHeight + Self.gap : 0 }
  /// The size of a photo with its captions and the gap to the next one.
  var cell: (width: Int, height: Int) {
    (width: side + Self.gap, height: side + 3 * lineHeight + Self.gap)
  }
  var width: Int { columns * cell.width + Self.gap }
  var height: Int { head + rows * cell.height + Self.gap }

  ///
  /// - Parameter columns: The most photos per row; at least 1.
  init(count: Int, columns: Int, side: Int, hasTitle: Bool) {
    self.columns = min(max(columns, 1), max(count, 1))
    (self.side, self.hasTitle) = (side, hasTitle)
    rows = (count + self.columns - 1) / self.columns
  }
}
