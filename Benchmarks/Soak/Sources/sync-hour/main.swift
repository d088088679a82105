// Measures the offset of audio from video over an hour of simulated time, by the flashes and beeps in the
// finished movies: cameras and sound cards have clocks that are off, and lose a thousandth of everything.
//
//     sync-hour [SECONDS [FOLDER]]      default 3600
//
// The exit status is 1 if an offset reaches half a frame.
import Foundation
import MediaCore
import MovieTools
import Takes
import VideoRecorder

struct Clocks {
  /// How fast the clocks are, in millionths.
  var video: Double
  var audio: Double
  var loss = 0.001

  func request(_ seconds: Double) -> RecordingRequest {
    var request = RecordingRequest(preset: Preset(name: "sync-hour"))
    request.deviceID = "pattern:clock?pace=none&ppm=\(video)&drop=\(loss)&seed=3"
    request.preset.audio.device = "tone?pace=pattern&ppm=\(audio)&drop=\(loss)&seed=4"
    request.preset.video.dimensions = VideoDimensions(width: 640, height: 360)
    request.preset.video.frameRate = .fps25
    request.preset.video.codec = .proRes422Proxy
    request.preset.timecode = .start("01:00:00:00")
    request.duration = .seconds(seconds)
    return request
  }
}

let arguments = CommandLine.arguments
let seconds = arguments.dropFirst().first.flatMap(Double.init) ?? 3600
let folder = arguments.dropFirst(2).first ?? NSTemporaryDirectory()
let path = "\(folder)/sync-hour-\(getpid()).mov"
defer { try? FileManager.default.removeItem(atPath: path) }

func show(_ line: String) { FileHandle.standardOutput.write(Data((line + "\n").utf8)) }

show("   video    audio  seconds  flashes  largest     mean    first     last  lost  repeated")
var isInStep = true
for clocks in [
  Clocks(video: 100, audio: -100), Clocks(video: -100, audio: 100),
  Clocks(video: 0, audio: 0),
] {
  let report = try await RecordingSetup(clocks.request(seconds)).record(to: path)
  let sync = try SyncMeasurement(path: path)
  show(
    String(
      format: "%+4.0f ppm %+4.0f ppm %8.0f %8d %5.2f ms %+5.2f ms %+5.2f ms %+5.2f ms %5d %9d",
      clocks.video, clocks.audio, report.movie.duration, sync.count, sync.largest * 1000,
      sync.mean * 1000, sync.first * 1000, sync.last * 1000, report.frames.dropped,
      report.frames.repeated))
  let isWhole = Double(sync.count) > seconds * 0.95 && report.isValid
  isInStep = isInStep && isWhole && sync.largest < 0.5 / 25
  try FileManager.default.removeItem(atPath: path)
}
if !isInStep { exit(1) }
