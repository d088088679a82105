/// Where each sample of a track lies in the file, and when it is shown.
///
/// The table is as compact as the file's own: a run of samples of one size takes one entry however
/// long it is, so an hour of PCM takes no more than an hour's chunks.
public struct SampleTable: Sendable, Hashable {
  /// A sample: a video frame, or one PCM sample of every channel.
  public struct Sample: Sendable, Hashable {
    /// Its first byte in the file.
    public var offset: UInt64
    /// Size in bytes.
    public var size: UInt32
    /// When it begins, in the track's time scale, before edits.
    public var time: Int64
    /// How long it lasts, in the track's time scale.
    public var duration: UInt32
  }

  /// Samples that lie one after another in the file.
  struct Chunk: Sendable, Hashable {
    var firstSample: Int
    var offset: UInt64
    /// The index of the first sample's end in `ends`; where all are of one size, `~size`.
    var sizes: Int

    var constantSize: UInt32? { sizes < 0 ? UInt32(~sizes) : nil }
  }

  /// Samples of one duration.
  struct TimeRun: Sendable, Hashable {
    var firstSample: Int
    var time: Int64
    var duration: UInt32
  }

  private(set) var chunks: [Chunk] = []
  private(set) var timeRuns: [TimeRun] = []
  /// Running sums of the sizes of samples that have a size of their own.
  private(set) var ends: [UInt64] = []
  /// Samples that have a place.
  private(set) var placedCount = 0
  /// Samples that have a time.
  private(set) var timedCount = 0
  /// The sum of all durations, in the track's time scale.
  public private(set) var duration: Int64 = 0

  /// An empty table.
  public init() {}

  /// The most samples a table takes, so that sums of 64 bits cannot overflow.
  private static let limit = 1 << 40

  // MARK: Growing

  /// Reserves memory for `count` chunks, and for samples with individual sizes.
  mutating func reserve(chunks count: Int, sizes: Int) {
    chunks.reserveCapacity(count)
    ends.reserveCapacity(sizes)
  }

  /// Adds samples of one size. False, and nothing is added, where the numbers make no sense.
  mutating func appendChunk(offset: UInt64, count added: Int, size: UInt32) -> Bool {
    guard added > 0, added <= Self.limit - placedCount else { return added == 0 }
    let (bytes, overflow) = UInt64(added).multipliedReportingOverflow(by: UInt64(size))
    guard !overflow, offset <= UInt64.max - bytes else { return false }
    chunks.append(Chunk(firstSample: placedCount, offset: offset, sizes: ~Int(size)))
    placedCount += added
    return true
  }

  /// Adds samples of sizes of their own. False, and nothing is added, where the numbers make no
  /// sense.
  mutating func appendChunk(offset: UInt64, sizes: some Collection<UInt32>) -> Bool {
    guard !sizes.isEmpty, sizes.count <= Self.limit - placedCount else { return sizes.isEmpty }
    let first = ends.count
    var end = ends.last ?? 0
    let start = end
    for size in sizes {
      end += UInt64(size)
      ends.append(end)
    }
    guard offset <= UInt64.max - (end - start) else {
      ends.removeLast(ends.count - first)
      return false
    }
    chunks.append(Chunk(firstSample: placedCount, offset: offset, sizes: first))
    placedCount += sizes.count
    return true
  }

  /// Sets the durations of the samples that have none yet. Returns false, without adding anything, if the numbers
  /// are impossible.
  mutating func appendTimes(count added: Int, duration each: UInt32) -> Bool {
    guard added > 0, added <= Self.limit - timedCount else { return added == 0 }
    let (span, overflow) = Int64(added).multipliedReportingOverflow(by: Int64(each))
    guard !overflow, span <= Int64.max / 4 - duration else { return false }
    if timeRuns.last?.duration != each {
      timeRuns.append(TimeRun(firstSample: timedCount, time: duration, duration: each))
    }
    timedCount += added
    duration += span
    return true
  }

