/// The quantization index of each slice of a progressive frame.
func quantizationIndices(_ frame: [UInt8]) -> [Int] {
  func number(_ offset: Int) -> Int { Int(frame[offset]) << 8 | Int(frame[offset + 1]) }
  let picture = 8 + number(8)
  let count = number(picture + 5)
  let table = picture + Int(frame[picture] >> 3)
  var slice = table + 2 * count
  return (0..<count).map { index in
    defer { slice += number(table + 2 * index) }
    return Int(frame[slice + 1])
  }
}
