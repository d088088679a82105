// Records two seconds from a device: record-take FILE [DEVICE]
import AssetWriter
import Foundation
import MediaCore
import VideoRecorder

let arguments = Array(CommandLine.arguments.dropFirst())
let file = URL(filePath: arguments.first ?? "take.mov")

let device = try CaptureDevice.device(identifier: arguments.count > 1 ? arguments[1] : "pattern")

let session = CaptureSession()
let output = CaptureMovieFileOutput()
try session.configure { session throws(CaptureError) in
  try session.add(CaptureDeviceInput(device: device))
  try session.add(output)
}

if let connection = output.connection(with: .video) {
  try output.setVideoCodec(.proRes422HQ, for: connection)
}
output.maxRecordedDuration = MediaTime(value: 2, timescale: 1)

try await session.start()
let report = try await output.record(to: file)
await session.stop()

print(report.frames.written, "frames written,", report.frames.dropped, "dropped")
