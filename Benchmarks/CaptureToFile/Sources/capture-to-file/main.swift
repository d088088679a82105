// Measures the cost of a frame apart from encoding: the queue, audio, the movie's layout and the writes, in
// processor time of one core. UHD, ProRes 422 HQ at its full rate, two audio channels.
//
//     capture-to-file [FRAMES [FOLDER]]
//
// TRACE_ALLOCATIONS=N prints the callers of every Nth allocation in the steady state.
import AllocationCount
import AssetWriter
import Foundation
import MediaCore
import QuickTime
import Synchronization

let frames = max(CommandLine.arguments.dropFirst().first.flatMap(Int.init) ?? 480, 100)
let folder = CommandLine.arguments.dropFirst(2).first ?? FileManager.default.currentDirectoryPath
let path = folder + "/capture-to-file.mov"
let (width, height) = (3840, 2160)
/// Frames until every pool and table has reached its final size.
let warmUp = 60
let traceInterval =
  ProcessInfo.processInfo.environment["TRACE_ALLOCATIONS"].flatMap(UInt64.init) ?? 0

/// Noise in a device's layout, which needs the full target rate.
func makeFrame(_ seed: UInt64) throws -> PixelBuffer {
  var frame = try MutablePixelBuffer(.init(format: .p210, width: width, height: height))
  for plane in 0..<frame.planeCount {
    frame.withUnsafeMutableBytes(ofPlane: plane) { bytes in
      let words = bytes.bindMemory(to: UInt16.self)
      var state = seed | 1
      for index in words.indices {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        words[index] = UInt16(400 + Int(state >> 56)) << 6
      }
    }
  }
  return frame.finish()
}

let rate = FrameRate.fps60
let stereo = AudioFormat(sampleRate: 48_000, channelCount: 2, sampleFormat: .int24)
let silence = try AudioBuffer(format: stereo, bytes: [UInt8](repeating: 0, count: 800 * 6))
let images = try (0..<3).map { try makeFrame(UInt64($0) * 977 + 5) }
let costs = FileCosts()
let writer = AssetWriter(outputURL: URL(fileURLWithPath: path)) {
  (url: URL) throws(QuickTimeError) in try MeasuredMovieFile(path: url.path, costs: costs)
}
let video = AssetWriterInput(
  outputSettings: VideoOutputSettings(
    codec: .proRes422HQ, width: width, height: height, frameRate: rate))
let audio = AssetWriterInput(outputSettings: AudioOutputSettings(format: stereo))
try writer.add(video)
try writer.add(audio)
try writer.start()
try writer.startSession(atSourceTime: .zero)

var queueing: Int64 = 0
var audioTime: Int64 = 0
let kernelBefore = KernelThreads.processorTime()
let clock = ContinuousClock()
let start = clock.now
for frame in 0..<frames {
  if frame == warmUp {
    allocation_trace(traceInterval)
    allocation_count_start()
  }
  let time = rate.time(ofFrame: Int64(frame))
  while !video.isReadyForMoreMediaData { usleep(500) }
  let began = threadTime()
  try video.append(
    SampleBuffer(.video(images[frame % images.count]), presentationTimeStamp: time))
  let queued = threadTime()
  try audio.append(SampleBuffer(.audio(silence), presentationTimeStamp: time))
  // The first frame sets up the encoder.
  if frame > 0 {
    queueing += queued - began
    audioTime += threadTime() - queued
  }
}
allocation_count_stop()
let elapsed = start.duration(to: clock.now) / .seconds(1)
let kernel = KernelThreads.processorTime() - kernelBefore
let report = try await writer.finishWriting()
let fileSize = try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int ?? 0
try FileManager.default.removeItem(atPath: path)

let track = report.video[0]
let count = Double(frames)
func line(_ what: String, _ milliseconds: Double, _ remark: String = "") {
  print(what.padding(toLength: 22, withPad: " ", startingAt: 0), terminator: "")
  print(String(format: "%8.3f ms", milliseconds), remark)
}
func milliseconds(_ nanoseconds: Int64) -> Double { Double(nanoseconds) / 1e6 / count }
let file = [
  milliseconds(costs.write.load(ordering: .relaxed)),
  milliseconds(costs.reserve.load(ordering: .relaxed)),
  milliseconds(costs.synchronize.load(ordering: .relaxed)),
]
let writing = report.writerProcessorTime * 1000 / count
let queue = Double(queueing) / 1e6 / max(count - 1, 1)
let audioCost = Double(audioTime) / 1e6 / max(count - 1, 1)
print(
  "\(width)x\(height) \(track.codec) by \(track.encoder), \(frames) frames at "
    + String(format: "%.1f a second", count / elapsed))
print(
  "bytes a frame         \(track.bytes / Int64(track.framesWritten)) of \(track.targetFrameBytes);",
  "\(fileSize / frames) in the file")
print("Processor time a frame, the kernel's included:")
line("unpack", 0, "the encoder reads the device's layout")
line("queue", queue)
line("audio", audioCost)
line(
  "mux", max(writing - file.reduce(0, +), 0),
  "all that the writing thread does but calls of the file")
line(
  "write", file[0],
  (costs.isDirect.load(ordering: .relaxed) ? "past" : "through") + " the page cache (bound: 0.3)")
line("reserve", file[1])
line("sync", file[2])
line("together", queue + audioCost + writing, "(bound: 4)")
line("kernel's threads", kernel * 1000 / count, "of the whole machine: an upper bound")
line("encode and all", Double(processTime()) / 1e6 / count, "of the whole process")
print("Real time:")
line("write, longest", report.writeTime.maximum)
line("encode, mean", track.encodeTime.mean)
let steady = Double(frames - warmUp)
print(
  "Heap, after \(warmUp) frames: "
    + String(
      format: "%.2f allocations and %.0f bytes a frame", Double(allocation_count()) / steady,
      Double(allocation_bytes()) / steady))
