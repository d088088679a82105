import MediaCore
import TIFF
import Testing

@testable import DNG

/// Levels of JPEG XL files, whose samples are decoded to 16 bits whatever the stream's depth.
@Suite struct StoredJPEGXLTests {
  /// 8 by 8 samples, coded without loss by libjxl: 500 more from column to column, 50 from row to row.
  private static let ofTwelveBits: [UInt8] = [
    255, 10, 65, 96, 80, 180, 8, 8, 2, 1, 0, 216, 0, 75, 56, 105, 152, 202, 131, 247, 75, 40, 152,
    129, 226, 209, 226, 140, 113, 1, 255, 69, 242, 227, 232, 235, 245, 122, 189, 94, 23, 17, 17,
    17, 137, 61, 65, 65, 113, 34, 34, 66, 68, 74, 139, 46, 16, 17, 17, 68, 68, 68, 32, 34, 34, 16,
    1,
  ]

  /// The same numbers in a 16-bit stream.
  private static let ofSixteenBits: [UInt8] = [
    255, 10, 65, 240, 3, 20, 45, 2, 8, 2, 1, 0, 216, 0, 75, 56, 105, 152, 202, 131, 247, 75, 40,
    152, 129, 226, 209, 226, 140, 113, 1, 255, 69, 242, 227, 232, 235, 245, 122, 189, 94, 23, 17,
    17, 17, 137, 61, 65, 65, 113, 34, 34, 66, 68, 74, 139, 46, 16, 17, 17, 68, 68, 68, 32, 34, 34,
    16, 1,
  ]

  private static let codes: [Double] = (0..<64).map { index in
    let (row, column) = (index / 8, index % 8)
    return Double(500 * column + 50 * row)
  }

  /// The light of a 12-bit mosaic.
  private func read(
    _ stream: [UInt8], _ change: (inout TIFFDirectory) -> Void = { _ in }
  ) throws -> (light: [Double], spreadBitDepth: Int?) {
    var root = TIFFDirectory()
    root[.dngVersion] = .bytes([1, 7, 1, 0])
    root[.imageWidth] = .longs([8])
    root[.imageLength] = .longs([8])
    root[.bitsPerSample] = .shorts([12])
    root[.compression] = .shorts([52_546])
    root[.samplesPerPixel] = .shorts([1])
    root[.photometric] = .shorts([32_803])
    root[.cfaPattern] = .bytes([0, 1, 1, 2])
    root.pixels = .init(isTiled: false, chunks: [stream])
    change(&root)
    let file = try DNGFile(try TIFFWriter.serialize(root))
    let raw = try file.rawImage()
    let light = try file.decodeLinear(of: raw).samples.map { Double($0) }
    return (light, try raw.levels().spreadBitDepth)
  }

  private func agree(_ light: [Double], _ expected: [Double]) -> Bool {
    light.count == expected.count && zip(light, expected).allSatisfy { abs($0 - $1) < 1e-4 }
  }

  @Test func levels_stated_in_stream_codes_are_recognized() throws {
    let leveled = try read(Self.ofTwelveBits) {
      $0[.whiteLevel] = .shorts([4000])
      $0[.blackLevel] = .shorts([200])
    }
    #expect(leveled.spreadBitDepth == 12)
    #expect(agree(leveled.light, Self.codes.map { min(($0 - 200) / 3800, 1) }))
    let table = try read(Self.ofTwelveBits) {
      $0[.linearizationTable] = .shorts((0..<4096).map { UInt16($0 * 16) })
      $0[.whiteLevel] = .shorts([65_520])
    }
    #expect(table.spreadBitDepth == 12)
    #expect(agree(table.light, Self.codes.map { $0 / 4095 }))
  }

  @Test func levels_of_sixteen_bits_are_unchanged() throws {
    let stated = try read(Self.ofTwelveBits) { $0[.whiteLevel] = .longs([65_535]) }
    let table = try read(Self.ofTwelveBits) {
      $0[.linearizationTable] = .shorts((0...65_535).map { UInt16($0) })
      $0[.whiteLevel] = .longs([65_535])
    }
    for read in [stated, table, try read(Self.ofTwelveBits)] {
      #expect(read.spreadBitDepth == nil)
      #expect(agree(read.light, Self.codes.map { $0 / 4095 }))
    }
  }

  /// Adobe's SDK takes the greatest code of the file's depth as white.
  @Test func codes_in_a_16_bit_stream_have_the_white_of_their_depth() throws {
    let read = try read(Self.ofSixteenBits)
    #expect(read.spreadBitDepth == nil)
    #expect(agree(read.light, Self.codes.map { $0 / 4095 }))
  }
}
