import MediaCore

/// Tracks of timed metadata (QTFF, "Timed Metadata Media"), and of timecode that does not come with the video.
extension AtomWriter {
  /// The sample entry of a track of boxed metadata: a table of its keys, by numbers from 1.
  mutating func metadataSampleEntry(_ keys: [TimedMetadataTrack.Key]) {
    atom("mebx") { entry in
      entry.zeros(6)
      entry.uint16(1)  // data reference
      entry.atom("keys") { table in
        for (index, key) in keys.enumerated() {
          table.atom(FourCharCode(rawValue: UInt32(clamping: index + 1))) { atom in
            atom.atom("keyd") { name in
              name.code("mdta")
              name.raw(Array(key.name.utf8))
            }
            atom.atom("dtyp") { type in
              type.uint32(0)  // one of the well-known types
              type.uint32(key.type)
            }
          }
        }
      }
    }
  }

  /// The media information header of a track that is neither seen nor heard.
  mutating func metadataMediaHeader() {
    atom("gmhd") { $0.baseMediaInformation() }
  }

  /// A sample of boxed metadata: an atom for each value, named by its key's number. One without values has an atom
  /// of number 0, which readers skip.
  mutating func metadataSample(_ values: [TimedMetadataTrack.Value]) {
    guard !values.isEmpty else { return atom(FourCharCode(rawValue: 0)) { _ in } }
    for value in values {
      atom(FourCharCode(rawValue: UInt32(clamping: value.key + 1))) { $0.raw(value.bytes) }
    }
  }

  /// The sample entry of a timecode track.
  mutating func timecodeSampleEntry(_ format: TimecodeFormatDescription) {
    atom("tmcd") { entry in
      entry.zeros(6)
      entry.uint16(1)  // data reference
      entry.uint32(0)
      var flags: UInt32 = format.isDropFrame ? TimecodeFlags.dropFrame : 0
      if format.wrapsAt24Hours { flags |= TimecodeFlags.wrapsAt24Hours }
      if format.allowsNegative { flags |= TimecodeFlags.allowsNegative }
      entry.uint32(flags)
      entry.uint32(UInt32(clamping: format.frameDuration.timescale))
      entry.uint32(UInt32(clamping: format.frameDuration.value))
      entry.uint8(format.frameQuanta)
      entry.uint8(0)
    }
  }
}
