import MediaCore
import Testing

@Suite struct MosaicTests {
  static let mosaics = PixelFormat.allCases.filter(\.isBayer)

  @Test func every_bayer_order_and_depth_has_a_format() {
    #expect(Self.mosaics.count == 32)
    for pattern in BayerPattern.allCases {
      let depths = Self.mosaics.filter { $0.descriptor.bayerPattern == pattern }
        .map(\.descriptor.bitDepth)
      #expect(depths.sorted() == [8, 10, 10, 12, 12, 14, 14, 16])
    }
    #expect(PixelFormat(v4l2: "pgAA") == .grbg10p && PixelFormat(v4l2: "BYR2") == .bggr16)
  }

  @Test(arguments: mosaics)
  func stored_samples_are_read_back_at_any_width(format: PixelFormat) throws {
    for width in [1, 2, 3, 4, 7, 64, 101] {
      var buffer = try MutablePixelBuffer(.init(format: format, width: width, height: 3))
      let greatest = (1 << format.descriptor.bitDepth) - 1
      let samples = (0..<3 * width).map { UInt16(($0 * 40_503 + 11) & greatest) }
      try MosaicWriter.store(samples, into: &buffer)
      let frame = buffer.finish()
      #expect(try MosaicReader.samples(of: frame) == samples)
    }
  }

  @Test func packed_samples_match_the_kernel_documentation() throws {
    // Documentation/userspace-api/media/v4l/pixfmt-srggb10p, 12p and 14p.
    let cases: [(PixelFormat, [UInt16], [UInt8])] = [
      (.rggb10p, [0x3FC, 0x001, 0x002, 0x003], [0xFF, 0, 0, 0, 0b11_10_01_00]),
      (.rggb12p, [0xFF1, 0x002], [0xFF, 0x00, 0x21]),
      (
        .rggb14p, [0x3FC1, 0x0002, 0x0000, 0x003F],
        [0xFF, 0, 0, 0, 0b1000_0001, 0b0000_0000, 0b1111_1100]
      ),
    ]
    for (format, samples, bytes) in cases {
      var buffer = try MutablePixelBuffer(
        .init(format: format, width: samples.count, height: 1))
      try MosaicWriter.store(samples, into: &buffer)
      let frame = buffer.finish()
      #expect(frame.withUnsafeBytes(ofPlane: 0) { Array($0.prefix(bytes.count)) } == bytes)
    }
  }

  @Test func bayer_orders_shift_with_the_first_row_and_column() {
    for pattern in BayerPattern.allCases {
      for (rows, columns) in [(0, 1), (1, 0), (1, 1), (2, 3)] {
        let shifted = pattern.shifted(rows: rows, columns: columns)
        for row in 0..<2 {
          for column in 0..<2 {
            #expect(
              shifted.color(row: row, column: column)
                == pattern.color(row: row + rows, column: column + columns))
          }
        }
      }
    }
  }
}
