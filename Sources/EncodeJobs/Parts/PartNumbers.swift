import MediaCore

/// Part numbers in the syntax of job arrays: `0-3,7`.
public struct PartNumbers: Sendable, Hashable {
  private let ranges: [ClosedRange<Int>]

  init(_ numbers: [Int]) {
    var runs: [ClosedRange<Int>] = []
    for number in numbers.sorted() {
      if let last = runs.last, last.upperBound + 1 == number {
        runs[runs.count - 1] = last.lowerBound...number
      } else {
        runs.append(number...number)
      }
    }
    ranges = runs
  }

  /// Parses comma-separated numbers and ranges; nil for anything else.
  public init?(_ text: String) {
    var ranges: [ClosedRange<Int>] = []
    for item in text.split(separator: ",", omittingEmptySubsequences: false) {
      let ends = item.split(separator: "-", omittingEmptySubsequences: false).map {
        Self.number($0)
      }
      guard (1...2).contains(ends.count), let first = ends[0], let last = ends[ends.count - 1],
        first <= last
      else { return nil }
      ranges.append(first...last)
    }
    self.ranges = ranges
  }

  /// Digits only: schedulers write no signs.
  private static func number(_ text: Substring) -> Int? {
    text.utf8.allSatisfy { (0x30...0x39).contains($0) } && text.count <= 9 ? Int(text) : nil
  }

  /// Environment variables in which schedulers put a task's array index, and the first index.
  private static let variables = [
    ("SLURM_ARRAY_TASK_ID", 0), ("JOB_COMPLETION_INDEX", 0), ("AWS_BATCH_JOB_ARRAY_INDEX", 0),
    ("PARALLEL_SEQ", 1),
  ]

  /// Reads the number that a scheduler gives a task in its environment.
  ///
  /// - Throws: ``EncodeJobError/Code/invalidArgument`` if there is none, or if several disagree, as
  ///   when one scheduler runs within a task of another.
  public init(ofEngine environment: [String: String]) throws(EncodeJobError) {
    var given: [(name: String, text: String, part: Int)] = []
    for (name, first) in Self.variables {
      guard let text = environment[name] else { continue }
      guard let number = Self.number(text[...]), number >= first else {
        throw EncodeJobError(
          .invalidArgument, "\(name) is '\(text)', which is not a part number; give the number")
      }
      given.append((name, text, number - first))
    }
    guard let part = given.first?.part else {
      throw EncodeJobError(
        .invalidArgument,
        "no part number; give one, or call it from an engine that sets "
          + Self.variables.map(\.0).joined(separator: ", "))
    }
    guard given.allSatisfy({ $0.part == part }) else {
      throw EncodeJobError(
        .invalidArgument,
        given.map { "\($0.name)=\($0.text) is part \($0.part)" }.joined(separator: ", ")
          + ": give the number that is meant")
    }
    ranges = [part...part]
  }

  /// The textual form of the numbers.
  public var text: String {
    ranges.map { $0.count == 1 ? "\($0.lowerBound)" : "\($0.lowerBound)-\($0.upperBound)" }
      .joined(separator: ",")
  }

  private init(ranges: [ClosedRange<Int>]) { self.ranges = ranges }

  /// The numbers that are beyond the last part; nil if there are none.
  ///
  /// - Parameters:
  ///   - limit: The number of parts.
  ///   - size: The number of parts per number; the last number's may be fewer.
  public func beyond(_ limit: Int, batchesOf size: Int) -> PartNumbers? {
    let end = limit > 0 ? (limit - 1) / size + 1 : 0
    let ranges = ranges.filter { $0.upperBound >= end }
      .map { max($0.lowerBound, end)...$0.upperBound }
    return ranges.isEmpty ? nil : PartNumbers(ranges: ranges)
  }

  /// The parts that the numbers stand for, each for several consecutive parts.
  ///
  /// - Parameters:
  ///   - size: The number of parts per number.
  ///   - limit: The number of parts; those beyond are left out.
  public func batches(of size: Int, limit: Int) -> [Int] {
    ranges.flatMap { range -> Range<Int> in
      let first = min(range.lowerBound.multipliedReportingOverflow(by: size).partialValue, limit)
      let end = (range.upperBound + 1).multipliedReportingOverflow(by: size)
      return first..<max(end.overflow ? limit : min(end.partialValue, limit), first)
    }
  }
}
