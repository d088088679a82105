import AVFoundationCompat

/// Cuts and joins takes, as apps do after recording.
final class CutAndJoin {
  enum Failure: Error { case noTrack, noExport }

  /// A take of gray frames, ten at 25 a second.
  static func makeTake(_ name: String) async throws -> AVURLAsset {
    let url = scratchURL(name)
    let writer = try AVAssetWriter(outputURL: url, fileType: .mov)
    let input = AVAssetWriterInput(
      mediaType: .video,
      outputSettings: [
        AVVideoCodecKey: AVVideoCodecType.proRes422, AVVideoWidthKey: 64, AVVideoHeightKey: 48,
      ])
    writer.add(input)
    writer.startWriting()
    writer.startSession(atSourceTime: .zero)
    for frame in 0..<10 {
      let sample = try RetimedSamples.frame(at: Double(frame) / 25)
      while !input.isReadyForMoreMediaData { try await Task.sleep(nanoseconds: 1_000_000) }
      input.append(sample)
    }
    input.markAsFinished()
    writer.endSession(atSourceTime: CMTime(value: 10, timescale: 25))
    await writer.finishWriting()
    if let error = writer.error { throw error }
    return AVURLAsset(url: url, options: [AVURLAssetPreferPreciseDurationAndTimingKey: true])
  }

  static func join(_ assets: [AVAsset], leavingOut head: CMTime) async throws -> AVComposition {
    let composition = AVMutableComposition()
    guard
      let video = composition.addMutableTrack(
        withMediaType: .video, preferredTrackID: kCMPersistentTrackID_Invalid)
    else { throw Failure.noTrack }
    var insertTime = CMTime.zero
    for asset in assets {
      guard let track = try await asset.loadTracks(withMediaType: .video).first else {
        throw Failure.noTrack
      }
      let range = try await track.load(.timeRange)
      let kept = CMTimeRange(start: range.start + head, end: range.end)
      try video.insertTimeRange(kept, of: track, at: insertTime)
      video.preferredTransform = try await track.load(.preferredTransform)
      insertTime = CMTimeAdd(insertTime, kept.duration)
    }
    return composition
  }

  static func run() async throws {
    let takes = [try await makeTake("one.mov"), try await makeTake("two.mov")]
    let joined = try await join(takes, leavingOut: CMTime(value: 4, timescale: 25))
    expect(joined.duration == CMTime(value: 12, timescale: 25), "joined to \(joined.duration)")
    guard
      let session = AVAssetExportSession(
        asset: joined, presetName: AVAssetExportPresetPassthrough)
    else { throw Failure.noExport }
    session.outputURL = scratchURL("joined.mov")
    session.outputFileType = .mov
    await session.export()
    expect(session.status == .completed, "\(String(describing: session.error))")
    let movie = AVURLAsset(url: scratchURL("joined.mov"))
    expect(
      try await movie.load(.duration) == joined.duration,
      "the movie's duration is \(movie.duration)")
    let reader = try AVAssetReader(asset: movie)
    let output = AVAssetReaderTrackOutput(track: movie.tracks[0], outputSettings: [:])
    reader.add(output)
    reader.startReading()
    var count = 0
    while output.copyNextSampleBuffer() != nil { count += 1 }
    expect(count == 12 && reader.status == .completed, "\(count) frames")
  }
}
