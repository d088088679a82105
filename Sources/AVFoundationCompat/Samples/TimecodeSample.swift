import MediaCore
import Synchronization

/// A frame number with its place in time, among what a sample's copies share. To the modules behind, such a sample is
/// one of silence: none of them is given it.
struct TimecodeSample: Sendable {
  var format: TimecodeFormatDescription
  /// The number, big-endian, in 32 or 64 bits.
  var block: CMBlockBuffer

  /// The number of the first frame: that of `tc64` is counted in hours, minutes, seconds and frames, as `tmcd`'s.
  var frameNumber: Int64 {
    let bytes = block.contents
    let number = bytes.prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    return bytes.count < 8
      ? Int64(Int32(bitPattern: UInt32(truncatingIfNeeded: number))) : Int64(bitPattern: number)
  }
}

extension SampleBuffer {
  /// A sample of timecode; nil where the bytes are no number of the description's kind.
  init?(_ block: CMBlockBuffer, of format: TimecodeFormatDescription, timing: CMSampleTimingInfo) {
    let width = format.mediaSubType.description == "tc64" ? 8 : 4
    let silence = AudioFormat(sampleRate: 48_000, channelCount: 1, sampleFormat: .int16)
    guard block.dataLength == width,
      let carrier = try? MediaCore.AudioBuffer(format: silence, bytes: [0, 0])
    else { return nil }
    self.init(
      .audio(carrier), presentationTimeStamp: timing.presentationTimeStamp,
      duration: timing.duration)
    self = withOwnNotes()
    notes?.contents.withLock { $0.lent = TimecodeSample(format: format, block: block) }
  }

  /// The frame number; nil for pictures and sound.
  var timecodeSample: TimecodeSample? {
    notes?.contents.withLock { $0.lent as? TimecodeSample }
  }
}
