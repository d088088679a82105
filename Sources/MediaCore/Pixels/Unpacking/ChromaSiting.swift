/// The position of a chroma sample that two pixels of a row, or four of two rows, share.
///
/// ProRes and SDI put it on the first of two pixels, which is ``left`` within a row. A source that does not say
/// is taken for ``left``, as players do.
public enum ChromaSiting: String, Sendable, Hashable, Codable, CaseIterable {
  /// On the first column, midway between the rows: MPEG-2, H.264 and most devices.
  case left
  /// Midway between the columns and between the rows: MPEG-1 and JPEG.
  case center
  /// On the first column and the upper row: BT.2020 and BT.2100, DV of 625 lines.
  case topLeft
  /// Midway between the columns, on the upper row.
  case top
  /// On the first column and the lower row.
  case bottomLeft
  /// Midway between the columns, on the lower row.
  case bottom

  /// True midway between the columns.
  public var isBetweenColumns: Bool {
    switch self {
    case .left, .topLeft, .bottomLeft: false
    case .center, .top, .bottom: true
    }
  }

  /// Where chroma sits between the rows of luma that share it.
  package enum Rows: Sendable, Hashable {
    case upper, between, lower
  }

  /// Where it sits between the rows.
  package var rows: Rows {
    switch self {
    case .left, .center: .between
    case .topLeft, .top: .upper
    case .bottomLeft, .bottom: .lower
    }
  }
}
