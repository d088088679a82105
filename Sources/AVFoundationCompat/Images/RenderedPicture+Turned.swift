import DNG
import RawDevelop

extension RenderedPicture {
  /// The picture turned upright, of which a file says that it lies so.
  func turned(_ orientation: PhotoMetadata.Orientation) -> RenderedPicture {
    let columns = orientation.isTransposed ? height : width
    let rows = orientation.isTransposed ? width : height
    func turn<Sample>(_ samples: [Sample]) -> [Sample] {
      var turned: [Sample] = []
      turned.reserveCapacity(samples.count)
      for row in 0..<rows {
        for column in 0..<columns {
          let place = orientation.stored(x: column, y: row, width: width, height: height)
          let first = 3 * (place.row * width + place.column)
          turned.append(contentsOf: samples[first..<first + 3])
        }
      }
      return turned
    }
    let samples: Samples =
      switch samples {
      case .uint8(let values): .uint8(turn(values))
      case .uint16(let values): .uint16(turn(values))
      case .half(let values): .half(turn(values))
      case .float(let values): .float(turn(values))
      }
    return RenderedPicture(
      width: columns, height: rows, samples: samples, colorSpace: colorSpace)
  }
}
