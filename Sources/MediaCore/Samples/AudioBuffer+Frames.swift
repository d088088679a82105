extension AudioBuffer {
  /// Some of the frames; all of them without a copy. Nil where the range is not in the buffer.
  package func frames(_ range: Range<Int>) -> AudioBuffer? {
    if range == 0..<frameCount { return self }
    guard range.lowerBound >= 0, range.upperBound <= frameCount else { return nil }
    let width = format.bytesPerFrame
    return try? AudioBuffer(
      format: format,
      bytes: Array(bytes[range.lowerBound * width..<range.upperBound * width]))
  }

  /// This audio followed by other audio of the same format.
  package func joined(with other: AudioBuffer) -> AudioBuffer? {
    guard other.format == format else { return nil }
    return try? AudioBuffer(format: format, bytes: bytes + other.bytes)
  }

  /// The same samples stored in another way; nil where there is no memory.
  package func stored(as sampleFormat: AudioFormat.SampleFormat) -> AudioBuffer? {
    guard sampleFormat != format.sampleFormat else { return self }
    var (wanted, result) = (format, [UInt8]())
    wanted.sampleFormat = sampleFormat
    PCMConversion.convert(bytes[...], from: format.sampleFormat, to: sampleFormat, into: &result)
    return try? AudioBuffer(format: wanted, bytes: result)
  }

  /// Digital silence.
  package static func silence(_ frames: Int, format: AudioFormat) -> AudioBuffer? {
    try? AudioBuffer(
      format: format, bytes: [UInt8](repeating: 0, count: frames * format.bytesPerFrame))
  }
}