  /// Lets the last sample last until `time`, where a gap follows it or the movie ends later.
  /// Nothing happens where `time` is not later, or where the duration would not fit 32 bits.
  mutating func extendLastSample(to time: Int64) {
    guard timedCount > 0, let last = timeRuns.last, time > duration else { return }
    let start = duration - Int64(last.duration)
    guard time <= Int64.max / 4, let longer = UInt32(exactly: time - start) else { return }
    trimTimes(to: timedCount - 1)
    _ = appendTimes(count: 1, duration: longer)
  }

  /// Lets the last sample end at a time, before or behind which it ended; samples that begin then or later
  /// are taken out. One whose duration would not fit 32 bits stays as it is.
  mutating func endLastSample(at time: Int64) {
    if time < duration {
      let kept = time > 0 ? index(at: time - 1).map { $0 + 1 } ?? 0 : 0
      trimPlaces(to: kept)
      trimTimes(to: kept)
    }
    guard let last, let length = UInt32(exactly: time - last.time), length != last.duration else {
      return
    }
    trimTimes(to: timedCount - 1)
    _ = appendTimes(count: 1, duration: length)
  }

  /// True where each sample has both a place and a time.
  var isConsistent: Bool { placedCount == timedCount }

  /// Leaves out samples that lack a place or a time.
  mutating func makeConsistent() {
    keepFirst(Swift.min(placedCount, timedCount))
  }

  /// Takes away the chunks at the table's end that lie at `offset` or beyond.
  mutating func removeChunks(from offset: UInt64) {
    var kept = placedCount
    for chunk in chunks.reversed() {
      guard chunk.offset >= offset else { break }
      kept = chunk.firstSample
    }
    trimPlaces(to: kept)
    trimTimes(to: kept)
  }

  /// Leaves out all samples but the first ones.
  mutating func keepFirst(_ kept: Int) {
    trimPlaces(to: kept)
    trimTimes(to: kept)
  }

  private mutating func trimPlaces(to kept: Int) {
    guard kept < placedCount else { return }
    while let last = chunks.last, last.firstSample >= kept {
      chunks.removeLast()
      if last.sizes >= 0 { ends.removeLast(ends.count - last.sizes) }
    }
    if let last = chunks.last, last.sizes >= 0 {
      ends.removeLast(ends.count - (last.sizes + kept - last.firstSample))
    }
    placedCount = kept
  }

  private mutating func trimTimes(to kept: Int) {
    guard kept < timedCount else { return }
    while let last = timeRuns.last, last.firstSample >= kept {
      timeRuns.removeLast()
      duration = last.time
    }
    if let last = timeRuns.last {
      duration = last.time + Int64(kept - last.firstSample) * Int64(last.duration)
    }
    timedCount = kept
  }

  // MARK: Asking

  /// Samples of a chunk.
  func sampleCount(ofChunk index: Int) -> Int {
    (index + 1 < chunks.count ? chunks[index + 1].firstSample : placedCount)
      - chunks[index].firstSample
  }

  /// Bytes of a chunk.
  func byteCount(ofChunk index: Int) -> UInt64 {
    let chunk = chunks[index]
    let samples = sampleCount(ofChunk: index)
    if let size = chunk.constantSize { return UInt64(samples) * UInt64(size) }
    return ends[chunk.sizes + samples - 1] - (chunk.sizes == 0 ? 0 : ends[chunk.sizes - 1])
  }

  /// Samples of a run of equal durations.
  func sampleCount(ofTimeRun index: Int) -> Int {
    (index + 1 < timeRuns.count ? timeRuns[index + 1].firstSample : timedCount)
      - timeRuns[index].firstSample
  }

  /// The one size of all samples; nil where they differ, 0 for an empty table.
  var constantSize: UInt32? {
    guard let first = chunks.first else { return 0 }
    guard let size = first.constantSize, chunks.allSatisfy({ $0.sizes == first.sizes })
    else { return nil }
    return size
  }

  /// Bytes of its lists in a file, at the most.
  var indexSize: UInt64 {
    let sizes = constantSize.map { $0 > 0 } ?? false ? 0 : 4 * UInt64(count)
    return sizes + 20 * UInt64(chunks.count) + 8 * UInt64(timeRuns.count)
  }

