import MediaCore

/// How a frame is placed in another one of another shape.
struct FrameFit {
  /// The first pixel to copy, and its position in the target. Even, to keep chroma aligned; for v210, columns are
  /// multiples of six.
  struct Places {
    var from = (column: 0, row: 0)
    var to = (column: 0, row: 0)
  }

  /// The size that the frame is scaled to.
  private(set) var size: VideoDimensions
  private(set) var places = Places()
  /// True if it does not cover the target.
  private(set) var leavesMargins = false
  /// True if the scaled frame would exceed 16384 pixels in width or height, or be far larger than both frames, only
  /// to be cropped.
  private(set) var isExcessive = false

  /// - Parameter mode: `kVTScalingMode_…`.
  init(_ source: PixelBuffer.Description, in target: PixelBuffer.Description, _ mode: String) {
    size = VideoDimensions(width: target.width, height: target.height)
    guard mode == kVTScalingMode_Letterbox || mode == kVTScalingMode_Trim else { return }
    // The width of the source at the target's height, relative to the target's width.
    let shape = Self.shape(source) / Self.shape(target)
    let isWider = shape > 1
    let isInside = mode == kVTScalingMode_Letterbox
    // Two of the four cases have the target's width, and two its height.
    if isWider == isInside {
      let height = Self.even(Double(target.height) / shape, besides: target.height)
      size = VideoDimensions(width: target.width, height: height)
    } else {
      let width = Self.even(Double(target.width) * shape, besides: target.width)
      size = VideoDimensions(width: width, height: target.height)
    }
    let largest = max(source.width * source.height, target.width * target.height, 1 << 21)
    isExcessive =
      size.width > 16384 || size.height > 16384 || size.width * size.height > 8 * largest
    // v210 packs groups of six pixels.
    let group = target.format == .v210 ? 6 : 2
    let column = (target.width - size.width) / (2 * group) * group
    let row = (target.height - size.height) / 4 * 2
    places.to = (max(column, 0), max(row, 0))
    places.from = (max(-column, 0), max(-row, 0))
    leavesMargins = size.width < target.width || size.height < target.height
  }

  private static func shape(_ details: PixelBuffer.Description) -> Double {
    let pixel =
      Double(details.pixelAspectRatio.horizontal) / Double(details.pixelAspectRatio.vertical)
    return Double(details.width) * pixel / Double(details.height)
  }

  /// The nearest even number, at least 2; `whole` if it differs from that by less than 2.
  private static func even(_ length: Double, besides whole: Int) -> Int {
    let rounded = Int((min(length, 0x1p20) / 2).rounded()) * 2
    return abs(rounded - whole) < 2 ? whole : max(rounded, 2)
  }
}

extension PixelBuffer {
  /// Copies the part of a frame of the same format that fits.
  func copy(_ other: PixelBuffer, _ places: FrameFit.Places) {
    let columns = min(width - places.to.column, other.width - places.from.column)
    let rows = min(height - places.to.row, other.height - places.from.row)
    guard columns > 0, rows > 0 else { return }
    for plane in 0..<planeCount {
      let (step, otherStep) = (bytesPerRow(plane: plane), other.bytesPerRow(plane: plane))
      let inside = offset(ofColumn: places.to.column, plane)
      let otherInside = offset(ofColumn: places.from.column, plane)
      let to = unsafeAddress(ofPlane: plane) + offset(ofRow: places.to.row, plane) * step + inside
      let from =
        other.unsafeAddress(ofPlane: plane) + offset(ofRow: places.from.row, plane) * otherStep
        + otherInside
      // Rows of a program's memory may be shorter than this package's.
      let count = min(
        format.minimumBytesPerRow(plane: plane, width: columns), step - inside,
        otherStep - otherInside)
      for row in 0..<format.rows(plane: plane, height: rows) {
        (to + row * step).copyMemory(from: from + row * otherStep, byteCount: count)
      }
    }
  }

  /// The number of plane rows before an even row of the frame.
  private func offset(ofRow row: Int, _ plane: Int) -> Int {
    row == 0 ? 0 : format.rows(plane: plane, height: row)
  }

  /// The bytes of a plane's row before a column that ``FrameFit/Places`` permits.
  private func offset(ofColumn column: Int, _ plane: Int) -> Int {
    if format == .v210 { return column / 6 * 16 }
    return column == 0 ? 0 : format.minimumBytesPerRow(plane: plane, width: column)
  }
}
