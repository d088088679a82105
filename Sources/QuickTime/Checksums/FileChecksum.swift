/// The checksum of a movie file that is not written in order: the file's size is written into its beginning when it
/// is finished, and a fragment's header before frames that are already on the disk.
///
/// Both places end in a stripe of 32 bytes that belongs to no sample. Its value is chosen to bring xxHash64 into the
/// state that was assumed when the bytes after it were hashed. Each byte is thus hashed once, when it is written, and
/// the result is the checksum of the finished file.
///
/// Likewise, the header and the padding after each frame end in a stripe that resets the hash to its initial state.
/// The checksum of a frame by itself therefore also serves the file: a frame is never hashed twice, and not at
/// all if its checksum is known.
struct FileChecksum {
  /// Of everything up to the last whole fragment.
  private var whole = XXHash64()
  /// The same with the placed frames of the open fragment.
  private var open: XXHash64?
  /// Of what lies in whole fragments and is neither video nor audio: headers, padding, timecodes.
  private var rest = XXHash64()
  /// The padding of the open fragment's placed frames.
  private var padding: [UInt8] = []
  /// As ``whole`` and ``rest`` were before each of the last fragments.
  private var history: [(whole: XXHash64, rest: XXHash64)] = []
  /// The beginning of the file, as it is while the movie is recorded.
  private let beginning: [UInt8]
  /// Where the hash was assumed to stand behind the beginning's stripe.
  private let assumed: SIMD4<UInt64>
  /// Fragments that can be taken back.
  private static let depth = 64

  /// Bytes to be left before placed frames beyond those of the header.
  static let roomSize = 2 * XXHash64.stripeSize

  /// The checksum of a file that begins so.
  init(beginning: [UInt8]) {
    self.beginning = beginning
    let head = Self.finished(beginning, end: FileLayout.switchOffset, stripe: [])
    whole.update(head.prefix(FileLayout.spliceEnd))
    assumed = whole.lanes
    whole.update(head.dropFirst(FileLayout.spliceEnd))
  }

  private static func finished(_ beginning: [UInt8], end: UInt64, stripe: [UInt8]) -> [UInt8] {
    var head = beginning
    let header = FileLayout.finishedHeader(end: end, stripe: stripe)
    let start = Int(FileLayout.switchOffset)
    head.replaceSubrange(start..<start + header.count, with: header)
    return head
  }

  // MARK: Fragments

  /// The checksum behind a frame that is to be placed and what fills its last block.
  ///
  /// - Parameters:
  ///   - known: The frame's own checksum.
  ///   - padding: What fills the last block, whose end is written here.
  ///   - offset: Where the frame lies; the first one of a fragment says where its header's room ends.
  func placing(
    _ frame: UnsafeRawBufferPointer, _ known: FrameChecksum,
    paddedBy padding: UnsafeMutableRawBufferPointer, at offset: UInt64
  ) -> XXHash64 {
    let (initial, stripe) = (XXHash64.initialLanes, XXHash64.stripeSize)
    var sum = open ?? XXHash64(after: offset, lanes: initial)
    if let lanes = known.lanes, sum.lanes == initial {
      let whole = frame.count / stripe * stripe
      sum = XXHash64(after: offset + UInt64(whole), lanes: lanes)
      sum.update(UnsafeRawBufferPointer(rebasing: frame[whole...]))
    } else {
      sum.update(frame)
    }
    // Where a block has no room for a stripe, the next frame is taken in twice.
    guard padding.count >= stripe else {
      sum.update(UnsafeRawBufferPointer(padding))
      return sum
    }
    let filler = padding.count - stripe
    sum.update(UnsafeRawBufferPointer(rebasing: padding[..<filler]))
    padding[filler...].copyBytes(from: XXHash64.stripe(from: sum.lanes, to: initial))
    return XXHash64(after: offset + UInt64(frame.count + padding.count), lanes: initial)
  }

  /// Takes in a placed frame.
  mutating func place(_ sum: XXHash64, padding bytes: UnsafeRawBufferPointer) {
    open = sum
    padding += bytes
  }

  /// The header of the open fragment, with what fills the room between it and the placed frames.
  func filled(_ header: [UInt8], room: Int) -> [UInt8] {
    var bytes = header
    let filler = room - XXHash64.stripeSize - header.count
    bytes += [UInt8](repeating: FileLayout.padding, count: max(filler, 0))
    var sum = whole
    sum.update(bytes)
    return bytes + XXHash64.stripe(from: sum.lanes, to: XXHash64.initialLanes)
  }

  /// Takes in the rest of the open fragment: its header, where no frame was placed, and what follows.
  func closing(header: [UInt8], _ media: some Sequence<UnsafeRawBufferPointer>) -> XXHash64 {
    var sum = open ?? whole
    if open == nil { sum.update(header) }
    for piece in media { sum.update(piece) }
    return sum
  }

  /// The open fragment is in the file.
  ///
  /// - Parameters:
  ///   - header: All that lies before its samples.
  ///   - others: Those of its samples that are neither video nor audio, in the order of the file.
  mutating func commit(
    _ sum: XXHash64, header: [UInt8], others: some Sequence<UnsafeRawBufferPointer>
  ) {
    if history.count == Self.depth { history.removeFirst() }
    history.append((whole, rest))
    whole = sum
    rest.update(header)
    rest.update(padding)
    for bytes in others { rest.update(bytes) }
    discard()
  }

  /// Forgets the placed frames of the open fragment.
  mutating func discard() {
    open = nil
    padding.removeAll(keepingCapacity: true)
  }

  /// Takes the last fragment back; false where that is not known any more.
  mutating func dropLastFragment() -> Bool {
    guard let before = history.popLast() else { return false }
    (whole, rest) = before
    discard()
    return true
  }

  // MARK: The finish

  /// What is known once the index is.
  struct Outcome {
    /// What is written over the beginning to switch to the index.
    let header: [UInt8]
    let file: UInt64
    let head: MovieChecksums.Region
    let index: MovieChecksums.Region
    let rest: UInt64
  }

  /// The checksums of the file that ends with an index at `position`.
  func finish(index: [UInt8], at position: UInt64) -> Outcome {
    let plain = Self.finished(beginning, end: position, stripe: [])
    var start = XXHash64()
    start.update(plain.prefix(FileLayout.spliceEnd - XXHash64.stripeSize))
    let stripe = XXHash64.stripe(from: start.lanes, to: assumed)
    let head = Self.finished(beginning, end: position, stripe: stripe)
    var sum = whole
    sum.update(index)
    return Outcome(
      header: FileLayout.finishedHeader(end: position, stripe: stripe), file: sum.digest,
      head: Self.region(head, at: 0), index: Self.region(index, at: position),
      rest: rest.digest)
  }

  private static func region(_ bytes: [UInt8], at offset: UInt64) -> MovieChecksums.Region {
    MovieChecksums.Region(
      offset: offset, byteCount: UInt64(bytes.count),
      value: bytes.withUnsafeBytes { XXHash64.digest($0) })
  }
}
