/// Assigns the samples of a row to groups, each of which is averaged into a sample of a shorter
/// row. Group sizes differ by at most one.
struct SampleGroups: Sendable, Hashable {
  let sourceCount: Int
  let count: Int
  /// The first sample of each group, and the row's end.
  private let starts: [Int]
  /// The group size, if it is the same for all groups.
  private let uniform: Int?

  /// - Parameter count: 1 to `sourceCount`.
  init(of sourceCount: Int, into count: Int) {
    self.sourceCount = sourceCount
    self.count = count
    starts = (0...count).map { $0 * sourceCount / count }
    uniform = sourceCount % count == 0 ? sourceCount / count : nil
  }

  /// The number of samples in a group.
  func size(_ group: Int) -> Int { starts[group + 1] - starts[group] }

  /// Adds the sum of each group of a row to `sums`.
  func add(_ row: UnsafePointer<UInt16>, to sums: UnsafeMutablePointer<UInt32>) {
    switch uniform {
    case 1?: for index in 0..<count { sums[index] &+= UInt32(row[index]) }
    case 2?:
      for index in 0..<count {
        sums[index] &+= UInt32(row[2 &* index]) &+ UInt32(row[2 &* index &+ 1])
      }
    case 4?:
      for index in 0..<count {
        let place = 4 &* index
        // Four 10-bit codes fit into 16 bits.
        sums[index] &+= UInt32(
          row[place] &+ row[place &+ 1] &+ row[place &+ 2] &+ row[place &+ 3])
      }
    default:
      starts.withUnsafeBufferPointer { starts in
        for index in 0..<count {
          var sum: UInt32 = 0
          for place in starts[index]..<starts[index &+ 1] { sum &+= UInt32(row[place]) }
          sums[index] &+= sum
        }
      }
    }
  }

  /// The rounded means of groups summed over `rowCount` rows.
  func means(
    of sums: UnsafeMutablePointer<UInt32>, rowCount: Int,
    into means: UnsafeMutablePointer<UInt16>
  ) {
    if let uniform, (uniform * rowCount).nonzeroBitCount == 1 {
      let shift = UInt32((uniform * rowCount).trailingZeroBitCount)
      let half: UInt32 = shift > 0 ? 1 &<< (shift &- 1) : 0
      for index in 0..<count {
        means[index] = UInt16(truncatingIfNeeded: (sums[index] &+ half) &>> shift)
      }
    } else {
      for index in 0..<count {
        let size = UInt32(size(index) * rowCount)
        means[index] = UInt16(truncatingIfNeeded: (sums[index] &+ size / 2) / size)
      }
    }
  }
}
