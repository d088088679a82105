import Testing

@testable import TIFF

/// The forms of TIFF files.
@Suite struct TIFFFileTests {
  /// A BigTIFF file with a 64-bit number, a short, and a text outside the directory.
  private static func bigTIFF() -> [UInt8] {
    func number(_ value: UInt64, _ size: Int) -> [UInt8] {
      (0..<size).map { UInt8(truncatingIfNeeded: value >> (8 * UInt64($0))) }
    }
    let text = Array("recorder of stills\0".utf8)
    let end = UInt64(16 + 8 + 3 * 20 + 8)
    let header: [[UInt8]] = [
      [0x49, 0x49], number(43, 2), number(8, 2), number(0, 2), number(16, 8), number(3, 8),
    ]
    func entry(_ tag: UInt64, _ type: UInt64, count: Int, _ value: UInt64) -> [[UInt8]] {
      [number(tag, 2), number(type, 2), number(UInt64(count), 8), number(value, 8)]
    }
    var parts = header
    parts += entry(256, 16, count: 1, 6000)
    parts += entry(258, 3, count: 2, 0x000E_000E)
    parts += entry(305, 2, count: text.count, end)
    parts += [number(0, 8), text]
    return parts.flatMap { $0 }
  }

  @Test func big_tiff_is_read() throws {
    let directories = try TIFFDirectory.all(in: Self.bigTIFF())
    #expect(directories.count == 1)
    #expect(directories[0][.imageWidth] == .long8s([6000]))
    #expect(directories[0][.bitsPerSample] == .shorts([14, 14]))
    #expect(directories[0][.software]?.text == "recorder of stills")
  }

  @Test func a_truncated_big_tiff_is_an_error_at_every_length() {
    let bytes = Self.bigTIFF()
    // The next directory's offset may be missing.
    for length in 0..<bytes.count {
      let cut = Array(bytes[..<length])
      #expect(throws: TIFFError.self) { try TIFFDirectory.all(in: cut) }
    }
  }

  @Test func values_of_all_types_survive_a_round_trip() throws {
    var directory = TIFFDirectory()
    let values: [TIFFValue] = [
      .bytes([1, 255]), .ascii("text"), .shorts([1, 65_535]), .longs([.max]),
      .rationals([.init(numerator: 1, denominator: 3)]), .undefined([9, 8, 7, 6, 5]),
      .signedRationals([.init(numerator: -1, denominator: 3)]), .floats([-1.5]), .doubles([1e300]),
      .signedBytes([-1]), .signedShorts([-2, 3]), .signedLongs([.min]),
    ]
    for (index, value) in values.enumerated() {
      directory[TIFFTag(rawValue: UInt16(60_000 + index))] = value
    }
    let found = try TIFFDirectory.all(in: TIFFWriter.serialize(directory))
    #expect(found.count == 1 && found[0].entries == directory.entries)
  }

  @Test func text_is_decoded_as_utf_8_or_latin_1() {
    func text(_ bytes: [UInt8]) -> String? {
      TIFFValue(type: 2, bytes: bytes + [0], isLittleEndian: true)?.text
    }
    #expect(text(Array("© Jörg".utf8)) == "© Jörg")
    #expect(text([0xA9, 0x20, 0x4A, 0xF6, 0x72, 0x67]) == "© Jörg")
    #expect(text([0x4A, 0, 0xF6]) == "J")
  }

  @Test func circular_directories_are_refused() throws {
    var directory = TIFFDirectory()
    directory[.subIFDs] = .longs([8])
    let bytes = try TIFFWriter.serialize(directory)
    #expect(throws: TIFFError.endlessDirectories) { try TIFFDirectory.all(in: bytes) }
  }

  @Test func a_value_above_its_size_limit_is_refused() throws {
    var directory = TIFFDirectory()
    directory[.makerNote] = .undefined([UInt8](repeating: 1, count: 1000))
    let first = try TIFFFile(TIFFWriter.serialize(directory)).firstDirectory()
    #expect(throws: TIFFError.valueTooLarge(.makerNote)) {
      try first.value(.makerNote, byteLimit: 999)
    }
    #expect(try first.value(.makerNote, byteLimit: 1000)?.count == 1000)
  }
}
