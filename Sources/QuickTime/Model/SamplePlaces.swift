/// Finds the samples of a track by where they lie in the file.
package struct SamplePlaces {
  private let table: SampleTable
  private let block: SoundBlock?
  /// The table's chunks, in the order of the file.
  private let chunks: [Int]

  /// The samples of a table.
  ///
  /// - Parameter block: The packets of audio whose samples are counted decoded; nil for other tracks.
  package init(_ table: SampleTable, block: SoundBlock? = nil) {
    (self.table, self.block) = (table, block)
    chunks = table.chunks.indices.sorted { table.chunks[$0].offset < table.chunks[$1].offset }
  }

  /// The number of the sample whose first byte is this one of the file; nil where none begins there.
  package func sample(at offset: UInt64) -> Int? {
    guard
      let place = SampleTable.lastIndex(
        in: chunks, where: { table.chunks[$0].offset <= offset })
    else { return nil }
    let chunk = table.chunks[chunks[place]]
    let count = table.sampleCount(ofChunk: chunks[place])
    let distance = offset - chunk.offset
    if let block {
      let (number, rest) = distance.quotientAndRemainder(dividingBy: UInt64(block.byteCount))
      guard rest == 0, number <= UInt64(count / block.sampleCount) else { return nil }
      let place = Int(number) * block.sampleCount
      return place < count ? chunk.firstSample + place : nil
    }
    guard let size = chunk.constantSize.map(UInt64.init) else {
      let ends = table.ends[chunk.sizes..<chunk.sizes + count]
      let base = chunk.sizes == 0 ? 0 : table.ends[chunk.sizes - 1]
      let (start, overflow) = base.addingReportingOverflow(distance)
      // Samples without bytes end where they begin.
      guard !overflow, let last = ends.last, start < last else { return nil }
      let before = SampleTable.lastIndex(in: ends) { $0 <= start }
      guard before.map({ ends[$0] }) ?? base == start else { return nil }
      return chunk.firstSample + (before ?? chunk.sizes - 1) + 1 - chunk.sizes
    }
    guard size > 0, distance % size == 0, distance / size < UInt64(count) else { return nil }
    return chunk.firstSample + Int(distance / size)
  }
}
