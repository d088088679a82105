/// Where the moving parts lie: in a strip across the middle of the frame, so that what is above
/// and below stays as its pattern has it.
///
/// Stretches begin and end on multiples of twelve pixels, which every layout can store apart.
struct PatternGeometry: Hashable, Sendable {
  let width: Int
  let height: Int

  /// A rectangle of whole stretches.
  struct Area: Hashable, Sendable {
    let x: Int
    let y: Int
    let width: Int
    let height: Int
  }

  private func rows(_ parts: Int) -> Int { max(height * parts / 240 / 4 * 4, 4) }
  private func columns(_ pixels: Int) -> Int { max(pixels / 12 * 12, 12) }

  /// The first row of the moving parts.
  var top: Int { rows(82) }

  /// The cells of the binary frame number.
  var numberStrip: Area {
    let columns = columns(numberCellWidth * PatternFrameNumber.cellCount + 11)
    return Area(x: (width - columns) / 24 * 12, y: top, width: columns, height: rows(8))
  }
  /// Pixels of a cell.
  var numberCellWidth: Int { max(width / 48 / 2 * 2, 2) }

  /// Pixels of a dot of the digits.
  func textScale(isLarge: Bool) -> Int { max(height / (isLarge ? 60 : 135), 1) }

  /// The line of the timecode.
  func timecodeLine(isLarge: Bool) -> Area { line(isLarge: isLarge, y: top + rows(12)) }
  /// The line of the frame counter.
  func counterLine(isLarge: Bool) -> Area {
    line(isLarge: isLarge, y: timecodeLine(isLarge: isLarge).bottom)
  }

  private func line(isLarge: Bool, y: Int) -> Area {
    let scale = textScale(isLarge: isLarge)
    let columns = min(columns(PatternFont.cellWidth * 11 * scale + 11), columns(width))
    let x = isLarge ? width * 10 / 100 : width * 28 / 100
    return Area(
      x: min(x, width - columns) / 12 * 12, y: y, width: columns,
      height: PatternFont.cellHeight * scale)
  }

  /// The field that is white at each flash.
  var flash: Area {
    Area(
      x: width * 76 / 100 / 12 * 12, y: top + rows(12), width: columns(width * 8 / 100),
      height: rows(28))
  }

  /// The way of the marker that passes once a second.
  func track(isLarge: Bool) -> Area {
    Area(
      x: width * 10 / 100 / 12 * 12, y: counterLine(isLarge: isLarge).bottom + rows(4),
      width: columns(width * 80 / 100), height: rows(6))
  }
}

extension PatternGeometry.Area {
  /// The first row below.
  var bottom: Int { y + height }
}
