// Writes two seconds of a moving ramp, with a beep every second: your own samples through the asset writer.
import AssetWriter
import MediaCore

let stereo = AudioFormat(sampleRate: 48_000, channelCount: 2, sampleFormat: .int16)
let writer = try AssetWriter(path: CommandLine.arguments.dropFirst().first ?? "samples.mov")
let video = AssetWriterInput(
  outputSettings: VideoOutputSettings(
    codec: .proRes422HQ, width: 640, height: 360, frameRate: .fps25))
let audio = AssetWriterInput(outputSettings: AudioOutputSettings(format: stereo))
let frames = try writer.inputReceiver(for: video)
let audioReceiver = try writer.inputReceiver(for: audio)
try writer.start()
try writer.startSession(atSourceTime: .zero)
for frame in 0..<50 {
  let time = MediaTime(value: Int64(frame), timescale: 25)
  var image = try MutablePixelBuffer(.init(format: .yuv422p10, width: 640, height: 360))
  for plane in 0..<3 {
    image.withUnsafeMutableBytes(ofPlane: plane) { bytes in
      let samples = bytes.bindMemory(to: UInt16.self)
      for x in samples.indices { samples[x] = plane == 0 ? UInt16(64 + (x + frame) % 640) : 512 }
    }
  }
  try await frames.append(SampleBuffer(.video(image.finish()), presentationTimeStamp: time))
  let volume = frame % 25 == 0 ? 32 : 0
  let beep = (0..<1920 * 4).map { byte in UInt8(byte / 96 % 2 * (byte % 2) * volume) }
  try await audioReceiver.append(
    SampleBuffer(.audio(AudioBuffer(format: stereo, bytes: beep)), presentationTimeStamp: time))
}
print(try await writer.finishWriting().video[0].framesWritten, "frames")
