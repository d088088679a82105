import MediaCore

@testable import ProRes

extension PixelBuffer {
  /// The words of each plane, row by row, without the padding of rows.
  var words: [[UInt16]] {
    (0..<planeCount).map { plane in
      let columns = format.minimumBytesPerRow(plane: plane, width: width) / 2
      let rows = format.rows(plane: plane, height: height)
      return withUnsafeBytes(ofPlane: plane) { bytes in
        [UInt16](unsafeUninitializedCapacity: columns * rows) { words, count in
          let stride = bytesPerRow(plane: plane)
          for row in 0..<rows {
            UnsafeMutableRawBufferPointer(
              rebasing: UnsafeMutableRawBufferPointer(words)[(row * columns * 2)...]
            )
            .copyMemory(
              from: UnsafeRawBufferPointer(
                rebasing: bytes[row * stride..<row * stride + columns * 2]))
          }
          count = columns * rows
        }
      }
    }
  }
}

/// The difference between two frames.
struct FrameDifference {
  private(set) var most = 0
  private(set) var sum = 0
  private(set) var count = 0
  var mean: Double { Double(sum) / Double(max(count, 1)) }

  init(_ first: [[UInt16]], _ second: [[UInt16]]) {
    guard first.map(\.count) == second.map(\.count) else {
      most = .max
      return
    }
    for (plane, other) in zip(first, second) {
      var index = 0
      while index < plane.count {
        let difference = abs(Int(plane[index]) - Int(other[index]))
        if difference > most { most = difference }
        sum += difference
        index += 1
      }
      count += plane.count
    }
  }
}
