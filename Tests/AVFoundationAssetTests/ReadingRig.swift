import AVFoundationCompat
import Synchronization
import TestSupport
import Testing

/// A folder with a movie for tests that read it back.
struct ReadingRig {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Luma of a gray frame.
  static func luma(_ frame: Int) -> UInt16 { UInt16(100 + frame * 40) }

  /// Finished movies without metadata, by their transform: most tests need the same one.
  private static let made = Mutex<[[CGFloat]: Data]>([:])

  /// A movie of 20 gray frames at 25 a second and a stereo ramp of audio, made with Apple's names.
  func makeMovie(
    transform: CGAffineTransform = .identity, metadata: [AVMetadataItem] = []
  ) async throws -> AVURLAsset {
    let url = folder.url("made.mov")
    guard metadata.isEmpty else { return try await write(url, transform, metadata) }
    let key = [transform.a, transform.b, transform.c, transform.d, transform.tx, transform.ty]
    if let known = Self.made.withLock({ $0[key] }) {
      try known.write(to: url)
      return AVURLAsset(url: url)
    }
    let asset = try await write(url, transform, [])
    let data = try Data(contentsOf: url)
    Self.made.withLock { $0[key] = data }
    return asset
  }

  private func write(
    _ url: URL, _ transform: CGAffineTransform, _ metadata: [AVMetadataItem]
  ) async throws -> AVURLAsset {
    let writer = try AVAssetWriter(outputURL: url, fileType: .mov)
    writer.metadata = metadata
    let video = AVAssetWriterInput(
      mediaType: .video,
      outputSettings: [
        AVVideoCodecKey: AVVideoCodecType.proRes422HQ, AVVideoWidthKey: 320, AVVideoHeightKey: 180,
      ])
    video.transform = transform
    let audio = AVAssetWriterInput(
      mediaType: .audio,
      outputSettings: [
        AVFormatIDKey: kAudioFormatLinearPCM, AVSampleRateKey: 48_000, AVNumberOfChannelsKey: 2,
        AVLinearPCMBitDepthKey: 16,
      ])
    writer.add(video)
    writer.add(audio)
    let adaptor = AVAssetWriterInputPixelBufferAdaptor(
      assetWriterInput: video,
      sourcePixelBufferAttributes: [
        kCVPixelBufferPixelFormatTypeKey as String:
          kCVPixelFormatType_422YpCbCr10BiPlanarVideoRange, kCVPixelBufferWidthKey: 320,
        kCVPixelBufferHeightKey: 180,
      ])
    try #require(writer.startWriting(), "\(String(describing: writer.error))")
    writer.startSession(atSourceTime: .zero)
    let format = AudioFormat(sampleRate: 48_000, channelCount: 2, sampleFormat: .int16)
    for frame in 0..<20 {
      let time = CMTime(value: Int64(frame), timescale: 25)
      try append(Self.luma(frame), to: adaptor, at: time)
      let values = (0..<1920).flatMap { index -> [UInt8] in
        let value = UInt16(truncatingIfNeeded: frame * 1920 + index)
        let bytes = [UInt8(value & 0xFF), UInt8(value >> 8)]
        return bytes + bytes
      }
      let buffer = SampleBuffer(
        .audio(try MediaCore.AudioBuffer(format: format, bytes: values)),
        presentationTimeStamp: time)
      while !audio.isReadyForMoreMediaData { usleep(1000) }
      try #require(audio.append(buffer))
    }
    video.markAsFinished()
    audio.markAsFinished()
    await writer.finishWriting()
    try #require(writer.status == .completed, "\(String(describing: writer.error))")
    return AVURLAsset(url: url)
  }

  /// A movie of two 64x48 frames at 25 a second on each track; each track has its own gray level.
  func makeTwoTracks(_ name: String, levels: [UInt8]) async throws -> AVURLAsset {
    let url = folder.url(name)
    let writer = try AVAssetWriter(outputURL: url, fileType: .mov)
    let inputs = levels.map { _ in
      AVAssetWriterInput(
        mediaType: .video,
        outputSettings: [
          AVVideoCodecKey: AVVideoCodecType.proRes422, AVVideoWidthKey: 64, AVVideoHeightKey: 48,
        ])
    }
    for input in inputs { writer.add(input) }
    try #require(writer.startWriting(), "\(String(describing: writer.error))")
    writer.startSession(atSourceTime: .zero)
    for frame in 0..<2 {
      for (input, level) in zip(inputs, levels) {
        var memory = try MutablePixelBuffer(.init(format: .uyvy, width: 64, height: 48))
        memory.withUnsafeMutableBytes(ofPlane: 0) { bytes in
          for index in bytes.indices { bytes[index] = index % 2 == 0 ? 128 : level }
        }
        let sample = CMSampleBuffer(
          .video(memory.finish()), presentationTimeStamp: CMTime(value: Int64(frame), timescale: 25)
        )
        while !input.isReadyForMoreMediaData { usleep(1000) }
        try #require(input.append(sample), "\(String(describing: writer.error))")
      }
    }
    writer.endSession(atSourceTime: CMTime(value: 2, timescale: 25))
    await writer.finishWriting()
    try #require(writer.status == .completed, "\(String(describing: writer.error))")
    return AVURLAsset(url: url)
  }

  private func append(
    _ luma: UInt16, to adaptor: AVAssetWriterInputPixelBufferAdaptor, at time: CMTime
  ) throws {
    let pool = try #require(adaptor.pixelBufferPool)
    var made: CVPixelBuffer?
    try #require(CVPixelBufferPoolCreatePixelBuffer(nil, pool, &made) == kCVReturnSuccess)
    let frame = try #require(made)
    CVPixelBufferLockBaseAddress(frame, [])
    for (plane, code) in [(0, luma << 6), (1, UInt16(512) << 6)] {
      let base = try #require(CVPixelBufferGetBaseAddressOfPlane(frame, plane))
      let count = CVPixelBufferGetBytesPerRowOfPlane(frame, plane) * 180 / 2
      base.withMemoryRebound(to: UInt16.self, capacity: count) { codes in
        for index in 0..<count { codes[index] = code }
      }
    }
    CVPixelBufferUnlockBaseAddress(frame, [])
    while !adaptor.assetWriterInput.isReadyForMoreMediaData { usleep(1000) }
    try #require(adaptor.append(frame, withPresentationTime: time))
  }

  static func item(_ identifier: AVMetadataIdentifier, _ value: Any) -> AVMutableMetadataItem {
    let item = AVMutableMetadataItem()
    item.identifier = identifier
    item.value = value
    return item
  }
}
