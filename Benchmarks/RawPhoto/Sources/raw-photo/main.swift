import DNG
import Foundation
import MediaCore
import RawPhoto
import VideoRecorder

/// Measures stills from a simulated camera and a scene whose light is known: time, memory, noise, ghosts,
/// stops. `raw-photo [FOLDER]` also leaves its files in a folder, for other programs.
let folder = CommandLine.arguments.dropFirst().first.map { URL(filePath: $0) }

func seconds(_ body: () throws -> Void) rethrows -> Double {
  let start = ContinuousClock.now
  try body()
  let passed = ContinuousClock.now - start
  return Double(passed.components.seconds) + Double(passed.components.attoseconds) * 1e-18
}

/// The best of some runs: the machine's speed without disturbance.
func best(_ runs: Int, _ body: () throws -> Void) rethrows -> Double {
  var times: [Double] = []
  for _ in 0..<runs { times.append(try seconds(body)) }
  return times.min() ?? 0
}

func say(_ name: String, _ value: Double, _ unit: String, _ remark: String = "") {
  let number = String(format: value < 10 ? "%.3f" : "%.1f", value)
  print(name.padding(toLength: 46, withPad: " ", startingAt: 0), number, unit, remark)
}

func save(_ bytes: [UInt8], _ name: String) throws {
  guard let folder else { return }
  try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  try PhotoFile.write(bytes, to: folder.appending(path: name).path)
}

let sensor = SyntheticSensor()

func frame(
  _ size: (width: Int, height: Int), stops: Double = 0, offset: (x: Double, y: Double) = (0, 0),
  object: SyntheticScene.Object? = nil, seed: UInt64
) throws -> SensorFrame {
  let exposure = SensorExposure(duration: 1.0 / 120 * exp2(stops))
  let codes = sensor.expose(
    SyntheticScene(width: size.width, height: size.height, object: object), exposure,
    width: size.width, height: size.height, offset: offset, seed: seed)
  return try SensorFrame(
    mosaic: RawImage(
      width: size.width, height: size.height, bitDepth: sensor.bitDepth, samples: codes),
    pattern: sensor.pattern, exposure: exposure, calibration: sensor.calibration)
}

// MARK: Time and memory, twelve megapixels

let large = (width: 4032, height: 3024)
let megapixels = Double(large.width * large.height) * 1e-6
let reference = try frame(large, seed: 1)
let bayer = try BayerNegative(
  mosaic: reference.mosaic, pattern: reference.pattern, calibration: reference.calibration)
var file: [UInt8] = []
let bayerTime = try best(5) { file = try bayer.dngFileData() }
say("Bayer DNG, 12 MP", bayerTime, "s", "(wanted: under 0.15)")
say("  samples", megapixels / bayerTime, "million/s")
say("  size", Double(file.count * 8) / (megapixels * 1e6), "bits a sample")
try save(file, "bayer.dng")
let whole = try DNGFile(file)
let image = try whole.rawImage()
let decodeTime = try best(3) { _ = try whole.decodePixels(of: image) }
say("  read back", decodeTime, "s")

let burst =
  try [reference]
  + [-2.0, 2, 0, 2].enumerated().map { index, stops in
    try frame(
      large, stops: stops, offset: (Double(2 * index), Double(-index)), seed: UInt64(index + 2))
  }
var negative: LinearNegative?
let mergeTime = try best(3) { negative = try LinearNegative(merging: burst) }
if let negative {
  var pixels: [UInt8] = []
  let renderTime = best(3) { pixels = negative.renderedPixels() }
  var preview: EncodedPreview?
  let previewTime = try best(3) {
    preview = try EncodedPreview(
      rendering: pixels, width: large.width, height: large.height, quality: 0.85)
  }
  var linear: [UInt8] = []
  let writeTime = try best(3) { linear = try negative.dngFileData(preview: preview) }
  say(
    "ProRAW of five frames, 12 MP, all", mergeTime + renderTime + previewTime + writeTime, "s",
    "(wanted: under 2.5)")
  say("  align, merge, demosaic", mergeTime, "s")
  say("  render", renderTime, "s")
  say("  preview's JPEG", previewTime, "s")
  say("  DNG", writeTime, "s")
  say("  size", Double(linear.count) * 1e-6, "MB")
  try save(linear, "proraw.dng")
}
let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
let most = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
let kibibytes = most?.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Double($0) }
say("Memory at most", (kibibytes ?? .nan) / 1024, "MiB", "(wanted: under 1024)")

// MARK: Stops of dynamic range, at a signal as great as its noise

let small = (width: 1280, height: 960)

