/// Rising numbers as runs of even steps: those of an hour of a steady rate are three numbers, which every part reads,
/// in place of ninety thousand.
struct EvenRuns {
  /// First number, step and count of each run, one run after the other.
  let values: [Int64]

  /// - Parameter numbers: Rising.
  init(_ numbers: [Int64]) {
    var values: [Int64] = []
    var next = 0
    while next < numbers.count {
      let first = numbers[next]
      let step = next + 1 < numbers.count ? numbers[next + 1] - first : 0
      var end = next + 1
      while end < numbers.count, numbers[end] - numbers[end - 1] == step { end += 1 }
      values += [first, step, Int64(end - next)]
      next = end
    }
    self.values = values
  }

  /// - Parameter values: As a file tells them.
  init(values: [Int64]) { self.values = values }

  /// The numbers; nil if the runs make no sense, or stand for more than a limit.
  func numbers(limit: Int) -> [Int64]? {
    guard values.count % 3 == 0 else { return nil }
    var numbers: [Int64] = []
    for run in stride(from: 0, to: values.count, by: 3) {
      let (first, step, count) = (values[run], values[run + 1], values[run + 2])
      guard count > 0, count <= limit - numbers.count else { return nil }
      let (length, isTooLong) = step.multipliedReportingOverflow(by: count - 1)
      guard !isTooLong, !first.addingReportingOverflow(length).overflow else { return nil }
      for number in 0..<count { numbers.append(first + step * number) }
    }
    return numbers
  }
}
