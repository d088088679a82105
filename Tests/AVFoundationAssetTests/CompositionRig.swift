import AVFoundationCompat
import TestSupport
import Testing

/// Shared by the tests of compositions: movies whose frames and samples tell where they come from,
/// and checks of the results.
protocol CompositionRig {
  var folder: TemporaryFolder { get }
}

extension CompositionRig {
  /// A movie of 20 frames at 25 a second, each of its own gray, and a ramp of audio; the values
  /// tell where they come from.
  func makeMovie(
    _ name: String, number: Int = 0, size: (Int, Int) = (320, 180), codec: String = "prores_ks",
    audio: Bool = true
  ) throws -> AVURLAsset {
    let first = number * 20
    var line = "-f lavfi -i color=black:s=\(size.0)x\(size.1):r=25,format=yuv422p10le,"
      .split(separator: " ").map(String.init)
    line[3] += "geq=lum=100+\(first)*8+N*8:cb=512:cr=512"
    if audio {
      line += ["-f", "lavfi", "-i", "aevalsrc=(\(first)*1920+n)/65536|-n/65536:s=48000:d=0.8"]
      line += ["-c:a", "pcm_s16le"]
    }
    line += ["-frames:v", "20", "-c:v", codec, "-timecode", "01:00:0\(number):00"]
    if codec == "prores_ks" { line += ["-profile:v", "3"] }
    _ = try Judges.ffmpeg(line + [folder.path(name)])
    return AVURLAsset(url: folder.url(name))
  }

  func frames(_ start: Int64, _ count: Int64) -> CMTimeRange {
    CMTimeRange(
      start: CMTime(value: start, timescale: 25), duration: CMTime(value: count, timescale: 25))
  }

  func at(_ frame: Int64) -> CMTime { CMTime(value: frame, timescale: 25) }

  @discardableResult
  func export(
    _ asset: AVAsset, to name: String, _ preset: String = AVAssetExportPresetPassthrough,
    range: CMTimeRange? = nil
  ) async throws -> AVAssetExportSession {
    let session = try #require(AVAssetExportSession(asset: asset, presetName: preset))
    if let range { session.timeRange = range }
    try await session.export(to: folder.url(name), as: .mov)
    #expect(session.status == .completed && session.progress == 1)
    return session
  }

  /// Checks the file with a program that decodes every frame and knows nothing of how the movie was
  /// made.
  func verify(_ name: String) throws {
    #expect(try Judges.strictDecode(folder.path(name)) == "")
  }

  func withChapters(_ asset: AVURLAsset) throws -> AVURLAsset {
    let facts = try folder.write(
      ";FFMETADATA1\n[CHAPTER]\nTIMEBASE=1/1000\nSTART=0\nEND=400\ntitle=One\n", "chapters.txt")
    _ = try Judges.ffmpeg(
      ["-i", asset.url.path, "-i", facts.path, "-map_metadata", "1", "-c", "copy"]
        + [folder.path("chapters.mov")])
    return AVURLAsset(url: folder.url("chapters.mov"))
  }

  /// The frames' presentation times, from ffprobe.
  func shown(_ name: String) throws -> [String] {
    let result = try Judges.run(
      "ffprobe",
      [
        "-v", "error", "-select_streams", "v:0", "-show_entries", "packet=pts_time", "-of",
        "csv=p=0",
      ]
        + [folder.path(name)])
    return String(decoding: result.data, as: UTF8.self).split(separator: "\n").map(String.init)
  }

  func reading(_ asset: AVAsset, _ type: AVMediaType) throws -> [CMSampleBuffer] {
    let reader = try AVAssetReader(asset: asset)
    let track = try #require(asset.tracks(withMediaType: type).first)
    let output = AVAssetReaderTrackOutput(
      track: track, outputSettings: type == .video ? [:] : nil)
    try #require(reader.canAdd(output))
    reader.add(output)
    try #require(reader.startReading(), "\(String(describing: reader.error))")
    var samples: [CMSampleBuffer] = []
    while let sample = output.copyNextSampleBuffer() { samples.append(sample) }
    #expect(reader.status == .completed)
    return samples
  }

  func times(of asset: AVAsset) throws -> [CMTime] {
    try reading(asset, .video).map(\.presentationTimeStamp)
  }

  func gray(of asset: AVAsset) throws -> [UInt16] {
    try reading(asset, .video).map { sample in
      let frame = try #require(CMSampleBufferGetImageBuffer(sample))
      CVPixelBufferLockBaseAddress(frame, .readOnly)
      defer { CVPixelBufferUnlockBaseAddress(frame, .readOnly) }
      let base = try #require(CVPixelBufferGetBaseAddressOfPlane(frame, 0))
      return base.loadUnaligned(as: UInt16.self)
    }
  }
}
