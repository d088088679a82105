import MediaCore

/// Reads raw video from a file or a pipe, one frame per read.
final class RawVideoSource: SampleSource {
  let containerName = "rawvideo"
  let tracks: [AssetTrack]
  var duration: MediaTime { tracks.first?.duration ?? .invalid }
  let metadata: [String: String] = [:]

  private let input: ByteInput
  private let format: RawVideoFormat
  private let pool: FramePool
  private var index: Int64 = 0
  private var isSelected = true
  private var isAtEnd = false

  init(input: ByteInput, format: RawVideoFormat, ledger: FrameLedger)
    throws(AssetReaderError)
  {
    self.input = input
    self.format = format
    pool = FramePool(format.frame, ledger: ledger)
    let frames = input.fileSize.map { Int($0) / format.bytesPerFrame }
    if let size = input.fileSize, frames == 0 {
      throw AssetReaderError(
        .truncated,
        "\(input.name) has \(size) bytes, less than one frame of \(format.bytesPerFrame); "
          + "check size and format")
    }
    tracks = [AssetTrack(raw: format, frameCount: frames)]
  }

  func select(_ tracks: Set<AssetTrack.ID>) { isSelected = tracks.contains(0) }

  func nextSample() throws(AssetReaderError) -> AssetSample? {
    guard isSelected, !isAtEnd else { return nil }
    var count = 0
    let frame = try pool.makeFrame { bytes throws(AssetReaderError) in
      count = try input.read(into: bytes)
      return count == bytes.count
    }
    guard let frame else {
      isAtEnd = true
      if count == 0 { return nil }
      throw AssetReaderError(
        .truncated,
        "\(input.name) ends within frame \(index): it holds \(index) complete frames of "
          + "\(format.bytesPerFrame) bytes and \(count) bytes more; check size and format")
    }
    defer { index += 1 }
    return AssetSample(frame, index: index, rate: format.frameRate)
  }

  func nextPacket() throws(AssetReaderError) -> CompressedPacket? {
    throw AssetReaderError(
      .unsupported, "\(input.name) is raw: it has no packets; read samples")
  }
}

extension AssetTrack {
  /// The only track of an uncompressed video file.
  init(raw format: RawVideoFormat, frameCount: Int?, codecName: String = "rawvideo") {
    let table = format.frame.format.descriptor
    self.init(
      id: 0, mediaType: .video, codecName: codecName, codecTag: nil, profile: nil,
      formatDescription: .video(VideoFormatDescription(format.frame)),
      frameRate: format.frameRate, sourceFormatName: table.libavName ?? table.name,
      sourceBitDepth: table.bitDepth, hasAlpha: table.hasAlpha, rotation: 0, channelLayout: nil,
      timecode: nil, timecodeText: nil, startTime: .zero,
      duration: frameCount.map { format.frameRate.frameDuration * Int64($0) } ?? .invalid,
      sampleCount: frameCount, timeUnit: format.frameRate.frameDuration, language: nil)
    hasFullChroma = [.yuv444, .rgb].contains(table.subsampling)
    statesFieldOrder = format.statesFieldOrder
  }
}

extension AssetSample {
  /// A frame of a stream of constant rate.
  init(_ frame: PixelBuffer, index: Int64, rate: FrameRate) {
    self.init(
      trackID: 0,
      sampleBuffer: SampleBuffer(
        .video(frame), presentationTimeStamp: rate.frameDuration * index,
        duration: rate.frameDuration),
      index: index, isKeyFrame: true)
  }
}
