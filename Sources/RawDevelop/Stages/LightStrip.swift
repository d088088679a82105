/// Some rows of a picture's light, all colors of them.
struct LightStrip: Sendable {
  let planes: LightPlanes
  /// The picture's row that the planes begin with.
  let first: Int
  /// Rows of the whole picture.
  let pictureHeight: Int

  /// The row after the last one that the planes have.
  var end: Int { first + planes.height }

  /// Where the planes have a row of the picture; beyond the picture, the nearest of its rows.
  func index(ofRow row: Int) -> Int { min(max(row, 0), pictureHeight - 1) - first }
}

/// Makes light in strips, from the top of the picture down: what is wanted by tiles that look over
/// their edges needs no memory for all colors of the whole picture.
struct LightStripSource: Sendable {
  let source: LightSource
  /// Makes colors of a mosaic; nil for a source that has them.
  let demosaicker: Demosaicker?

  private var height: Int { source.height }

  /// A strip with all of some rows that lie in the picture.
  ///
  /// - Parameter previous: The strip above, whose rows are taken over.
  func strip(of rows: Range<Int>, after previous: LightStrip?) -> LightStrip {
    if case .planes(let planes) = source {
      return LightStrip(planes: planes, first: 0, pictureHeight: height)
    }
    // Whole rows of tiles.
    let side = demosaicker == nil ? 1 : Demosaicker.side
    let inside = rows.clamped(to: 0..<height)
    let first = inside.lowerBound / side * side
    let end = min((inside.upperBound + side - 1) / side * side, height)
    let strip = LightStrip(
      planes: LightPlanes(width: source.width, height: end - first, count: count), first: first,
      pictureHeight: height)
    var made = first
    if let previous, previous.end > first {
      made = min(previous.end, end)
      copy(first..<made, from: previous, to: strip)
    }
    fill(strip, made..<end)
    return strip
  }

  /// Planes of its strips.
  var count: Int {
    switch source {
    case .stored(let linearization): linearization.components
    case .planes(let planes): planes.count
    case .mosaic: 3
    }
  }

  private func copy(_ rows: Range<Int>, from source: LightStrip, to target: LightStrip) {
    let width = target.planes.width
    for plane in 0..<target.planes.count {
      (target.planes[plane] + (rows.lowerBound - target.first) * width).update(
        from: source.planes[plane] + (rows.lowerBound - source.first) * width,
        count: rows.count * width)
    }
  }

  private func fill(_ strip: LightStrip, _ rows: Range<Int>) {
    if let demosaicker {
      demosaicker.fill(strip.planes, rows, first: strip.first)
    } else if case .stored(let linearization) = source {
      linearization.fill(strip.planes, rows, first: strip.first)
    }
  }
}
