/// Some rows of an image's light, in all colors.
struct LightStrip: Sendable {
  let planes: LightPlanes
  /// The image's row with which the planes begin.
  let first: Int
  /// The height of the whole image.
  let imageHeight: Int

  /// The row after the planes' last one.
  var end: Int { first + planes.height }

  /// The index in the planes of a row of the image; rows outside the image map to the nearest one.
  func index(ofRow row: Int) -> Int { min(max(row, 0), imageHeight - 1) - first }
}

/// Makes light in strips from top to bottom, so that tiles that need rows beyond their edges do not require the
/// whole image with all colors in memory.
struct LightStripSource: Sendable {
  let source: LightSource
  /// Interpolates a mosaic; nil if the source has all colors.
  let demosaicker: Demosaicker?

  private var height: Int { source.height }

  /// A strip that contains all of the given rows that are within the image.
  ///
  /// - Parameter previous: The strip above, whose rows are reused.
  func strip(of rows: Range<Int>, after previous: LightStrip?) -> LightStrip {
    if case .planes(let planes) = source {
      return LightStrip(planes: planes, first: 0, imageHeight: height)
    }
    // Extend to whole rows of tiles.
    let side = demosaicker == nil ? 1 : Demosaicker.side
    let inside = rows.clamped(to: 0..<height)
    let first = inside.lowerBound / side * side
    let end = min((inside.upperBound + side - 1) / side * side, height)
    let strip = LightStrip(
      planes: LightPlanes(width: source.width, height: end - first, count: count), first: first,
      imageHeight: height)
    var made = first
    if let previous, previous.end > first {
      made = min(previous.end, end)
      copy(first..<made, from: previous, to: strip)
    }
    fill(strip, made..<end)
    return strip
  }

  /// The number of planes in its strips.
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
