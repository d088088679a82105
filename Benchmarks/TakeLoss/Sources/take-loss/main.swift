// Measures the loss when a recorder is killed or its file is cut: maximum and mean, and whether libavformat and
// libavcodec accept every remainder.
//
//     take-loss [KILLS [TRUNCATIONS [FOLDER [TAKE]]]]      default 1000 and 10000
//
// Both are divided among the kinds of takes; TAKE, 1 to 4, runs only the share of one.
import Foundation

/// A small seeded generator, so that a failure can be repeated.
struct SplitMix64: RandomNumberGenerator {
  private var state: UInt64
  init(seed: UInt64) { state = seed }
  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var value = state
    value = (value ^ value >> 30) &* 0xBF58_476D_1CE4_E5B9
    value = (value ^ value >> 27) &* 0x94D0_49BB_1331_11EB
    return value ^ value >> 31
  }
}

let arguments = CommandLine.arguments
if arguments.count == 4, arguments[1] == "child", let number = Int(arguments[3]) {
  try Kills.child(arguments[2], number)
  exit(0)
}
let kills = arguments.dropFirst().first.flatMap(Int.init) ?? 1000
let cuts = arguments.dropFirst(2).first.flatMap(Int.init) ?? 10_000
let parent = arguments.dropFirst(3).first ?? NSTemporaryDirectory()
let folder = "\(parent)/take-loss-\(getpid())"
try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)

let all = try Material.all()
let only = arguments.dropFirst(4).first.flatMap(Int.init)
let materials = only.map { Array(all[max($0 - 1, 0)..<min($0, all.count)]) } ?? all
for (number, material) in materials.enumerated() { try material.save(to: folder, number) }
var random = SplitMix64(seed: 20)
var tallies: [Tally] = []
@Sendable func show(_ line: String) { FileHandle.standardOutput.write(Data((line + "\n").utf8)) }
show(Tally.heading)
for (number, material) in materials.enumerated() where kills > 0 {
  let trial = Kills(material: material, number: number, folder: folder)
  let tally = try trial.run(&random, kills / all.count)
  show(tally.line("kill -9", material))
  tallies.append(tally)
}
for material in materials where cuts > 0 {
  let trial = Truncations(material: material, folder: folder)
  for isFinished in [false, true] {
    let tally = try trial.run(&random, cuts / all.count / 2, ofFinished: isFinished)
    show(tally.line(isFinished ? "cut after the finish" : "cut while recording", material))
    tallies.append(tally)
  }
}
let faults = tallies.flatMap(\.faults)
try FileManager.default.removeItem(atPath: folder)
for fault in faults.prefix(20) { show(fault) }
if !faults.isEmpty { exit(1) }
