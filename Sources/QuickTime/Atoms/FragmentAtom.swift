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
  /// Bytes of all samples.
  var byteCount: Int
}

extension AtomWriter {
  /// A movie fragment, and the header of the media data that follow it: the runs' bytes, one run
  /// after another.
  ///
  /// Offsets count from the `moof` atom (default-base-is-moof), so they hold wherever it lies.
  mutating func fragment(sequence: UInt32, runs: [FragmentRun]) {
    let start = bytes.count
    var offsetPositions: [Int] = []
    atom("moof") { moof in
      moof.fullAtom("mfhd") { $0.uint32(sequence) }
      for run in runs { moof.trackFragment(run, offsetPositions: &offsetPositions) }
    }
    let mediaSize = runs.reduce(0) { $0 + $1.byteCount }
    if mediaSize + 8 <= Int(UInt32.max) {
      uint32(UInt32(mediaSize + 8))
      code("mdat")
    } else {
      uint32(1)
      code("mdat")
      uint64(UInt64(mediaSize + 16))
    }
    var offset = bytes.count - start
    for (run, position) in zip(runs, offsetPositions) {
      patch(uint32: UInt32(bitPattern: Int32(clamping: offset)), at: position)
      offset += run.byteCount
    }
  }

  private mutating func trackFragment(_ run: FragmentRun, offsetPositions: inout [Int]) {
    let uniform = run.durations.allSatisfy { $0 == run.durations.first }
    atom("traf") { traf in
      // default-base-is-moof; a default duration where all samples last as long.
      traf.fullAtom("tfhd", flags: 0x02_0000 | (uniform ? 0x08 : 0)) { atom in
        atom.uint32(run.trackID)
        if uniform { atom.uint32(run.durations.first ?? 0) }
      }
      traf.fullAtom("tfdt", version: 1) { $0.int64(run.baseTime) }
      // Data offset, sizes, and durations where they differ.
      traf.fullAtom("trun", flags: 0x201 | (uniform ? 0 : 0x100)) { atom in
        atom.uint32(UInt32(clamping: run.sizes.count))
        offsetPositions.append(atom.bytes.count)
        atom.uint32(0)
        for (size, duration) in zip(run.sizes, run.durations) {
          if !uniform { atom.uint32(duration) }
          atom.uint32(size)
        }
      }
    }
  }
}
