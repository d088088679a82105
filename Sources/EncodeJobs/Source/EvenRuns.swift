/// Increasing numbers as runs of equal steps: an hour at a constant rate takes three numbers, which
/// every part reads, instead of ninety thousand.
struct EvenRuns {
  /// The first number, step and count of each run, consecutively.
  let values: [Int64]

  /// - Parameter numbers: Increasing numbers.
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

  /// - Parameter values: The values from a file.
  init(values: [Int64]) { self.values = values }

  /// The numbers; nil if the runs are invalid or have more numbers than a limit.
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
