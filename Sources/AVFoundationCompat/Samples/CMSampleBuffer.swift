// swift-format-ignore-file: AlwaysUseLowerCamelCase

public import MediaCore

/// A frame or a run of audio, with its timing.
public typealias CMSampleBuffer = SampleBuffer
/// A number of samples.
public typealias CMItemCount = Int

extension SampleBuffer {
  /// The number of audio frames; 1 for video.
  public var numSamples: CMItemCount { sampleCount }
  /// The format of the sample; never nil here.
  public var formatDescription: CMFormatDescription? {
    if let dataSample { return dataSample.format }
    return switch content {
    case .video(let buffer): .video(VideoFormatDescription(buffer.details))
    case .audio(let buffer): .audio(buffer.format)
    }
  }
  /// Always true.
  public var isValid: Bool { true }
  /// Ready if the media are in memory; not ready while audio was not set.
  public var dataReadiness: DataReadiness { awaitsAudio ? .notReady : .ready }
  /// The decode time of a compressed frame if it differs from the presentation time; otherwise invalid.
  public var decodeTimeStamp: CMTime { compressedFrame?.decodeTime ?? .invalid }

  /// Whether a sample has its media.
  public enum DataReadiness: Sendable, Hashable {
    case ready
    /// They were not set yet.
    case notReady
    case failed
  }
}

public func CMSampleBufferGetPresentationTimeStamp(_ sbuf: CMSampleBuffer) -> CMTime {
  sbuf.presentationTimeStamp
}
/// The decode time of a compressed frame if it differs from the presentation time; otherwise invalid.
public func CMSampleBufferGetDecodeTimeStamp(_ sbuf: CMSampleBuffer) -> CMTime {
  sbuf.decodeTimeStamp
}
/// The duration; invalid if unknown.
public func CMSampleBufferGetDuration(_ sbuf: CMSampleBuffer) -> CMTime { sbuf.duration }
/// The frame; nil for audio.
public func CMSampleBufferGetImageBuffer(_ sbuf: CMSampleBuffer) -> CVImageBuffer? {
  sbuf.imageBuffer
}
/// The format of the sample; never nil here.
public func CMSampleBufferGetFormatDescription(_ sbuf: CMSampleBuffer) -> CMFormatDescription? {
  sbuf.formatDescription
}
/// The number of audio frames; 1 for video.
public func CMSampleBufferGetNumSamples(_ sbuf: CMSampleBuffer) -> CMItemCount {
  sbuf.sampleCount
}
/// Always true.
public func CMSampleBufferIsValid(_ sbuf: CMSampleBuffer) -> Bool { sbuf.isValid }
/// True if the media are in memory; false while audio was not set.
public func CMSampleBufferDataIsReady(_ sbuf: CMSampleBuffer) -> Bool { !sbuf.awaitsAudio }
