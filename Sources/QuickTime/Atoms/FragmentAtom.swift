import MediaCore

/// The samples of one track in a fragment.
struct FragmentRun {
  var trackID: UInt32
  /// When the first sample begins, in the track's time scale.
  var baseTime: Int64
  /// Bytes of each sample.
  var sizes: [UInt32]
  /// Units that each sample lasts.
  var durations: [UInt32]
  /// Where each sample lies in the file; empty where they follow one another with other tracks'.
  var offsets: [UInt64]
  /// Bytes of the samples that follow one another.
  var byteCount: Int
  /// The track's sample entry, where the movie's beginning does not have all of it; else empty. Readers that do not
  /// know of it pass it over.
  var sampleEntry: [UInt8] = []

  var hasUniformDurations: Bool { durations.allSatisfy { $0 == durations.first } }
}

extension AtomWriter {
  /// A movie fragment, and the header of its media data.
  ///
  /// Offsets count from the `moof` atom (default-base-is-moof), so they hold wherever it lies.
  ///
  /// - Parameters:
  ///   - position: Where the `moof` atom lies.
  ///   - mediaStart: Where the samples without a place of their own begin, one run after another;
  ///     nil for right behind the header. The media data end with them.
  mutating func fragment(
    sequence: UInt32, at position: UInt64, mediaStart: UInt64?, runs: [FragmentRun]
  ) {
    let start = bytes.count
    atom("moof") { moof in
      moof.fullAtom("mfhd") { $0.uint32(sequence) }
      for run in runs { moof.trackFragment(run, at: position) }
    }
    let packed = runs.reduce(0) { $0 + $1.byteCount }
    let moofSize = bytes.count - start
    let mediaSize = mediaStart.map { Int($0 - position) - moofSize - 8 + packed } ?? packed
    if mediaSize + 8 <= Int(UInt32.max) {
      uint32(UInt32(mediaSize + 8))
      code("mdat")
    } else {
      uint32(1)
      code("mdat")
      uint64(UInt64(mediaSize + (mediaStart == nil ? 16 : 8)))
    }
    var offset = mediaStart.map { Int($0 - position) } ?? bytes.count - start
    // The offsets could not be known before the header's size was.
    var place = start + 8 + 16
    for run in runs {
      place += Int(uint32(at: place))
      guard run.offsets.isEmpty else { continue }
      // The one track run ends the track's atom, and its offset comes before its samples.
      let samples = run.sizes.count * (run.hasUniformDurations ? 4 : 8)
      patch(uint32: UInt32(bitPattern: Int32(clamping: offset)), at: place - samples - 4)
      offset += run.byteCount
    }
  }

  private mutating func trackFragment(_ run: FragmentRun, at position: UInt64) {
    let uniform = run.hasUniformDurations
    atom("traf") { traf in
      // default-base-is-moof; a default duration where all samples last as long.
      traf.fullAtom("tfhd", flags: 0x02_0000 | (uniform ? 0x08 : 0)) { atom in
        atom.uint32(run.trackID)
        if uniform { atom.uint32(run.durations.first ?? 0) }
      }
      traf.fullAtom("tfdt", version: 1) { $0.int64(run.baseTime) }
      traf.raw(run.sampleEntry)
      guard run.offsets.isEmpty else {
        for (index, offset) in run.offsets.enumerated() {
          traf.trackRun(run, index..<(index + 1), hasDurations: !uniform) {
            $0.int32(Int32(clamping: offset - position))
          }
        }
        return
      }
      traf.trackRun(run, run.sizes.indices, hasDurations: !uniform) { $0.uint32(0) }
    }
  }

  private mutating func trackRun(
    _ run: FragmentRun, _ samples: Range<Int>, hasDurations: Bool,
    offset: (inout AtomWriter) -> Void
  ) {
    // Data offset, sizes, and durations where they differ.
    fullAtom("trun", flags: 0x201 | (hasDurations ? 0x100 : 0)) { atom in
      atom.uint32(UInt32(clamping: samples.count))
      offset(&atom)
      for index in samples {
        if hasDurations { atom.uint32(run.durations[index]) }
        atom.uint32(run.sizes[index])
      }
    }
  }
}
