package import MediaCore

extension AssetTrack {
  /// A track of timecode or of timed metadata, which no decoder gives.
  ///
  /// - Parameters:
  ///   - description: What its samples hold.
  ///   - id: The track's place in the file, from 0.
  ///   - codec: The sample entry's code.
  ///   - timeRange: Where its samples lie.
  ///   - sampleCount: How many there are.
  ///   - timescale: Units a second of its time stamps.
  package init(
    data description: FormatDescription, id: Int, codec: FourCharCode, timeRange: MediaTimeRange,
    sampleCount: Int, timescale: Int32
  ) {
    self.init(
      id: id, mediaType: description.mediaType, codecName: "", codecTag: codec, profile: nil,
      formatDescription: description, frameRate: nil, sourceFormatName: "", sourceBitDepth: 0,
      hasAlpha: false, rotation: 0, channelLayout: nil, timecode: nil, timecodeText: nil,
      startTime: timeRange.start, duration: timeRange.duration, sampleCount: sampleCount,
      timeUnit: MediaTime(value: 1, timescale: timescale), language: nil)
  }
}
