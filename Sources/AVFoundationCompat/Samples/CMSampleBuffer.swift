// swift-format-ignore-file: AlwaysUseLowerCamelCase

public import MediaCore

/// A picture or a run of audio with its place in time.
public typealias CMSampleBuffer = SampleBuffer
/// Counts samples.
public typealias CMItemCount = Int

extension SampleBuffer {
  /// Frames of audio, or 1 for a picture.
  public var numSamples: CMItemCount { sampleCount }
  /// What the sample holds; never nil here.
  public var formatDescription: CMFormatDescription? {
    if let dataSample { return dataSample.format }
    return switch content {
    case .video(let buffer): .video(VideoFormatDescription(buffer.details))
    case .audio(let buffer): .audio(buffer.format)
    }
  }
  /// True: a sample that there is can be used.
  public var isValid: Bool { true }
  /// Ready: its media are in memory. Not ready where its audio is yet to be set.
  public var dataReadiness: DataReadiness { awaitsSound ? .notReady : .ready }
  /// When a compressed picture is decoded, where that is another time than when it is shown; else invalid.
  public var decodeTimeStamp: CMTime { compressedPicture?.decodeTime ?? .invalid }

  /// Whether the media are there.
  public enum DataReadiness: Sendable, Hashable {
    /// They are.
    case ready
    /// They are still to come.
    case notReady
    /// They could not be made.
    case failed
  }
}

/// When the sample is shown or heard.
public func CMSampleBufferGetPresentationTimeStamp(_ sbuf: CMSampleBuffer) -> CMTime {
  sbuf.presentationTimeStamp
}
/// When a compressed picture is decoded, where that is another time than when it is shown; else invalid.
public func CMSampleBufferGetDecodeTimeStamp(_ sbuf: CMSampleBuffer) -> CMTime {
  sbuf.decodeTimeStamp
}
/// How long the sample lasts; invalid where that is not known.
public func CMSampleBufferGetDuration(_ sbuf: CMSampleBuffer) -> CMTime { sbuf.duration }
/// The picture; nil for audio.
public func CMSampleBufferGetImageBuffer(_ sbuf: CMSampleBuffer) -> CVImageBuffer? {
  sbuf.imageBuffer
}
/// What the sample holds; never nil here.
public func CMSampleBufferGetFormatDescription(_ sbuf: CMSampleBuffer) -> CMFormatDescription? {
  sbuf.formatDescription
}
/// Frames of audio, or 1 for a picture.
public func CMSampleBufferGetNumSamples(_ sbuf: CMSampleBuffer) -> CMItemCount {
  sbuf.sampleCount
}
/// True: a sample that there is can be used.
public func CMSampleBufferIsValid(_ sbuf: CMSampleBuffer) -> Bool { sbuf.isValid }
/// True: its media are in memory. False where its audio is yet to be set.
public func CMSampleBufferDataIsReady(_ sbuf: CMSampleBuffer) -> Bool { !sbuf.awaitsSound }
