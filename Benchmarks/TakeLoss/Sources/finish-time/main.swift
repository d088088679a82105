// Measures how long it takes to finish a take, and to recover one that was never finished, by its size. The
// media are sparse; everything that finishing and recovery read or write is real.
//
//     finish-time [FOLDER]
import Foundation
import MediaCore
import QuickTime

let folder = CommandLine.arguments.dropFirst().first ?? NSTemporaryDirectory()
let path = folder + "/finish-time.mov"
defer { try? FileManager.default.removeItem(atPath: path) }

/// A frame of UHD HQ: the header that recovery looks for, and no zeros.
let frame = UnsafeMutableRawBufferPointer.allocate(byteCount: 3_686_880, alignment: 4096)
frame.initializeMemory(as: UInt8.self, repeating: 0xA5)
frame.storeBytes(of: UInt32(frame.count).bigEndian, as: UInt32.self)
for (index, letter) in "icpf".utf8.enumerated() { frame[4 + index] = letter }

let rate = FrameRate.fps25
let stereo = AudioFormat(sampleRate: 48_000, channelCount: 2, sampleFormat: .int24)
let second = [UInt8](repeating: 0x5A, count: 48_000 / 25 * stereo.bytesPerFrame)

/// Records a take of about `size` bytes, and leaves it as a killed recorder does.
@MainActor func record(_ size: Int) throws -> (MovieWriter, frames: Int) {
  let file = try SparseMovieFile(path: path)
  var configuration = MovieWriter.Configuration()
  configuration.syncPolicy = .off
  configuration.preallocation = 0
  let writer = try MovieWriter(file: file, configuration: configuration)
  let video = try writer.addVideoTrack(
    VideoTrackDescription(
      codec: .proRes422HQ, dimensions: VideoDimensions(width: 3840, height: 2160),
      frameRate: rate))
  let audio = try writer.addAudioTrack(AudioTrackDescription(format: stereo))
  try writer.start()
  let frames = max(size / frame.count, 24)
  for number in 0..<frames {
    if number == frames - 24 { file.isSparse = false }
    try writer.appendVideo(UnsafeRawBufferPointer(frame), to: video)
    try second.withUnsafeBytes { try writer.appendAudio($0, frames: 48_000 / 25, to: audio) }
  }
  // The kernel's pending writes of the recording are not part of finishing.
  try file.synchronize()
  return (writer, frames)
}

func milliseconds(_ body: () throws -> Void) rethrows -> Double {
  let clock = ContinuousClock()
  return try clock.measure(body) / .milliseconds(1)
}

print("    size   frames     finish    recover")
for gigabytes in [0.1, 0.5, 1, 5, 10, 25, 50] {
  let size = Int(gigabytes * 1e9)
  var best = (finish: Double.infinity, recover: Double.infinity)
  var count = 0
  for _ in 0..<3 {
    let (writer, frames) = try record(size)
    best.finish = min(best.finish, try milliseconds { _ = try writer.finish() })
    count = frames
    _ = try record(size)
    best.recover = min(best.recover, try milliseconds { try MovieRecovery.recover(path: path) })
  }
  print(
    String(
      format: "%5.1f GB %8d %7.1f ms %7.1f ms", gigabytes, count, best.finish, best.recover))
}
