import MediaCore

/// A frame number with its timecode format.
struct TimecodeSample: Sendable {
  var format: TimecodeFormatDescription
  /// The number, big-endian, in 32 or 64 bits.
  var block: CMBlockBuffer

  /// The number of the first frame. `tc64` uses the same numbers as `tmcd`, counted in hours, minutes, seconds and
  /// frames.
  var frameNumber: Int64 {
    let bytes = block.contents
    let number = bytes.prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    return bytes.count < 8
      ? Int64(Int32(bitPattern: UInt32(truncatingIfNeeded: number))) : Int64(bitPattern: number)
  }
}

extension SampleBuffer {
  /// A timecode sample; nil if the size does not match the format.
  init?(_ block: CMBlockBuffer, of format: TimecodeFormatDescription, timing: CMSampleTimingInfo) {
    let width = format.mediaSubType.description == "tc64" ? 8 : 4
    guard block.dataLength == width else { return nil }
    self.init(
      .timecode(TimecodeSample(format: format, block: block)),
      presentationTimeStamp: timing.presentationTimeStamp, duration: timing.duration)
  }

  /// The frame number; nil for other samples.
  var timecodeSample: TimecodeSample? {
    if case .timecode(let sample)? = dataSample { sample } else { nil }
  }
}
