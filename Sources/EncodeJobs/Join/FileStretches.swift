import QuickTime

/// Verifies checksums of ranges of a file, in one sequential read.
struct FileStretches {
  /// What a checksum covers.
  enum Content: Hashable {
    /// A frame, by its number.
    case frame(Int)
    /// A run of an audio track, by the track's ID.
    case audio(UInt32)
    /// Anything else.
    case other
  }

  /// A range that belongs to a checksum.
  private struct Stretch {
    var range: Range<UInt64>
    /// The checksum's index in `sums`.
    var sum: Int
  }

  private struct Sum {
    let content: Content
    let expected: UInt64
    /// Ranges still to be read.
    var stretchesLeft: Int
  }

  private var stretches: [Stretch] = []
  private var sums: [Sum] = []
  /// Checksums that are in progress.
  private var open: [Int: XXHash64] = [:]
  /// The first stretch that is not read completely.
  private var next = 0
  private var position: UInt64 = 0
  private var between = XXHash64()
  private let fileSize: UInt64

  /// The frames that are passed on complete.
  var framesWanted: Set<Int> = []
  private var frame: [UInt8] = []
  /// The checksum of everything outside the stretches so far.
  var rest: UInt64 { between.digest }
  /// The first content whose checksum was wrong; nil for none so far.
  private(set) var firstDifference: Content?

  init(_ fileSize: UInt64) { self.fileSize = fileSize }

  /// Adds a checksum of contiguous bytes.
  mutating func add(_ range: Range<UInt64>, of content: Content, expecting sum: UInt64) {
    add([range], of: content, expecting: sum)
  }

  /// Adds a checksum of bytes in several ranges.
  mutating func add(_ ranges: [Range<UInt64>], of content: Content, expecting sum: UInt64) {
    for range in ranges { stretches.append(Stretch(range: range, sum: sums.count)) }
    sums.append(Sum(content: content, expected: sum, stretchesLeft: ranges.count))
  }

  /// Sorts the stretches by position; false if two overlap, or one is empty or outside the file.
  mutating func sort() -> Bool {
    stretches.sort { $0.range.lowerBound < $1.range.lowerBound }
    return stretches.allSatisfy { !$0.range.isEmpty && $0.range.upperBound <= fileSize }
      && zip(stretches, stretches.dropFirst()).allSatisfy {
        $0.range.upperBound <= $1.range.lowerBound
      }
  }

  /// Takes the next bytes of the file.
  ///
  /// - Parameter onFrame: Called with each of ``framesWanted`` when it is complete.
  mutating func take(_ bytes: UnsafeRawBufferPointer, onFrame: (Int, [UInt8]) -> Void) {
    let start = position
    let end = start + UInt64(bytes.count)
    func part(to place: UInt64) -> UnsafeRawBufferPointer {
      UnsafeRawBufferPointer(rebasing: bytes[Int(position - start)..<Int(place - start)])
    }
    while next < stretches.count, stretches[next].range.lowerBound < end {
      let stretch = stretches[next]
      if stretch.range.lowerBound > position {
        between.update(part(to: stretch.range.lowerBound))
        position = stretch.range.lowerBound
      }
      let limit = min(stretch.range.upperBound, end)
      update(stretch.sum, part(to: limit))
      position = limit
      guard stretch.range.upperBound <= end else { return }
      next += 1
      close(stretch.sum)
      guard case .frame(let number) = sums[stretch.sum].content, framesWanted.contains(number)
      else { continue }
      onFrame(number, frame)
      frame.removeAll(keepingCapacity: true)
    }
    between.update(part(to: end))
    position = end
  }

  private mutating func update(_ sum: Int, _ bytes: UnsafeRawBufferPointer) {
    open[sum, default: XXHash64()].update(bytes)
    if case .frame(let number) = sums[sum].content, framesWanted.contains(number) {
      frame += bytes
    }
  }

  /// Ends a stretch that is read completely.
  private mutating func close(_ sum: Int) {
    sums[sum].stretchesLeft -= 1
    guard sums[sum].stretchesLeft == 0 else { return }
    let digest = open.removeValue(forKey: sum)?.digest
    if digest != sums[sum].expected {
      firstDifference = firstDifference ?? sums[sum].content
    }
  }
}
