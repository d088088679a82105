import MediaCore

/// How a file is cut into parts.
///
/// Amazon's limits: 10,000 parts of 5 MiB (the last may be smaller) to 5 GiB.
package struct PartPlan: Sendable, Hashable {
  /// Bytes.
  let size: Int64
  /// Bytes of each part but the last.
  let partSize: Int64

  /// What is not sent in parts.
  package static let smallest: Int64 = 16 << 20
  static let mostParts: Int64 = 10_000
  static let largestPart: Int64 = 5 << 30

  /// - Parameter smallest: The least that a part has.
  /// - Throws: ``ObjectStorageError/Code/invalidArgument`` for more than parts can hold.
  package init(size: Int64, smallest: Int64 = PartPlan.smallest) throws(ObjectStorageError) {
    var partSize = smallest
    while (size - 1) / partSize >= Self.mostParts, partSize < Self.largestPart {
      partSize = min(partSize * 2, Self.largestPart)
    }
    guard (size - 1) / partSize < Self.mostParts else {
      throw ObjectStorageError(
        .invalidArgument, "\(size) bytes are more than an object can hold; record in segments")
    }
    (self.size, self.partSize) = (size, partSize)
  }

  /// Parts that there are; 1 for a file that is sent in one request.
  package var count: Int { Int(max((size + partSize - 1) / partSize, 1)) }

  package var isMultipart: Bool { size > partSize }

  /// The bytes of a part, from 0 on.
  package func range(_ part: Int) -> Range<Int64> {
    let begin = Int64(part) * partSize
    return begin..<min(begin + partSize, size)
  }
}
