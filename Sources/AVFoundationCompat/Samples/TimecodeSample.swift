import MediaCore

/// A frame number, and how it counts.
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
  /// A sample of timecode; nil if the bytes are no number of the description's kind.
  init?(_ block: CMBlockBuffer, of format: TimecodeFormatDescription, timing: CMSampleTimingInfo) {
    let width = format.mediaSubType.description == "tc64" ? 8 : 4
    guard block.dataLength == width else { return nil }
    self.init(
      .timecode(TimecodeSample(format: format, block: block)),
      presentationTimeStamp: timing.presentationTimeStamp, duration: timing.duration)
  }

  /// The frame number; nil for all other samples.
  var timecodeSample: TimecodeSample? {
    if case .timecode(let sample)? = dataSample { sample } else { nil }
  }
}
