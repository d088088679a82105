import MediaCore

extension AtomWriter {
  /// The sample entry of a timecode track.
  mutating func timecodeSampleEntry(
    _ track: TimecodeTrackDescription, timescale: UInt32, frameDuration: UInt32
  ) {
    let format = track.start.format
    atom("tmcd") { entry in
      entry.zeros(6)
      entry.uint16(1)  // data reference
      entry.uint32(0)
      entry.uint32(
        TimecodeFlags.wrapsAt24Hours | (format.isDropFrame ? TimecodeFlags.dropFrame : 0))
      entry.uint32(timescale)
      entry.uint32(frameDuration)
      entry.uint8(UInt8(clamping: format.framesPerSecond))
      entry.uint8(0)
      if !track.reelName.isEmpty {
        entry.atom("name") { atom in
          let name = Self.utf8(track.reelName, limit: 255)
          atom.uint16(UInt16(name.count))
          atom.uint16(0x55C4)
          atom.raw(name)
        }
      }
    }
  }

  /// The media information header of a timecode track: `gmhd` with `gmin` and `tmcd/tcmi`.
  mutating func timecodeMediaHeader() {
    atom("gmhd") { gmhd in
      gmhd.fullAtom("gmin") { atom in
        atom.uint16(0x40)  // dither copy
        for _ in 0..<3 { atom.uint16(0x8000) }
        atom.uint16(0)  // balance
        atom.uint16(0)
      }
      gmhd.atom("tmcd") { tmcd in
        tmcd.fullAtom("tcmi") { atom in
          atom.uint16(0)  // system font
          atom.uint16(0)  // plain face
          atom.uint16(12)  // points
          atom.uint16(0)
          atom.zeros(6)  // black
          for _ in 0..<3 { atom.uint16(0xFFFF) }  // on white
          atom.pascalString("Lucida Grande")
        }
      }
    }
  }
}

/// Flags of a timecode sample entry (QTFF).
enum TimecodeFlags {
  static let dropFrame: UInt32 = 1
  static let wrapsAt24Hours: UInt32 = 2
  static let allowsNegative: UInt32 = 4
}
