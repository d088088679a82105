import MediaCore

extension AtomWriter {
  /// The sample table atom: description, times, chunks, sizes, offsets. Every sample of ProRes, PCM
  /// and timecode is a sync sample, which is what a table without `stss` says.
  mutating func sampleTable(_ track: TrackRecord) {
    let samples = track.samples
    reserve(samples.ends.count * 4 + samples.chunks.count * 8)
    atom("stbl") { stbl in
      stbl.fullAtom("stsd") { atom in
        atom.uint32(1)
        atom.raw(track.sampleEntry)
      }
      stbl.sampleTimes(samples)
      stbl.samplesToChunks(samples)
      stbl.sampleSizes(samples)
      stbl.fullAtom("co64") { atom in
        atom.uint32(UInt32(clamping: samples.chunks.count))
        for chunk in samples.chunks { atom.uint64(chunk.offset) }
      }
    }
  }

  private mutating func sampleTimes(_ samples: SampleTable) {
    fullAtom("stts") { atom in
      atom.uint32(UInt32(clamping: samples.timeRuns.count))
      for (index, run) in samples.timeRuns.enumerated() {
        atom.uint32(UInt32(clamping: samples.sampleCount(ofTimeRun: index)))
        atom.uint32(run.duration)
      }
    }
  }

  private mutating func samplesToChunks(_ samples: SampleTable) {
    fullAtom("stsc") { atom in
      let countPosition = atom.bytes.count
      atom.uint32(0)
      var entries: UInt32 = 0
      var previous = -1
      for index in samples.chunks.indices {
        let count = samples.sampleCount(ofChunk: index)
        guard count != previous else { continue }
        atom.uint32(UInt32(clamping: index + 1))
        atom.uint32(UInt32(clamping: count))
        atom.uint32(1)
        entries += 1
        previous = count
      }
      atom.patch(uint32: entries, at: countPosition)
    }
  }

  private mutating func sampleSizes(_ samples: SampleTable) {
    fullAtom("stsz") { atom in
      if let size = samples.constantSize, size > 0 {
        atom.uint32(size)
        atom.uint32(UInt32(clamping: samples.count))
        return
      }
      atom.uint32(0)
      atom.uint32(UInt32(clamping: samples.count))
      for (index, chunk) in samples.chunks.enumerated() {
        let count = samples.sampleCount(ofChunk: index)
        if let size = chunk.constantSize {
          for _ in 0..<count { atom.uint32(size) }
          continue
        }
        var start = chunk.sizes == 0 ? 0 : samples.ends[chunk.sizes - 1]
        for end in samples.ends[chunk.sizes..<(chunk.sizes + count)] {
          atom.uint32(UInt32(clamping: end - start))
          start = end
        }
      }
    }
  }
}
