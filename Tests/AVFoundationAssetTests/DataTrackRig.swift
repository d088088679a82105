import AVFoundationCompat
import TestSupport
import Testing

/// A writer of 20 gray frames at 25 a second, with an input of metadata or timecode.
struct DataTrackRig {
  let folder: TemporaryFolder
  let writer: AVAssetWriter
  let video: AVAssetWriterInput
  let start = CMTime(value: 250, timescale: 25)

  init(codec: AVVideoCodecType = .proRes422) throws {
    folder = try TemporaryFolder()
    writer = try AVAssetWriter(outputURL: folder.url("a.mov"), fileType: .mov)
    video = AVAssetWriterInput(
      mediaType: .video,
      outputSettings: [AVVideoCodecKey: codec, AVVideoWidthKey: 64, AVVideoHeightKey: 48])
  }

  /// A frame's presentation time.
  func time(_ frame: Int64) -> CMTime { start + CMTime(value: frame, timescale: 25) }

  func range(_ first: Int64, _ end: Int64) -> CMTimeRange {
    CMTimeRange(start: time(first), end: time(end))
  }

  func begin() throws {
    try #require(writer.startWriting(), "\(String(describing: writer.error))")
    writer.startSession(atSourceTime: start)
  }

  /// Appends the frames, and completes the movie.
  func finish() async throws {
    for frame in 0..<20 {
      var made: CVPixelBuffer?
      CVPixelBufferCreate(nil, 64, 48, kCVPixelFormatType_32BGRA, nil, &made)
      var info = CMSampleTimingInfo(
        duration: CMTime(value: 1, timescale: 25), presentationTimeStamp: time(Int64(frame)),
        decodeTimeStamp: .invalid)
      let image = try #require(made)
      var description: CMVideoFormatDescription?
      CMVideoFormatDescriptionCreateForImageBuffer(
        allocator: nil, imageBuffer: image, formatDescriptionOut: &description)
      var sample: CMSampleBuffer?
      CMSampleBufferCreateReadyWithImageBuffer(
        allocator: nil, imageBuffer: image, formatDescription: try #require(description),
        sampleTiming: &info, sampleBufferOut: &sample)
      while !video.isReadyForMoreMediaData, writer.status == .writing { usleep(1000) }
      try #require(video.append(try #require(sample)), "\(String(describing: writer.error))")
    }
    video.markAsFinished()
    await writer.finishWriting()
    try #require(writer.status == .completed, "\(String(describing: writer.error))")
  }

  /// A description with one key of the QuickTime metadata key space.
  static func hint(_ key: String, _ type: String) throws -> CMFormatDescription {
    let facts: [String: Any] = [
      kCMMetadataFormatDescriptionMetadataSpecificationKey_Identifier as String: "mdta/" + key,
      kCMMetadataFormatDescriptionMetadataSpecificationKey_DataType as String: type,
    ]
    var description: CMFormatDescription?
    let status = CMMetadataFormatDescriptionCreateWithMetadataSpecifications(
      allocator: kCFAllocatorDefault, metadataType: kCMMetadataFormatType_Boxed,
      metadataSpecifications: [facts] as CFArray, formatDescriptionOut: &description)
    #expect(status == noErr)
    return try #require(description)
  }
}
