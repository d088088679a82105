import DNG
import Foundation
import Glibc
import MediaCore
import RawDevelop

// raw-develop [MEGAPIXELS [FILE]]
//   measures development on a mosaic made here: medians of five rounds, peak memory; also writes
//   the mosaic's DNG file if one is named
// raw-develop render FILE OUTPUT [noise=0.5] [sharpness=0.5] [scale=0.5] [bits=8] [linear] [plain] [d65] [rounds=3]
//   develops a file: samples as bytes, words or floats in OUTPUT; prints its size and the minimum seconds.
//   plain omits what Adobe's SDK does not do, d65 makes the light of a cloudy day neutral
// raw-develop make MEGAPIXELS FILE
//   only writes the mosaic's DNG file

if CommandLine.arguments.count > 3, CommandLine.arguments[1] == "render" {
  try render(CommandLine.arguments[2], CommandLine.arguments[3], CommandLine.arguments.dropFirst(4))
  exit(0)
}
let isOnlyMade = CommandLine.arguments.dropFirst().first == "make"
let words = CommandLine.arguments.dropFirst(isOnlyMade ? 2 : 1)
let megapixels = words.first.flatMap { Double($0) } ?? 12
let height = Int((megapixels * 1e6 * 3 / 4).squareRoot() / 2) * 2
let width = height * 4 / 3 / 2 * 2

/// 12-bit waves, edges and noise.
func mosaic() throws -> RawImage {
  var state: UInt32 = 1
  var codes = [UInt16](repeating: 0, count: width * height)
  let across = (0..<width).map { 0.5 + 0.4 * sin(Double($0) / 31) }
  for row in 0..<height {
    let down = 0.5 + 0.4 * cos(Double(row) / 47)
    for column in 0..<width {
      state = state &* 1_664_525 &+ 1_013_904_223
      let isGreen = (row + column) & 1 == 1
      let edge = column / 97 % 2 == row / 61 % 2 ? 1.0 : 0.4
      let light = across[column] * down * edge * (isGreen ? 1 : 0.6)
      codes[row * width + column] = UInt16(light * 3700 + 64 + Double(state >> 28))
    }
  }
  return try RawImage(width: width, height: height, bitDepth: 12, samples: codes)
}

func processorSeconds() -> Double {
  var usage = rusage()
  getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
  return Double(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec)
    + Double(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) * 1e-6
}

func peakMebibytes() -> Int {
  var usage = rusage()
  getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
  return usage.ru_maxrss / 1024
}

var calibration = SensorCalibration.assumed(model: "Benchmark", bitDepth: 12)
calibration.neutral = [0.6, 1, 0.6]
let file = try BayerNegative(mosaic: try mosaic(), pattern: .rggb, calibration: calibration)
  .dngFileData()
if let name = words.dropFirst().first { try Data(file).write(to: URL(filePath: name)) }
if isOnlyMade { exit(0) }
print("\(width)x\(height), \(ProcessInfo.processInfo.activeProcessorCount) processors")
print("the file alone: \(peakMebibytes()) MiB at most")

func measure(_ name: String, _ change: (inout RAWFilter) -> Void) throws {
  var filter = try RAWFilter(data: file)
  change(&filter)
  var (times, processorTimes): ([Double], [Double]) = ([], [])
  for _ in 0..<5 {
    let (start, before) = (ContinuousClock.now, processorSeconds())
    let image = try filter.outputImage()
    let passed = (ContinuousClock.now - start) / .seconds(1)
    times.append(passed)
    processorTimes.append(processorSeconds() - before)
    precondition(image.width > 0)
  }
  let title = name.padding(toLength: 44, withPad: " ", startingAt: 0)
  print(
    title,
    String(
      format: "%.3f s, %.3f s of processors", times.sorted()[2], processorTimes.sorted()[2]),
    "peak \(peakMebibytes()) MiB")
}

try measure("quarter size") {
  $0.scaleFactor = 0.25
  $0.sampleFormat = .uint8
}
try measure("half size") {
  $0.scaleFactor = 0.5
  $0.sampleFormat = .uint8
}
try measure("defaults, 8 bits") { $0.sampleFormat = .uint8 }
try measure("defaults, 16 bits") { _ in }
try measure("linear, half floats") { $0.useLinearOutput() }
try measure("noise reduction") {
  $0.luminanceNoiseReductionAmount = 0.5
  $0.colorNoiseReductionAmount = 0.5
}
try measure("noise reduction and sharpening") {
  $0.luminanceNoiseReductionAmount = 0.5
  $0.colorNoiseReductionAmount = 0.5
  $0.sharpnessAmount = 0.5
}
