/// The checksum of a movie file that is not written from its first byte to its last: the file's size
/// comes into its beginning when it is finished, and a fragment's header before frames that are on
/// the disk already.
///
/// Both places end in a stripe of 32 bytes that belongs to no sample. It is chosen so that xxHash64
/// goes on behind it from where it was assumed to stand; so each byte is taken in once, when it is
/// written, and the result is that of the file as it lies there.
struct FileChecksum {
  /// Of everything up to the last whole fragment.
  private var whole = XXHash64()
  /// The same with the placed frames of the open fragment.
  private var open: XXHash64?
  /// Of what lies in whole fragments and is neither picture nor sound: headers, padding, timecodes.
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

  /// Takes in a placed frame; the first one of a fragment says where its header's room ends.
  ///
  /// - Parameter count: Bytes of the last piece that belong to no frame.
  mutating func place(
    _ pieces: [UnsafeRawBufferPointer], paddedBy count: Int, at offset: UInt64
  ) {
    var sum = open ?? XXHash64(after: offset, lanes: whole.lanes)
    for piece in pieces { sum.update(piece) }
    open = sum
    guard let last = pieces.last else { return }
    padding += last.dropFirst(last.count - count)
  }

  /// The header of the open fragment, with what fills the room between it and the placed frames.
  func filled(_ header: [UInt8], room: Int) -> [UInt8] {
    var bytes = header
    let filler = room - XXHash64.stripeSize - header.count
    bytes += [UInt8](repeating: FileLayout.padding, count: max(filler, 0))
    var sum = whole
    sum.update(bytes)
    return bytes + XXHash64.stripe(from: sum.lanes, to: whole.lanes)
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
  ///   - others: Those of its samples that are neither pictures nor sound, in the order of the file.
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
