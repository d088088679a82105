import AVFoundationCompat

/// A recorder that wants H.264 or HEVC, and takes ProRes if neither is available.
final class CodecFallback: NSObject, AVCaptureFileOutputRecordingDelegate, @unchecked Sendable {
  private let session = AVCaptureSession()
  private let movieOutput = AVCaptureMovieFileOutput()
  private var completion: ((Result<URL, any Error>) -> Void)?

  func prepare() throws -> AVVideoCodecType? {
    session.beginConfiguration()
    defer { session.commitConfiguration() }
    let input = try AVCaptureDeviceInput(device: .testCamera())
    guard session.canAddInput(input), session.canAddOutput(movieOutput) else { return nil }
    session.addInput(input)
    session.addOutput(movieOutput)
    guard let connection = movieOutput.connection(with: .video) else { return nil }
    let codecs = movieOutput.availableVideoCodecTypes
    let codec: AVVideoCodecType?
    if codecs.contains(.h264) {
      codec = .h264
    } else if codecs.contains(.hevc) {
      codec = .hevc
    } else {
      codec = codecs.first
    }
    if let codec {
      movieOutput.setOutputSettings([AVVideoCodecKey: codec], for: connection)
    }
    return codec
  }

  func record(to url: URL, completion: @escaping (Result<URL, any Error>) -> Void) {
    self.completion = completion
    movieOutput.maxRecordedDuration = CMTimeMakeWithSeconds(0.2, preferredTimescale: 600)
    session.startRunning()
    movieOutput.startRecording(to: url, recordingDelegate: self)
  }

  func fileOutput(
    _ output: AVCaptureFileOutput, didFinishRecordingTo outputFileURL: URL,
    from connections: [AVCaptureConnection], error: (any Error)?
  ) {
    session.stopRunning()
    var success = true
    if let error = error as? AVError {
      success = error.userInfo[AVErrorRecordingSuccessfullyFinishedKey] as? Bool ?? false
    }
    completion?(success ? .success(outputFileURL) : .failure(error ?? AVError(.unknown)))
    completion = nil
  }

  /// The older API for a writer's settings, with a fallback.
  static func writerSettings(for writer: AVAssetWriter) -> [String: Any]? {
    let size: [String: Any] = [AVVideoWidthKey: 640, AVVideoHeightKey: 360]
    for codec in [AVVideoCodecH264, AVVideoCodecHEVC, AVVideoCodecType.proRes422.rawValue] {
      let settings = size.merging([AVVideoCodecKey: codec]) { _, new in new }
      if writer.canApply(outputSettings: settings, forMediaType: .video) { return settings }
    }
    return nil
  }

  static func run() async throws {
    let recorder = CodecFallback()
    guard let codec = try recorder.prepare() else { throw AVError(.encoderNotFound) }
    let url: URL = try await withCheckedThrowingContinuation { continuation in
      recorder.record(to: scratchURL("codec.mov")) { continuation.resume(with: $0) }
    }
    expect(FileManager.default.fileExists(atPath: url.path), "there is no movie")
    let track = try await AVURLAsset(url: url).loadTracks(withMediaType: .video).first
    guard let description = try await track?.load(.formatDescriptions).first else {
      throw AVError(.fileFormatNotRecognized)
    }
    let code = CMFormatDescriptionGetMediaSubType(description)
    let text = String(
      decoding: [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: code >> $0) }, as: UTF8.self)
    expect(text == codec.rawValue, "the track is \(text), not \(codec.rawValue)")
    let writer = try AVAssetWriter(outputURL: scratchURL("unused.mov"), fileType: .mov)
    expect(writerSettings(for: writer) != nil, "no settings can be applied")
  }
}
