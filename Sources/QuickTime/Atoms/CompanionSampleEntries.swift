import MediaCore

/// Tracks of text and of closed captions (QTFF, "Text Media" and "Closed Captioning Media").
extension AtomWriter {
  /// The sample entry of a text track.
  mutating func textSampleEntry() {
    atom("text") { entry in
      entry.zeros(6)
      entry.uint16(1)  // data reference
      entry.uint32(1)  // don't scale
      entry.int32(1)  // centered
      for _ in 0..<3 { entry.uint16(0) }  // on black
      entry.zeros(8)  // no box: nothing is drawn
      entry.zeros(8)
      entry.uint16(0)  // system font
      entry.uint16(0)  // plain face
      entry.uint8(0)
      entry.uint16(0)
      for _ in 0..<3 { entry.uint16(0xFFFF) }  // white
      entry.pascalString("")
    }
  }

  /// The media information header of a text track.
  mutating func textMediaHeader() {
    atom("gmhd") { gmhd in
      gmhd.baseMediaInformation()
      gmhd.atom("text") { text in TrackRecord.identityMatrix.forEach { text.uint32($0) } }
    }
  }

  /// A sample of a text track: its length, UTF-8, and an atom that says so.
  mutating func textSample(_ text: String) {
    let bytes = Self.utf8(text, limit: Int(UInt16.max))
    uint16(UInt16(clamping: bytes.count))
    raw(bytes)
    atom("encd") { $0.uint32(0x100) }
  }

  /// The sample entry of a track of CEA-608 captions.
  mutating func captionSampleEntry() {
    atom("c608") { entry in
      entry.zeros(6)
      entry.uint16(1)  // data reference
    }
  }

  /// The media information header of a track of captions.
  mutating func captionMediaHeader() {
    atom("gmhd") { $0.baseMediaInformation() }
  }

  /// A sample of captions: an atom for each field that has any. A frame without captions has a pair
  /// of nulls with parity.
  mutating func captionSample(_ sample: CaptionSample) {
    if !sample.firstField.isEmpty || sample.secondField.isEmpty {
      atom("cdat") { $0.raw(sample.firstField.isEmpty ? [0x80, 0x80] : sample.firstField) }
    }
    if !sample.secondField.isEmpty { atom("cdt2") { $0.raw(sample.secondField) } }
  }

  /// That a track is neither seen nor heard.
  mutating func baseMediaInformation() {
    fullAtom("gmin") { atom in
      atom.uint16(0x40)  // dither copy
      for _ in 0..<3 { atom.uint16(0x8000) }
      atom.uint16(0)  // balance
      atom.uint16(0)
    }
  }
}
