/// How large a segment may be: a time, a number of frames, or a number of bytes.
public enum SegmentLimit: Sendable, Hashable {
  /// A time or a number of frames.
  case duration(RecordingDuration)
  /// Bytes of the finished file.
  case bytes(Int64)

  /// Reads `10m`, `90s`, `300f`, or `500MB`, `4GB`; nil for anything else.
  public init?(_ text: String) {
    if let duration = RecordingDuration(text) {
      self = .duration(duration)
    } else if let bytes = ByteCount.parse(text) {
      self = .bytes(bytes)
    } else {
      return nil
    }
  }
}
