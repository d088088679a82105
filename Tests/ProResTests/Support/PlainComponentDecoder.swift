@testable import ProRes

/// Decodes a component bit by bit, following the text of RDD 36, 7.1.1: the judge of the fast
/// decoder.
struct PlainComponentDecoder {
  private let bits: [Int]
  private var position = 0

  private init(_ bytes: [UInt8]) {
    bits = bytes.flatMap { byte in (0..<8).map { Int(byte >> UInt8(7 - $0)) & 1 } }
  }

  static func outcome(_ bytes: [UInt8], blocks: Int) -> ComponentDecoderTests.Outcome {
    var decoder = PlainComponentDecoder(bytes)
    do throws(ComponentDecoder.Failure) {
      let coefficients = try decoder.decode(blocks: blocks)
      return .decoded(
        padding: decoder.bits.count - decoder.position, coefficients: coefficients)
    } catch {
      return .refused(error)
    }
  }

  private mutating func decode(blocks: Int) throws(ComponentDecoder.Failure) -> [Int32] {
    let largest = 65_536
    var coefficients = [Int32](repeating: 0, count: blocks * 64)
    let first = try code(.firstDC)
    var value = first % 2 == 0 ? first / 2 : -(first + 1) / 2
    if abs(value) > largest { throw .valueTooLarge }
    coefficients[0] = Int32(value)
    var difference = Codebook.initialDCDifference
    var sign = 1
    for block in 1..<max(blocks, 1) {
      let code = try code(.dc(previousMagnitude: difference))
      difference = (code + 1) / 2
      sign = code == 0 ? 1 : code % 2 == 1 ? -sign : sign
      value += sign * difference
      if abs(value) > largest { throw .valueTooLarge }
      coefficients[block * 64] = Int32(value)
    }
    var run = Codebook.initialRun
    var level = Codebook.initialLevel
    var index = blocks - 1
    while position < bits.count, bits[position...].contains(1) {
      run = try code(.run(previous: run))
      level = try code(.level(previousMagnitude: level)) + 1
      let isNegative = take(1) == 1
      if position > bits.count { throw .endsInsideCode }
      index += run + 1
      if index >= blocks * 64 { throw .coefficientOutsideSlice }
      if level > largest { throw .valueTooLarge }
      let target = index % blocks * 64 + Int(ScanOrder.progressive[index / blocks])
      coefficients[target] = Int32(isNegative ? -level : level)
    }
    return coefficients
  }

  private mutating func code(_ book: Codebook) throws(ComponentDecoder.Failure) -> Int {
    let start = position
    var zeros = 0
    while zeros < 32, take(1) == 0 { zeros += 1 }
    let value: Int
    let length: Int
    if zeros < book.riceQuotients {
      length = zeros + 1 + book.riceOrder
      value = zeros << book.riceOrder + take(book.riceOrder)
    } else {
      length = zeros * 2 - book.riceQuotients + book.expOrder + 1
      if zeros >= 20 || length > 32 {
        throw bits.count - start < 32 ? .endsInsideCode : .codeTooLong
      }
      position = start
      value =
        take(length) - 1 << book.expOrder + book.riceQuotients << book.riceOrder
    }
    if position > bits.count { throw .endsInsideCode }
    return value
  }

  private mutating func take(_ count: Int) -> Int {
    var value = 0
    for _ in 0..<count {
      value = value * 2 + (position < bits.count ? bits[position] : 0)
      position += 1
    }
    return value
  }
}
