package import MediaCore

extension AssetTrack {
  /// A timecode or timed metadata track, which is read without a decoder.
  ///
  /// - Parameters:
  ///   - description: The format of its samples.
  ///   - id: The track's place in the file, from 0.
  ///   - codec: The sample entry's code.
  ///   - timeRange: The time range of its samples.
  ///   - sampleCount: The number of samples.
  ///   - timescale: Time stamp units per second.
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