  /// Bytes of all samples.
  public var byteCount: UInt64 {
    chunks.indices.reduce(0) { $0 &+ byteCount(ofChunk: $1) }
  }

  /// The first byte beyond the sample that lies last in the file.
  public var endOffset: UInt64 {
    chunks.indices.reduce(0) { Swift.max($0, chunks[$1].offset + byteCount(ofChunk: $1)) }
  }

  /// The sample shown at a time in the track's time scale; nil outside the media.
  public func index(at time: Int64) -> Int? {
    guard time >= 0, time < duration else { return nil }
    let runIndex = Self.lastIndex(in: timeRuns) { $0.time <= time }
    guard let runIndex else { return nil }
    let run = timeRuns[runIndex]
    guard run.duration > 0 else { return run.firstSample }
    return Swift.min(run.firstSample + Int((time - run.time) / Int64(run.duration)), count - 1)
  }

  /// Where samples that follow one another lie: a range for each of the stretches of the file that
  /// hold them. Those beyond the table are left out.
  public func byteRanges(of samples: Range<Int>) -> [Range<UInt64>] {
    let wanted = samples.clamped(to: 0..<count)
    var ranges: [Range<UInt64>] = []
    var number = wanted.lowerBound
    while number < wanted.upperBound,
      let index = Self.lastIndex(in: chunks, where: { $0.firstSample <= number })
    {
      let end = Swift.min(
        chunks[index].firstSample + sampleCount(ofChunk: index), wanted.upperBound)
      guard end > number else { break }
      guard let first = self[number], let last = self[end - 1] else { break }
      ranges.append(first.offset..<last.offset + UInt64(last.size))
      number = end
    }
    return ranges
  }

  /// The index of the last element that has a property, if only the first ones have it.
  static func lastIndex<Elements: RandomAccessCollection>(
    in elements: Elements, where holds: (Elements.Element) -> Bool
  ) -> Int? where Elements.Index == Int {
    var low = elements.startIndex
    var high = elements.endIndex
    while low < high {
      let middle = low + (high - low) / 2
      if holds(elements[middle]) { low = middle + 1 } else { high = middle }
    }
    return low == elements.startIndex ? nil : low - 1
  }
}

extension SampleTable: Sequence {
  /// The number of samples.
  public var count: Int { Swift.min(placedCount, timedCount) }
  /// True for a track without samples.
  public var isEmpty: Bool { count == 0 }
  /// The first sample; nil for an empty table.
  public var first: Sample? { self[0] }
  /// The last sample; nil for an empty table.
  public var last: Sample? { self[count - 1] }

  /// The samples in their order.
  public struct Iterator: IteratorProtocol, Sendable {
    let table: SampleTable
    var number = 0

    /// The next sample; nil at the end.
    public mutating func next() -> Sample? {
      defer { number += 1 }
      return table[number]
    }
  }

  /// The samples in their order.
  public func makeIterator() -> Iterator { Iterator(table: self) }
  /// ``count``.
  public var underestimatedCount: Int { count }

  /// A sample by its number, found in logarithmic time; nil where the table has none of it.
  public subscript(position: Int) -> Sample? {
    guard position >= 0, position < count else { return nil }
    let chunk = chunks[Self.lastIndex(in: chunks) { $0.firstSample <= position } ?? 0]
    let run = timeRuns[Self.lastIndex(in: timeRuns) { $0.firstSample <= position } ?? 0]
    let time = run.time + Int64(position - run.firstSample) * Int64(run.duration)
    let place = position - chunk.firstSample
    if let size = chunk.constantSize {
      return Sample(
        offset: chunk.offset + UInt64(place) * UInt64(size), size: size, time: time,
        duration: run.duration)
    }
    let index = chunk.sizes + place
    let start = index == 0 ? 0 : ends[index - 1]
    let base = chunk.sizes == 0 ? 0 : ends[chunk.sizes - 1]
    return Sample(
      offset: chunk.offset + (start - base), size: UInt32(ends[index] - start), time: time,
      duration: run.duration)
  }
}
