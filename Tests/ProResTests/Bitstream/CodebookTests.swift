import Testing

@testable import ProRes

@Suite struct CodebookTests {
  static let books =
    [Codebook.firstDC] + (0..<4).map { Codebook.dc(previousMagnitude: $0) }
    + (0..<16).map { Codebook.run(previous: $0) }
    + (0..<10).map { Codebook.level(previousMagnitude: $0) }

  @Test(arguments: Set(books)) func every_value_reads_back_as_written(book: Codebook) {
    let codes = CodeTable([book])
    var reader = BitReader()
    for value in Array(0..<600) + [1023, 2047, 4095, 8191, 16_383, 32_767] {
      let (bits, length) = book.code(value)
      var bytes = [UInt8](repeating: 0xFF, count: 9)
      let word = UInt64(bits) << UInt64(64 - length) | (~0 >> UInt64(length))
      for index in 0..<8 {
        bytes[index] = UInt8(truncatingIfNeeded: word >> UInt64(56 - index * 8))
      }
      reader.open(bytes.span.bytes, 0..<9)
      #expect(reader.read(codes, book: 0) == value)
      #expect(reader.position == length)
    }
  }

  @Test(arguments: Set(books)) func code_length_never_shrinks_as_values_grow(book: Codebook) {
    var last = 0
    for value in 0..<5000 {
      let length = book.code(value).length
      #expect(length >= last)
      last = length
    }
  }

  @Test func first_dc_code_of_small_values_is_five_bits_and_a_marker() {
    #expect(Codebook.firstDC.code(5) == (0b100101, 6))
    #expect(Codebook.firstDC.code(32) == (0b1000000, 8))
  }
}
