import MediaCore

/// How a file is divided into parts.
///
/// Amazon's limits: 10,000 parts of 5 MiB (the last may be smaller) to 5 GiB.
package struct PartPlan: Sendable, Hashable {
  /// The file size in bytes.
  let size: Int64
  /// The size of each part except the last, in bytes.
  let partSize: Int64

  /// The default part size, in bytes. Smaller files are not sent in parts.
  package static let smallest: Int64 = 16 << 20
  static let mostParts: Int64 = 10_000
  static let largestPart: Int64 = 5 << 30

  /// - Parameter smallest: The minimum size of a part.
  /// - Throws: ``ObjectStorageError/Code/invalidArgument`` for files too large for parts.
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

  /// The number of parts; 1 for a file that is sent in one request.
  package var count: Int { Int(max((size + partSize - 1) / partSize, 1)) }

  package var isMultipart: Bool { size > partSize }

  /// The byte range of a part, counted from 0.
  package func range(_ part: Int) -> Range<Int64> {
    let begin = Int64(part) * partSize
    return begin..<min(begin + partSize, size)
  }
}
