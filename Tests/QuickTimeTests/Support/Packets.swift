import Foundation
import QuickTime
import TestSupport

/// Real ProRes frames, made once by ffmpeg and read with the reader under test.
struct Packets {
  /// Coded frames of 160x96 at 30000/1001, a few KB each.
  let frames: [[UInt8]]

  static let standard: Packets = {
    do {
      return try Packets(codec: ["-profile:v", "2", "-pix_fmt", "yuv422p10le"])
    } catch {
      return Packets(frames: [])
    }
  }()

  private init(frames: [[UInt8]]) { self.frames = frames }

  init(codec: [String], size: String = "160x96", rate: String = "30000/1001", count: Int = 60)
    throws
  {
    let folder = try TemporaryFolder()
    let path = folder.path("made.mov")
    let result = try Judges.run(
      Judges.decoder,
      ["-v", "error", "-f", "lavfi", "-i", "testsrc2=size=\(size):rate=\(rate)"]
        + ["-vf", "setparams=color_primaries=bt709:color_trc=bt709:colorspace=bt709"]
        + ["-frames:v", "\(count)", "-c:v", "prores_ks"] + codec
        + ["-color_primaries", "bt709", "-color_trc", "bt709", "-colorspace", "bt709", path])
    guard result.status == 0 else { throw CocoaError(.executableLoad) }
    let index = try MovieIndex(path: path)
    let file = try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
    frames =
      try (index.videoTrack?.samples).map { samples in
        try samples.map { sample in
          try file.seek(toOffset: sample.offset)
          return Array(try file.read(upToCount: Int(sample.size)) ?? Data())
        }
      } ?? []
  }
}

/// PCM in which all samples of all channels differ, within a period of 30000 samples.
func pcm(frames: Int, from start: Int = 0, channels: Int, bytes: Int) -> [UInt8] {
  guard channels == 2, bytes == 3 else {
    return makePCM(frames: frames, from: start, channels: channels, bytes: bytes)
  }
  var result: [UInt8] = []
  var frame = start % pcmPeriod
  while result.count < frames * 6 {
    let count = min(frames - result.count / 6, pcmPeriod - frame)
    result += stereoPeriod[(frame * 6)..<((frame + count) * 6)]
    frame = (frame + count) % pcmPeriod
  }
  return result
}

private let pcmPeriod = 30000
private let stereoPeriod = makePCM(frames: pcmPeriod, from: 0, channels: 2, bytes: 3)

private func makePCM(frames: Int, from start: Int, channels: Int, bytes: Int) -> [UInt8] {
  var result: [UInt8] = []
  result.reserveCapacity(frames * channels * bytes)
  for frame in start..<(start + frames) {
    for channel in 0..<channels {
      let value = Int32(truncatingIfNeeded: (frame * 37 + channel * 1009) % pcmPeriod - 15000)
      let scaled = UInt32(bitPattern: value) << UInt32(8 * (bytes - 2))
      for byte in 0..<bytes { result.append(UInt8(truncatingIfNeeded: scaled >> UInt32(8 * byte))) }
    }
  }
  return result
}