/// The noise of green in a step of the scene's wedge, and its light.
func step(_ index: Int, of negative: LinearNegative) -> (noise: Double, light: Double) {
  let scene = SyntheticScene(width: small.width, height: small.height)
  let columns = small.width / 16
  var (sum, squares, count) = (0.0, 0.0, 0.0)
  let light = Double(scene.light(x: Double(index * columns + columns / 2), y: 940).y) / 2
  for row in small.height * 9 / 10..<small.height - 6 {
    for column in index * columns + 6..<(index + 1) * columns - 6 {
      let error = Double(negative.image[row, column].y) - light
      sum += error
      squares += error * error
      count += 1
    }
  }
  return ((squares / count - (sum / count) * (sum / count)).squareRoot(), light)
}

func stops(_ biases: [Double]) throws -> Double {
  let frames = try biases.enumerated().map {
    try frame(small, stops: $1, seed: UInt64($0 + 1))
  }
  let negative = try LinearNegative(merging: frames)
  // The darkest step's noise is that of darkness; light of that size is the least that can be seen.
  return log2(negative.headroom / step(0, of: negative).noise)
}

for (name, biases, known) in [
  ("1 frame", [0.0], 11.5), ("4 frames", [0, 0, 0, 0], 12.5),
  ("8 frames", [Double](repeating: 0, count: 8), 13.25),
  ("a bracket of 0/-2/+2", [0, -2, 2], 15.5),
] {
  say("Dynamic range, \(name)", try stops(biases), "stops", "(notes: \(known))")
}

// MARK: Noise and ghosts

let single = try LinearNegative(merging: [frame(small, seed: 1)])
for count in [4, 8] {
  let frames = try (0..<count).map { try frame(small, seed: UInt64($0 + 1)) }
  let merged = try LinearNegative(merging: frames)
  let ratio = step(9, of: single).noise / step(9, of: merged).noise
  say(
    "Noise of \(count) frames, one's divided by it", ratio, "",
    "(root: \(Double(count).squareRoot()))")
}

func ghost(_ negative: LinearNegative, _ scene: SyntheticScene) -> Double {
  var sum = 0.0
  for row in 320..<560 {
    for column in 300..<820 {
      let truth = SIMD3<Double>(scene.light(x: Double(column), y: Double(row))) / 2
      let error = SIMD3<Double>(negative.image[row, column]) - truth
      sum += (error * error).sum()
    }
  }
  return (sum / Double(240 * 520 * 3)).squareRoot()
}
let discs = (0..<4).map { SyntheticScene.Object(x: 400 + 90 * Double($0), y: 440, radius: 80) }
let truth = SyntheticScene(width: small.width, height: small.height, object: discs[0])
let moving = try LinearNegative(
  merging: discs.enumerated().map { try frame(small, object: $1, seed: UInt64($0 + 1)) })
let alone = try LinearNegative(merging: [frame(small, object: discs[0], seed: 1)])
say("Error around what moved, reference alone", ghost(alone, truth), "")
say("Error around what moved, four merged", ghost(moving, truth), "", "(ghosts would raise it)")

// MARK: Alignment

let offsets = [(0.0, 0.0), (2, -4), (7, 5), (-12.4, 9.3), (31, -22)]
let moved = try LinearNegative(
  merging: offsets.enumerated().map { try frame(small, offset: $1, seed: UInt64($0 + 1)) })
let errors = zip(offsets.dropFirst(), moved.displacements).map { offset, found in
  // A camera that moves right moves the scene left.
  ((found.x + offset.0) * (found.x + offset.0) + (found.y + offset.1) * (found.y + offset.1))
    .squareRoot()
}
say(
  "Alignment error, largest of four displacements", errors.max() ?? .nan, "pixels",
  "(whole cells: up to 1.41 is rounding)")

// MARK: Demosaicking, for compare-demosaic

let clean = SyntheticScene(width: small.width, height: small.height)
let mosaic = try frame(small, seed: 1)
var lights: [Float] = []
var error = 0.0

/// The sRGB code of light, 0 to 1.
func code(_ light: Float) -> Double {
  let x = Double(min(max(light, 0), 1))
  return x <= 0.0031308 ? 12.92 * x : 1.055 * pow(x, 1 / 2.4) - 0.055
}
for row in 0..<small.height {
  for column in 0..<small.width {
    let light = clean.light(x: Double(column), y: Double(row)) / 2
    for k in 0..<3 {
      lights.append(light[k])
      let difference = code(light[k]) - code(single.image[row, column][k])
      error += difference * difference
    }
  }
}
say(
  "Demosaicking, the sensor's noise and all", -10 * log10(error / Double(lights.count)), "dB",
  "(others': Benchmarks/RawPhoto/compare-demosaic FOLDER)")
try save(
  BayerNegative(
    mosaic: mosaic.mosaic, pattern: mosaic.pattern, calibration: mosaic.calibration
  ).dngFileData(), "demosaic.dng")
try save(lights.withUnsafeBytes { [UInt8]($0) }, "truth.f32")
try save(single.image.samples.withUnsafeBytes { [UInt8]($0) }, "ours.f32")
