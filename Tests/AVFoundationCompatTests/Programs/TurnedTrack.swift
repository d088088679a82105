import AVFoundationCompat

/// Writes a movie that players rotate upright, as phone apps do.
final class TurnedTrack {
  enum Orientation { case portrait, upsideDown, landscape }

  static func transform(for orientation: Orientation) -> CGAffineTransform {
    var transform = CGAffineTransform.identity
    switch orientation {
    case .portrait: transform = transform.rotated(by: .pi / 2)
    case .upsideDown: transform = CGAffineTransform(rotationAngle: .pi)
    case .landscape: break
    }
    return transform
  }

  static func write(_ orientation: Orientation, to url: URL) async throws {
    let writer = try AVAssetWriter(url: url, fileType: .mov)
    let settings: [String: Any] = [
      AVVideoCodecKey: AVVideoCodecType.proRes422LT, AVVideoWidthKey: NSNumber(value: 64),
      AVVideoHeightKey: NSNumber(value: 48),
    ]
    let input = AVAssetWriterInput(mediaType: .video, outputSettings: settings)
    input.transform = transform(for: orientation)
    input.expectsMediaDataInRealTime = true
    if writer.canAdd(input) { writer.add(input) }
    writer.startWriting()
    let sample = try RetimedSamples.frame(at: 5)
    writer.startSession(atSourceTime: CMSampleBufferGetPresentationTimeStamp(sample))
    if input.isReadyForMoreMediaData { input.append(sample) }
    input.markAsFinished()
    await writer.finishWriting()
    if let error = writer.error { throw error }
  }

  static func run() async throws {
    for (name, orientation) in [
      ("portrait", Orientation.portrait), ("down", .upsideDown), ("landscape", .landscape),
    ] {
      let url = scratchURL("\(name).mov")
      try await write(orientation, to: url)
      let asset = AVURLAsset(url: url)
      guard let track = try await asset.loadTracks(withMediaType: .video).first else {
        throw AVError(.fileFormatNotRecognized)
      }
      let (size, turn) = try await track.load(.naturalSize, .preferredTransform)
      let shown = size.applying(turn)
      let isUpright = abs(shown.width) < abs(shown.height)
      expect(isUpright == (orientation == .portrait), "\(name) is shown as \(shown)")
      let wanted = transform(for: orientation)
      expect(abs(turn.a - wanted.a) < 1e-6 && abs(turn.b - wanted.b) < 1e-6, "\(name): \(turn)")
    }
    let flipped = CGAffineTransform(scaleX: -1, y: 1).concatenating(.init(translationX: 64, y: 0))
    expect(CGPoint(x: 4, y: 0).applying(flipped).x == 60, "a flip does not mirror the point")
  }
}
