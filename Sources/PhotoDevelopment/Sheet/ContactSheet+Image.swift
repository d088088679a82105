public import RawDevelop

extension ContactSheet {
  /// The page's background, which suits dark and bright photos, as an sRGB value.
  private static let paper: UInt8 = 38
  private static let ink: UInt8 = 214
  /// The color in place of a photo that could not be developed.
  private static let blank: UInt8 = 64

  /// The page as an image in 8-bit sRGB.
  ///
  /// - Parameter columns: Photos per row, at least 1.
  public func image(columns: Int) -> RenderedImage {
    let layout = ContactSheetLayout(
      count: tiles.count, columns: columns, side: side, hasTitle: !title.isEmpty)
    let gap = ContactSheetLayout.gap
    var canvas = Canvas(width: layout.width, height: layout.height, value: Self.paper)
    canvas.write(
      title, column: gap, row: gap, width: canvas.width - 2 * gap, Self.ink, layout.dot)
    for (index, tile) in tiles.enumerated() {
      let column = gap + index % layout.columns * layout.cell.width
      let row = gap + layout.head + index / layout.columns * layout.cell.height
      draw(tile, column: column, row: row, layout, on: &canvas)
    }
    return RenderedImage(
      width: canvas.width, height: canvas.height, samples: .uint8(canvas.samples), colorSpace: .sRGB
    )
  }

  /// What a form of the page cannot show: the text in images is ASCII only.
  package func notes(in form: Form) -> [DevelopNote] {
    guard case .image = form else { return [] }
    let texts = [title] + tiles.flatMap { [$0.name] + $0.captions }
    let others = texts.filter { !$0.unicodeScalars.allSatisfy(\.isASCII) }
    guard let first = others.first else { return [] }
    let more = others.count == 1 ? "" : ", and \(others.count - 1) more"
    return [
      DevelopNote(
        .settingsOmitted,
        "an image of the page shows only ASCII, and question marks for other letters; .html shows all: "
          + first + more)
    ]
  }

  private func draw(
    _ tile: Tile, column: Int, row: Int, _ layout: ContactSheetLayout, on canvas: inout Canvas
  ) {
    if let image = tile.thumbnail {
      // Centered in its square.
      canvas.put(
        image, column: column + (side - image.width) / 2,
        row: row + (side - image.height) / 2)
    } else {
      canvas.fill(column: column, row: row, width: side, height: side, Self.blank)
    }
    let lines = [tile.name] + (tile.error == nil ? tile.captions : ["not developed"])
    for (index, line) in lines.prefix(3).enumerated() {
      canvas.write(
        line, column: column, row: row + side + 3 * layout.dot + index * layout.lineHeight,
        width: side, Self.ink, layout.dot)
    }
  }
}

/// Interleaved red, green and blue to draw on; drawing is clipped to its bounds.
private struct Canvas {
  let width: Int
  let height: Int
  var samples: [UInt8]

  init(width: Int, height: Int, value: UInt8) {
    (self.width, self.height) = (width, height)
    samples = [UInt8](repeating: value, count: 3 * width * height)
  }

  mutating func fill(column: Int, row: Int, width: Int, height: Int, _ value: UInt8) {
    for y in max(row, 0)..<max(min(row + height, self.height), max(row, 0)) {
      let start = 3 * (y * self.width + max(column, 0))
      let end = 3 * (y * self.width + min(column + width, self.width))
      for index in start..<max(end, start) { samples[index] = value }
    }
  }

  mutating func put(_ image: RenderedImage, column: Int, row: Int) {
    guard case .uint8(let values) = image.samples, column >= 0, row >= 0,
      column + image.width <= width, row + image.height <= height
    else { return }
    for y in 0..<image.height {
      let (source, target) = (3 * y * image.width, 3 * ((row + y) * width + column))
      samples.replaceSubrange(
        target..<target + 3 * image.width, with: values[source..<source + 3 * image.width])
    }
  }

  /// Writes a line of text; one that is too long ends in dots.
  mutating func write(
    _ text: String, column: Int, row: Int, width: Int, _ value: UInt8, _ dot: Int
  ) {
    let room = max(width / (CaptionFont.advance * dot), 1)
    let line = text.count <= room ? text : String(text.prefix(max(room - 2, 0))) + ".."
    CaptionFont.dots(of: line) { x, y in
      fill(column: column + x * dot, row: row + y * dot, width: dot, height: dot, value)
    }
  }
}
