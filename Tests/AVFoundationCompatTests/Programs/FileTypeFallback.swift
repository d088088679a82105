import AVFoundationCompat

/// Writes an MPEG-4 file if possible, else a QuickTime movie.
final class FileTypeFallback {
  private let writer: AVAssetWriter
  private let input: AVAssetWriterInput
  private let adaptor: AVAssetWriterInputPixelBufferAdaptor

  init?(name: String) {
    let kinds: [(AVFileType, String, AVVideoCodecType)] = [
      (.mp4, "mp4", .h264), (.m4v, "m4v", .h264), (.mov, "mov", .proRes422),
    ]
    var made: (AVAssetWriter, [String: Any])?
    for (type, ending, codec) in kinds where made == nil {
      let url = scratchURL(name).appendingPathExtension(ending)
      let settings: [String: Any] = [
        AVVideoCodecKey: codec, AVVideoWidthKey: 64, AVVideoHeightKey: 48,
      ]
      if let writer = try? AVAssetWriter(outputURL: url, fileType: type),
        writer.canApply(outputSettings: settings, forMediaType: .video)
      {
        made = (writer, settings)
      }
    }
    guard let (writer, settings) = made else { return nil }
    self.writer = writer
    input = AVAssetWriterInput(mediaType: .video, outputSettings: settings)
    input.expectsMediaDataInRealTime = false
    let attributes: [String: Any] = [
      kCVPixelBufferPixelFormatTypeKey as String: kCVPixelFormatType_422YpCbCr8,
      kCVPixelBufferWidthKey as String: 64,
      kCVPixelBufferHeightKey as String: 48,
    ]
    adaptor = AVAssetWriterInputPixelBufferAdaptor(
      assetWriterInput: input, sourcePixelBufferAttributes: attributes)
    guard writer.canAdd(input) else { return nil }
    writer.add(input)
  }

  func write(frames: Int) async throws -> URL {
    guard writer.startWriting() else { throw writer.error ?? AVError(.unknown) }
    writer.startSession(atSourceTime: .zero)
    for frame in 0..<frames {
      while !input.isReadyForMoreMediaData { try await Task.sleep(nanoseconds: 1_000_000) }
      guard let pool = adaptor.pixelBufferPool else { throw AVError(.outOfMemory) }
      var image: CVPixelBuffer?
      guard CVPixelBufferPoolCreatePixelBuffer(nil, pool, &image) == kCVReturnSuccess,
        let image
      else { throw AVError(.outOfMemory) }
      fill(image, with: UInt8(16 + frame * 20))
      let time = CMTime(value: CMTimeValue(frame), timescale: 25)
      guard adaptor.append(image, withPresentationTime: time) else {
        throw writer.error ?? AVError(.unknown)
      }
    }
    input.markAsFinished()
    await withCheckedContinuation { continuation in
      writer.finishWriting { continuation.resume() }
    }
    switch writer.status {
    case .completed: return writer.outputURL
    case .failed, .cancelled: throw writer.error ?? AVError(.unknown)
    case .unknown, .writing: throw AVError(.operationNotAllowed)
    @unknown default: throw AVError(.unknown)
    }
  }

  private func fill(_ frame: CVPixelBuffer, with level: UInt8) {
    guard CVPixelBufferLockBaseAddress(frame, []) == kCVReturnSuccess else { return }
    if let base = CVPixelBufferGetBaseAddress(frame) {
      memset(base, Int32(level), CVPixelBufferGetDataSize(frame))
    }
    CVPixelBufferUnlockBaseAddress(frame, [])
  }

  static func run() async throws {
    guard let program = FileTypeFallback(name: "any") else { throw AVError(.encoderNotFound) }
    let url = try await program.write(frames: 5)
    let asset = AVAsset(url: url)
    let duration = try await asset.load(.duration)
    expect(abs(duration.seconds - 0.2) < 0.05, "the movie's duration is \(duration.seconds) s")
    expect(["mp4", "m4v", "mov"].contains(url.pathExtension), "the file is \(url.path)")
    expect((try? AVAssetWriter(url: scratchURL("a.m4a"), fileType: .jpg)) == nil, "JPEG is a movie")
  }
}
