// What a frame costs apart from encoding: the queue, the sound, the movie's layout and the writes,
// in processor time of one core. UHD, ProRes 422 HQ at its full rate, two channels of sound.
import AssetWriter
import Foundation
import MediaCore

let frames = CommandLine.arguments.dropFirst().first.flatMap(Int.init) ?? 240
let folder = CommandLine.arguments.dropFirst(2).first ?? FileManager.default.currentDirectoryPath
let path = folder + "/capture-to-file.mov"
let (width, height) = (3840, 2160)

/// Nanoseconds of processor time of this thread.
func threadTime() -> Int64 {
  var time = timespec()
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
  return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
}

/// Noise in a device's own layout: it takes all of the target rate.
func makePicture(_ seed: UInt64) throws -> PixelBuffer {
  let picture = try PixelBuffer(.init(format: .p210, width: width, height: height))
  for plane in 0..<picture.planeCount {
    picture.withMutableBytes(ofPlane: plane) { bytes in
      let words = bytes.bindMemory(to: UInt16.self)
      var state = seed | 1
      for index in words.indices {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        words[index] = UInt16(400 + Int(state >> 56)) << 6
      }
    }
  }
  return picture
}

let stereo = AudioFormat(sampleRate: 48_000, channelCount: 2, sampleFormat: .int24)
let silence = try AudioBuffer(format: stereo, bytes: [UInt8](repeating: 0, count: 1920 * 6))
let pictures = try (0..<3).map { try makePicture(UInt64($0) * 977 + 5) }
var configuration = AssetWriter.Configuration()
configuration.overwritePolicy = .replace
let writer = try AssetWriter(path: path, configuration: configuration)
let video = AssetWriterInput(
  outputSettings: VideoOutputSettings(
    codec: .proRes422HQ, width: width, height: height, frameRate: .fps25))
let audio = AssetWriterInput(outputSettings: AudioOutputSettings(format: stereo))
try writer.add(video)
try writer.add(audio)
try writer.start()
try writer.startSession(atSourceTime: .zero)

var appending: Int64 = 0
for frame in 0..<frames {
  let time = MediaTime(value: Int64(frame), timescale: 25)
  while !video.isReadyForMoreMediaData { usleep(500) }
  let began = threadTime()
  try video.append(
    SampleBuffer(.video(pictures[frame % pictures.count]), presentationTimeStamp: time))
  try audio.append(SampleBuffer(.audio(silence), presentationTimeStamp: time))
  // The first frame sets up the encoder.
  if frame > 0 { appending += threadTime() - began }
}
let report = try await writer.finishWriting()
try FileManager.default.removeItem(atPath: path)

func milliseconds(_ value: Double) -> String { String(format: "%7.3f ms", value) }
let track = report.video[0]
let writing = report.writerProcessorTime * 1000 / Double(frames)
let handing = Double(appending) / 1e6 / Double(max(frames - 1, 1))
print("\(width)x\(height) \(track.codec) by \(track.encoder), \(frames) frames")
print(
  "bytes a frame        \(track.bytes / Int64(track.framesWritten)) of \(track.targetFrameBytes)")
print("append, processor   \(milliseconds(handing)) a frame")
print("write, processor    \(milliseconds(writing)) a frame")
print("together            \(milliseconds(handing + writing)) a frame (bound: 4)")
print("write, longest      \(milliseconds(report.writeTime.maximum)) of real time")
print("encode, mean        \(milliseconds(track.encodeTime.mean)) of real time")
