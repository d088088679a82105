import MediaCore

/// The packets of compressed audio whose sample table counts decoded samples, each as one byte (QTFF,
/// "Sound Sample Description (Version 1)"): Microsoft ADPCM, GSM.
package struct SoundBlock: Sendable, Hashable {
  /// Decoded samples of each channel in a packet.
  package let sampleCount: Int
  /// Bytes of a packet, with all channels.
  package let byteCount: Int

  /// Nil for PCM, and if each sample of the table is a packet.
  init?(_ track: TrackRecord) {
    guard track.handler == "soun", track.samples.constantSize == 1, PCMDescription(track) == nil
    else { return nil }
    var outer = AtomReader(track.sampleEntry, type: "stsd")
    guard let sizes = try? Self.parse(&outer), sizes.samples > 1, sizes.bytes > 0 else {
      return nil
    }
    (sampleCount, byteCount) = sizes
  }

  private static func parse(
    _ outer: inout AtomReader
  ) throws(QuickTimeError) -> (samples: Int, bytes: Int)? {
    guard var entry = try outer.next() else { return nil }
    try entry.skip(8)
    guard try entry.uint16() == 1 else { return nil }
    try entry.skip(18)
    let samples = try entry.uint32()
    try entry.skip(4)
    return (Int(samples), Int(try entry.uint32()))
  }
}
