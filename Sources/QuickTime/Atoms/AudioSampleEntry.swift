import MediaCore

extension AtomWriter {
  /// The sample entry of a PCM track: QTFF's sound sample description, version 2, and the channel
  /// layout.
  mutating func audioSampleEntry(_ track: AudioTrackDescription) {
    atom("lpcm") { entry in
      entry.zeros(6)
      entry.uint16(1)  // data reference
      entry.uint16(2)  // version
      entry.uint16(0)  // revision
      entry.uint32(0)  // vendor
      // What version 0 readers would take for channels, bits, compression and rate.
      entry.uint16(3)
      entry.uint16(16)
      entry.int16(-2)
      entry.uint16(0)
      entry.uint32(65536)
      entry.uint32(72)  // size of the structure: extensions follow
      entry.float64(Double(track.format.sampleRate))
      entry.uint32(UInt32(clamping: track.format.channelCount))
      entry.uint32(0x7F00_0000)
      entry.uint32(UInt32(clamping: track.format.sampleFormat.bitDepth))
      entry.uint32(PCMFlags.signedInteger | PCMFlags.packed)
      entry.uint32(UInt32(clamping: track.format.bytesPerFrame))
      entry.uint32(1)  // frames a packet
      entry.channelLayout(track.channelLayout)
    }
  }

  private mutating func channelLayout(_ layout: AudioChannelLayout) {
    fullAtom("chan") { atom in
      atom.uint32(layout.tag)
      atom.uint32(0)  // bitmap
      guard case .labels(let labels) = layout else {
        atom.uint32(0)
        return
      }
      atom.uint32(UInt32(clamping: labels.count))
      for label in labels {
        atom.uint32(label.rawValue)
        atom.zeros(16)  // flags and coordinates
      }
    }
  }
}

/// Core Audio's `AudioFormatFlags` for PCM.
enum PCMFlags {
  static let float: UInt32 = 1
  static let bigEndian: UInt32 = 2
  static let signedInteger: UInt32 = 4
  static let packed: UInt32 = 8
  static let nonInterleaved: UInt32 = 32
}
