package import DNG

extension RenderedImage {
  /// A part of the image.
  package func cropped(columns: Range<Int>, rows: Range<Int>) -> RenderedImage {
    arranged(width: columns.count, height: rows.count) { row in
      ((rows.lowerBound + row) * width + columns.lowerBound, 1)
    }
  }

  /// The image turned upright according to a file's orientation.
  package func turned(_ orientation: PhotoMetadata.Orientation) -> RenderedImage {
    let isTransposed = orientation.isTransposed
    let isReversed = isTransposed ? orientation.reversesRows : orientation.reversesColumns
    let step = (isReversed ? -1 : 1) * (isTransposed ? width : 1)
    return arranged(width: isTransposed ? height : width, height: isTransposed ? width : height) {
      row in
      let first = orientation.stored(x: 0, y: row, width: width, height: height)
      return (first.row * width + first.column, step)
    }
  }

  /// Rearranges the image's pixels.
  ///
  /// - Parameter run: Returns this image's pixel that begins a row of the new one, and the distance to the row's
  ///   next pixel.
  private func arranged(
    width: Int, height: Int, _ run: (_ row: Int) -> (first: Int, step: Int)
  ) -> RenderedImage {
    func arrange<Sample>(_ samples: [Sample]) -> [Sample] {
      var arranged: [Sample] = []
      arranged.reserveCapacity(3 * width * height)
      for row in 0..<height {
        let (first, step) = run(row)
        if step == 1 {
          arranged += samples[3 * first..<3 * (first + width)]
          continue
        }
        for column in 0..<width {
          let place = 3 * (first + column * step)
          arranged += samples[place..<place + 3]
        }
      }
      return arranged
    }
    let samples: Samples =
      switch samples {
      case .uint8(let values): .uint8(arrange(values))
      case .uint16(let values): .uint16(arrange(values))
      case .half(let values): .half(arrange(values))
      case .float(let values): .float(arrange(values))
      }
    return RenderedImage(width: width, height: height, samples: samples, colorSpace: colorSpace)
  }
}
