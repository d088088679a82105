import Glibc

/// Feeds mutated files to everything that reads files, and stops at the first that does harm.
///
///     fuzz-readers [--inputs MILLIONS] [--seed N] [--only SUBJECT] [--replay SUBJECT N]
///
/// A crash, a trap or an input that takes longer than the limit ends the run with a line that tells
/// how to replay it. Memory is limited for the whole process, so an allocation beyond the bound is a
/// crash too.
@main
struct FuzzReaders {
  static func main() throws {
    var inputs = 10_000_000.0
    var seed: UInt64 = 1
    var only: String?
    var replay: Int?
    var arguments = CommandLine.arguments.dropFirst()
    while let option = arguments.popFirst() {
      switch option {
      case "--inputs": inputs = (arguments.popFirst().flatMap(Double.init) ?? 10) * 1e6
      case "--seed": seed = arguments.popFirst().flatMap(UInt64.init) ?? 1
      case "--only": only = arguments.popFirst()
      case "--replay":
        only = arguments.popFirst()
        replay = arguments.popFirst().flatMap(Int.init)
      default:
        print("fuzz-readers: unknown option \(option)")
        exit(2)
      }
    }
    let seeds = try Seeds()
    Watch.limitMemory()
    Watch.begin()
    print("memory limit \(Watch.memoryLimit >> 20) MB, time limit \(Watch.timeLimit) s an input")
    print("subject          inputs   accepted  refused  slowest ms  seconds")
    for subject in try subjects(seeds) where only == nil || only == subject.name {
      let count = max(Int(inputs * subject.share), 1)
      let range = replay.map { $0..<$0 + 1 } ?? 0..<count
      let result = Run(subject: subject, seed: seed).feed(range)
      print(result.line(subject.name))
    }
  }

  /// The readers, each with its share of the inputs.
  private static func subjects(_ seeds: Seeds) throws -> [any Subject] {
    [
      MovieSubject(seeds: seeds.movies), RecoverySubject(seeds: seeds.movies),
      FrameSubject(seeds: seeds.frames), try Y4MSubject(), try PresetSubject(),
      try VerifierSubject(seeds: seeds.movies),
    ]
  }
}

/// Something that reads files.
protocol Subject {
  var name: String { get }
  /// Its part of all inputs.
  var share: Double { get }
  /// Makes an input.
  func input(using random: inout SplitMix64) -> [UInt8]
  /// Reads it.
  ///
  /// - Returns: True where it was accepted, false where it was refused with an error.
  func read(_ input: [UInt8]) -> Bool
}

/// Inputs for a subject, one after another, each from a seed of its own so that it can be replayed.
struct Run {
  let subject: any Subject
  let seed: UInt64

  struct Result {
    var accepted = 0
    var refused = 0
    var slowest: Int64 = 0
    var seconds = 0.0

    func line(_ name: String) -> String {
      func column(_ text: String, _ width: Int) -> String {
        String(repeating: " ", count: max(width - text.utf8.count, 1)) + text
      }
      let slow = Double(slowest / 1000) / 1000
      return name + column("\(accepted + refused)", 23 - name.utf8.count)
        + column("\(accepted)", 11)
        + column("\(refused)", 9) + column("\(slow)", 12) + column("\(Int(seconds))", 9)
    }
  }

  func feed(_ range: Range<Int>) -> Result {
    var result = Result()
    let began = Watch.now
    for number in range {
      var random = SplitMix64(seed: seed &* 0x9E37_79B9 &+ UInt64(number))
      let input = subject.input(using: &random)
      let start = Watch.enter(subject.name, number, seed)
      if subject.read(input) { result.accepted += 1 } else { result.refused += 1 }
      result.slowest = max(result.slowest, Watch.leave(since: start))
    }
    result.seconds = Double(Watch.now - began) / 1e9
    return result
  }
}
