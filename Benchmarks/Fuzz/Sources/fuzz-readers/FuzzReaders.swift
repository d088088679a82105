import Glibc

/// Feeds mutated files to everything that reads files, and stops at the first that does harm.
///
///     swift run -c release -Xswiftc -enable-testing --package-path Benchmarks/Fuzz fuzz-readers \
///       [--inputs MILLIONS] [--each COUNT] [--seed N] [--only SUBJECT] [--replay SUBJECT N]
///
/// A crash, a trap or an input that exceeds the time limit ends the run with a line that tells how to replay
/// it. Memory is limited for the whole process, so an allocation beyond the limit is a crash too. Internal
/// readers are fed directly, which is why the modules are built for testing.
@main
struct FuzzReaders {
  static func main() throws {
    var inputs = 10_000_000.0
    var seed: UInt64 = 1
    var only: String?
    var replay: Int?
    var each: Int?
    var arguments = CommandLine.arguments.dropFirst()
    while let option = arguments.popFirst() {
      switch option {
      case "--inputs": inputs = (arguments.popFirst().flatMap(Double.init) ?? 10) * 1e6
      case "--seed": seed = arguments.popFirst().flatMap(UInt64.init) ?? 1
      case "--each": each = arguments.popFirst().flatMap(Int.init)
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
    let subjects = try subjects(seeds)
    Watch.begin()
    Watch.limitMemory()
    print(
      "an input may take \(Watch.memoryLimit >> 20) MB and \(Watch.timeLimit) s; seed \(seed)")
    print(Run.Result.header)
    for subject in subjects where only == nil || only == subject.name {
      let count = each ?? max(Int(inputs * subject.share), 1)
      let range = replay.map { $0..<$0 + 1 } ?? 0..<count
      let result = Run(subject: subject, seed: seed).feed(range)
      print(result.line(subject.name))
    }
  }

  /// The readers, each with its share of the inputs.
  private static func subjects(_ seeds: Seeds) throws -> [any Subject] {
    let photos = try PhotoSeeds()
    return [
      MovieSubject(seeds: seeds.movies), RecoverySubject(seeds: seeds.movies),
      FrameSubject(seeds: seeds.frames), NegativeSubject(photos), LosslessJPEGSubject(photos),
      try Y4MSubject(), try PresetSubject(), CalibrationSubject(),
      try RawSubject(), OptionSubject(), try VerifierSubject(seeds: seeds.movies),
      OpcodeSubject(), try DevelopmentSubject(photos), SidecarSubject(), try ProfileSubject(),
      HyperDeckSubject(), OSCSubject(),
    ]
  }
}

/// Something that reads files.
protocol Subject {
  var name: String { get }
  /// Its share of all inputs.
  var share: Double { get }
  func input(using random: inout SplitMix64) -> [UInt8]
  /// Reads an input.
  ///
  /// - Returns: True if it was accepted, false if it was refused with an error.
  func read(_ input: [UInt8]) -> Bool
}

/// Inputs for a subject, one after another, each with its own seed so that it can be replayed.
struct Run {
  let subject: any Subject
  let seed: UInt64

  struct Result {
    var accepted = 0
    var refused = 0
    var slowest: Int64 = 0
    var largest = 0
    /// Processor time, including that for making the inputs.
    var seconds = 0.0

    static let header = line([
      "reader", "inputs", "accepted", "refused", "slowest ms", "largest MB", "seconds", "a second",
    ])

    func line(_ name: String) -> String {
      let inputs = accepted + refused
      return Self.line([
        name, "\(inputs)", "\(accepted)", "\(refused)", "\(Double(slowest / 1000) / 1000)",
        "\(largest >> 20)", "\(Int(seconds))", "\(Int(Double(inputs) / max(seconds, 1e-9)))",
      ])
    }

    private static func line(_ columns: [String]) -> String {
      columns.enumerated().map { index, text in
        let space = String(repeating: " ", count: max((index == 0 ? 15 : 11) - text.count, 1))
        return index == 0 ? text + space : space + text
      }.joined()
    }
  }

  func feed(_ range: Range<Int>) -> Result {
    var result = Result()
    let began = Watch.processorTime
    Watch.resetPeak()
    let before = Watch.peakMemory
    for number in range {
      var random = SplitMix64(seed: seed &* 0x9E37_79B9 &+ UInt64(number))
      let input = subject.input(using: &random)
      let start = Watch.enter(subject.name, number, seed)
      if subject.read(input) { result.accepted += 1 } else { result.refused += 1 }
      result.slowest = max(result.slowest, Watch.leave(since: start))
    }
    result.largest = max(Watch.peakMemory - before, 0)
    result.seconds = Double(Watch.processorTime - began) / 1e9
    return result
  }
}
