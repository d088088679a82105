import QuickTime

/// Stretches of a file with checksums of their own, taken while the file is read once from its
/// beginning to its end.
struct FileStretches {
  /// What a checksum is of.
  enum Content: Hashable {
    /// A frame, by its number.
    case frame(Int)
    /// A run of a track of sound, by the track's number.
    case sound(UInt32)
    /// What is neither.
    case other
  }

  /// A stretch that belongs to a checksum.
  private struct Stretch {
    var range: Range<UInt64>
    /// The checksum's place in `sums`.
    var sum: Int
  }

  private struct Sum {
    let content: Content
    let expected: UInt64
    /// Stretches that are still to come.
    var stretchesLeft: Int
  }

  private var stretches: [Stretch] = []
  private var sums: [Sum] = []
  /// Checksums that are begun and not complete.
  private var open: [Int: XXHash64] = [:]
  /// The first stretch that is not read through.
  private var next = 0
  private var position: UInt64 = 0
  private var between = XXHash64()
  private let fileSize: UInt64

  /// Frames that are handed over whole.
  var framesWanted: Set<Int> = []
  private var frame: [UInt8] = []
  /// The checksum of all that belongs to no stretch, as far as the file was taken.
  var rest: UInt64 { between.digest }
  /// What first was not as expected; nil for nothing so far.
  private(set) var firstDifference: Content?

  init(_ fileSize: UInt64) { self.fileSize = fileSize }

  /// Adds a checksum of bytes that lie together.
  mutating func add(_ range: Range<UInt64>, of content: Content, expecting sum: UInt64) {
    add([range], of: content, expecting: sum)
  }

  /// Adds a checksum of bytes that lie in several places.
  mutating func add(_ ranges: [Range<UInt64>], of content: Content, expecting sum: UInt64) {
    for range in ranges { stretches.append(Stretch(range: range, sum: sums.count)) }
    sums.append(Sum(content: content, expected: sum, stretchesLeft: ranges.count))
  }

  /// Brings the stretches into the file's order; false where two share bytes, one is empty or lies
  /// outside the file.
  mutating func sort() -> Bool {
    stretches.sort { $0.range.lowerBound < $1.range.lowerBound }
    return stretches.allSatisfy { !$0.range.isEmpty && $0.range.upperBound <= fileSize }
      && zip(stretches, stretches.dropFirst()).allSatisfy {
        $0.range.upperBound <= $1.range.lowerBound
      }
  }

  /// Takes the next bytes of the file.
  ///
  /// - Parameter onFrame: Given each of ``framesWanted`` when it is complete.
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

  /// A stretch is read through.
  private mutating func close(_ sum: Int) {
    sums[sum].stretchesLeft -= 1
    guard sums[sum].stretchesLeft == 0 else { return }
    let digest = open.removeValue(forKey: sum)?.digest
    if digest != sums[sum].expected {
      firstDifference = firstDifference ?? sums[sum].content
    }
  }
}
