import MediaCore
import ProRes
import QuickTime

/// Valid files to begin with, made by the recorder's writers.
struct Seeds {
  var movies: [[UInt8]] = []
  var frames: [[UInt8]] = []

  init() throws {
    frames = try [
      Self.frame(.proxy, .yuv422p10, .progressive), Self.frame(.hq, .yuv422p10, .topFieldFirst),
      Self.frame(.xq, .yuv444p10, .progressive),
    ]
    for hasAudio in [true, false] {
      for length in [1, 12] {
        let file = MemoryFile()
        movies += try Self.movie(length, hasAudio: hasAudio, frame: frames[0], into: file)
        movies.append(file.content)
      }
    }
  }

  private static func frame(
    _ profile: ProResProfile, _ format: PixelFormat, _ fieldOrder: FieldOrder
  ) throws -> [UInt8] {
    let details = PixelBuffer.Description(
      format: format, width: 96, height: 64, fieldOrder: fieldOrder)
    var image = try MutablePixelBuffer(details)
    var random = SplitMix64(seed: 5)
    for index in 0..<image.planeCount {
      image.withUnsafeMutableBytes(ofPlane: index) { bytes in
        for place in stride(from: 0, to: bytes.count, by: 2) {
          let code = UInt16.random(in: 64...940, using: &random)
          bytes.storeBytes(of: code, toByteOffset: place, as: UInt16.self)
        }
      }
    }
    let frame = image.finish()
    let encoder = try ProResEncoder(
      configuration: .init(
        profile: profile, width: 96, height: 64, frameRate: .fps25, fieldOrder: fieldOrder,
        threads: 1, rateMode: .constantQuality(24)))
    var bytes = [UInt8](repeating: 0, count: encoder.maximumFrameSize)
    let count = try bytes.withUnsafeMutableBytes { try encoder.encode(frame, into: $0) }
    return Array(bytes.prefix(count))
  }

  /// Writes a movie; returns the file as it was after each fragment, as a kill leaves it.
  private static func movie(
    _ length: Int, hasAudio: Bool, frame: [UInt8], into file: MemoryFile
  ) throws -> [[UInt8]] {
    var configuration = MovieWriter.Configuration()
    configuration.fragmentInterval = 0.2
    let writer = try MovieWriter(file: file, configuration: configuration)
    let video = try writer.addVideoTrack(
      VideoTrackDescription(
        codec: .proRes422Proxy, dimensions: VideoDimensions(width: 96, height: 64),
        frameRate: .fps25))
    let format = AudioFormat(sampleRate: 8000, channelCount: 1, sampleFormat: .int16)
    let audio = hasAudio ? try writer.addAudioTrack(AudioTrackDescription(format: format)) : nil
    if let start = Timecode("10:00:00:00", frameRate: .fps25) {
      _ = try writer.addTimecodeTrack(TimecodeTrackDescription(start: start), for: video)
    }
    try writer.start()
    let silence = [UInt8](repeating: 0, count: 640)
    var unfinished: [[UInt8]] = []
    for _ in 0..<length {
      try frame.withUnsafeBytes { try writer.appendVideo($0, to: video) }
      if let audio {
        try silence.withUnsafeBytes { try writer.appendAudio($0, frames: 320, to: audio) }
      }
      if unfinished.last?.count != file.content.count { unfinished.append(file.content) }
    }
    _ = try writer.finish()
    return unfinished.suffix(2)
  }
}
