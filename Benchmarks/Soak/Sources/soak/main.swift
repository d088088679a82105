// Records with faults for hours of simulated time, or in real time, and reports the slope of resident memory
// and leaked descriptors.
//
//     soak [--seconds N] [--real] [--segment SECONDS] [--size WxH] [--rate R] [--folder FOLDER]
//
// Two hours of simulated time by default. Frames are lost and flagged as damaged, the signal disappears and
// returns every ten minutes of a movie, audio is lost, the take is cut into segments of two minutes, and each
// is removed once it is finished. `--segment 0` makes a single movie, and leaves the signal as it is.
import Foundation
import HeapUse
import MediaCore
import Takes
import VideoRecorder

struct Options {
  var seconds = 7200.0
  var isRealTime = false
  var segment = 120.0
  var size = VideoDimensions(width: 640, height: 360)
  var rate = FrameRate.fps25
  var folder = NSTemporaryDirectory()

  init() {
    var arguments = CommandLine.arguments.dropFirst()
    while let option = arguments.popFirst() {
      switch option {
      case "--real": isRealTime = true
      case "--seconds": seconds = arguments.popFirst().flatMap(Double.init) ?? seconds
      case "--segment": segment = arguments.popFirst().flatMap(Double.init) ?? segment
      case "--size": size = arguments.popFirst().flatMap { VideoDimensions($0) } ?? size
      case "--rate": rate = arguments.popFirst().flatMap { FrameRate($0) } ?? rate
      case "--folder": folder = arguments.popFirst() ?? folder
      default:
        FileHandle.standardError.write(Data("soak: unknown option \(option)\n".utf8))
        exit(2)
      }
    }
  }

  var request: RecordingRequest {
    var request = RecordingRequest(preset: Preset(name: "soak"))
    let pace = isRealTime ? "real" : "none"
    let signal = Int(600 * rate.framesPerSecond)
    request.deviceID =
      "pattern:clock?pace=\(pace)&ppm=50&drop=0.001&damage=0.001&seed=8"
      + (segment > 0 ? "&signal=\(signal),2" : "")
    request.preset.audio.device =
      "tone?pace=\(isRealTime ? "real" : "pattern")&ppm=-50&drop=0.001&seed=9"
    request.preset.video.dimensions = size
    request.preset.video.frameRate = rate
    request.preset.video.codec = .proRes422Proxy
    request.preset.timecode = .start("01:00:00:00")
    if segment > 0 { request.preset.segment = .duration(.seconds(segment)) }
    // In real time the signal is bridged; in simulated time a new movie begins, with everything reset.
    request.preset.faults.interruption = isRealTime ? .hold : .newSegment
    request.duration = .frames(Int(seconds * rate.framesPerSecond))
    return request
  }
}

enum Held {
  static var residentBytes: Double {
    let text = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8)) ?? ""
    let pages = text.split(separator: " ").dropFirst().first.flatMap { Double($0) } ?? 0
    return pages * Double(sysconf(Int32(_SC_PAGESIZE)))
  }

  /// The target of each open descriptor.
  static var descriptors: [String] {
    let numbers = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
    return numbers.compactMap {
      try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)")
    }
  }
}

/// Memory over media time.
struct Samples {
  var points: [(seconds: Double, bytes: Double)] = []

  /// The samples after the first tenth, in which pools fill and code is loaded.
  var late: ArraySlice<(seconds: Double, bytes: Double)> { points.dropFirst(points.count / 10) }

  /// Bytes per hour, by least squares.
  var slope: Double {
    guard late.count > 2 else { return 0 }
    let count = Double(late.count)
    let x = late.reduce(0) { $0 + $1.seconds } / count
    let y = late.reduce(0) { $0 + $1.bytes } / count
    let over = late.reduce(0) { $0 + ($1.seconds - x) * ($1.seconds - x) }
    let sum = late.reduce(0) { $0 + ($1.seconds - x) * ($1.bytes - y) }
    return over > 0 ? sum / over * 3600 : 0
  }

  var line: String {
    String(
      format: "%.1f MB after a tenth, %.1f MB at the end, %.1f MB at most; slope %+.2f MB/h",
      (late.first?.bytes ?? 0) / 1e6, (late.last?.bytes ?? 0) / 1e6,
      (points.map(\.bytes).max() ?? 0) / 1e6, slope / 1e6)
  }
}

func show(_ line: String) { FileHandle.standardOutput.write(Data((line + "\n").utf8)) }

let options = Options()
let folder = URL(filePath: options.folder).appending(path: "soak-\(getpid())")
try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
defer { try? FileManager.default.removeItem(at: folder) }

/// Removes all movies but the three newest.
func removeFinished(in folder: URL) {
  let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
  let dated = names.compactMap { name -> (name: String, date: Date)? in
    let file = folder.appending(path: name)
    let date = try? file.resourceValues(forKeys: [.contentModificationDateKey])
      .contentModificationDate
    return date.map { (name, $0) }
  }
  let old = dated.sorted { $0.date < $1.date }.dropLast(3)
  for movie in old { try? FileManager.default.removeItem(at: folder.appending(path: movie.name)) }
}

/// A recording of one second opens everything that is opened once.
var short = options.request
short.duration = .frames(25)
_ = try await RecordingSetup(short).record(to: folder.appending(path: "first.mov").path)
// Including the runtime's timers.
try await Task.sleep(for: .milliseconds(10))
let descriptorsBefore = Held.descriptors

let series = try RecordingSeries(options.request)
let watch = Task { () -> (resident: Samples, heap: Samples) in
  var resident = Samples()
  var heap = Samples()
  var earlier = 0.0
  var last = 0.0
  while !Task.isCancelled {
    let now = series.setup.output.progress?.duration ?? 0
    // A new movie begins at 0.
    if now < last { earlier += last }
    last = now
    resident.points.append((earlier + now, Held.residentBytes))
    heap.points.append((earlier + now, Double(heap_bytes_in_use())))
    removeFinished(in: folder)
    try? await Task.sleep(for: .milliseconds(options.isRealTime ? 1000 : 100))
  }
  return (resident, heap)
}
let clock = ContinuousClock()
let began = clock.now
let path = folder.appending(path: "take.mov").path
let report = try await series.record { () throws(CaptureError) in
  MovieName.Resolution(path: path)
}
let seconds = began.duration(to: clock.now) / .seconds(1)
watch.cancel()
let samples = await watch.value
try await Task.sleep(for: .seconds(1))
let descriptorsAfter = Held.descriptors

let reports = [report] + report.continuations
func total(_ value: (RecordingReport) -> Int) -> Int { reports.reduce(0) { $0 + value($1) } }
let hours = reports.reduce(0) { $0 + $1.movie.duration } / 3600
show(String(format: "media %.2f h in %.0f s", hours, seconds))
show(
  "movies \(total { max($0.segments.count, 1) }), interruptions \(reports.count - 1), frames "
    + "\(total { Int($0.movie.frameCount) }), dropped \(total { $0.frames.dropped }), repeated "
    + "\(total { $0.frames.repeated }), damaged \(total { $0.frames.damaged }), audio lost "
    + "\(total { Int($0.audio.reduce(0) { $0 + $1.lost }) }) samples")
show("resident     \(samples.resident.line)")
show("heap in use  \(samples.heap.line)")
show("descriptors \(descriptorsBefore.count) before, \(descriptorsAfter.count) after")
let isLeaking = descriptorsAfter.count > descriptorsBefore.count
if isLeaking { show("open at the end: \(descriptorsAfter.sorted().joined(separator: ", "))") }
if isLeaking || !reports.allSatisfy(\.isValid) { exit(1) }
