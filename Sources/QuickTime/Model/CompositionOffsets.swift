/// How much later than it is decoded each sample of a track is shown (`ctts`), in the track's time scale.
public struct CompositionOffsets: Sendable, Hashable {
  /// Samples of one offset.
  struct Run: Sendable, Hashable {
    var firstSample: Int
    var offset: Int32
  }

  private(set) var runs: [Run] = []
  /// Samples that have an offset.
  private(set) var count = 0

  /// No offsets: samples are shown in the order in which they are decoded.
  public init() {}

  /// True for a track without any.
  public var isEmpty: Bool { runs.isEmpty }

  /// The offset of a sample by its number; 0 for one without.
  public subscript(sample: Int) -> Int64 {
    guard sample >= 0, sample < count,
      let run = SampleTable.lastIndex(in: runs, where: { $0.firstSample <= sample })
    else { return 0 }
    return Int64(runs[run].offset)
  }

  /// Adds samples of one offset. Those beyond what a table can hold are left out.
  mutating func append(count added: Int, offset: Int32) {
    guard added > 0, added <= Int(UInt32.max), count <= Int(UInt32.max) else { return }
    if runs.last?.offset != offset { runs.append(Run(firstSample: count, offset: offset)) }
    count += added
  }
}
