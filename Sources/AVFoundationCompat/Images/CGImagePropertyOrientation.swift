public import DNG
import RawDevelop

/// How a picture is turned: EXIF's numbers 1 to 8.
public enum CGImagePropertyOrientation: UInt32, Sendable, Hashable, CaseIterable {
  /// As it is.
  case up = 1
  /// Mirrored left to right.
  case upMirrored = 2
  /// Turned by 180°.
  case down = 3
  /// Mirrored top to bottom.
  case downMirrored = 4
  /// Mirrored, and turned a quarter counterclockwise.
  case leftMirrored = 5
  /// To be turned a quarter clockwise.
  case right = 6
  /// Mirrored, and turned a quarter clockwise.
  case rightMirrored = 7
  /// To be turned a quarter counterclockwise.
  case left = 8

  /// The package's orientation under Apple's name: both have EXIF's numbers.
  public init(_ orientation: PhotoMetadata.Orientation) {
    self = Self(rawValue: UInt32(orientation.rawValue)) ?? .up
  }

  /// The package's own.
  public var base: PhotoMetadata.Orientation {
    PhotoMetadata.Orientation(rawValue: UInt16(rawValue)) ?? .up
  }
}

extension CGImagePropertyOrientation {
  /// True where width and height change places.
  var isTransposed: Bool { rawValue >= 5 }

  /// Where a pixel of the upright picture is in the stored one.
  ///
  /// - Parameters:
  ///   - column: The pixel's column in the upright picture.
  ///   - row: Its row there, from the top.
  ///   - width: Pixels in a row of the stored picture.
  ///   - height: Rows of the stored picture.
  func source(column: Int, row: Int, width: Int, height: Int) -> (column: Int, row: Int) {
    switch self {
    case .up: (column, row)
    case .upMirrored: (width - 1 - column, row)
    case .down: (width - 1 - column, height - 1 - row)
    case .downMirrored: (column, height - 1 - row)
    case .leftMirrored: (row, column)
    case .right: (row, height - 1 - column)
    case .rightMirrored: (width - 1 - row, height - 1 - column)
    case .left: (width - 1 - row, column)
    }
  }
}

extension RenderedPicture {
  /// The picture turned upright, of which a file says that it lies so.
  func turned(_ orientation: CGImagePropertyOrientation) -> RenderedPicture {
    let columns = orientation.isTransposed ? height : width
    let rows = orientation.isTransposed ? width : height
    func turn<Sample>(_ samples: [Sample]) -> [Sample] {
      var turned: [Sample] = []
      turned.reserveCapacity(samples.count)
      for row in 0..<rows {
        for column in 0..<columns {
          let place = orientation.source(column: column, row: row, width: width, height: height)
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
