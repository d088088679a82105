import MediaCore
import Testing

@Suite struct PixelFormatTests {
  @Test func no_two_formats_share_a_code_or_a_name() {
    func isUnique(_ values: [some Hashable]) -> Bool { Set(values).count == values.count }
    let tables = PixelFormat.allCases.map(\.descriptor)
    #expect(isUnique(tables.flatMap(\.v4l2Codes)))
    #expect(isUnique(tables.compactMap(\.libavName)))
    #expect(isUnique(tables.map(\.name)))
    #expect(
      isUnique(
        tables.flatMap { [$0.appleVideoRange, $0.appleFullRange].compactMap(\.self) }
          .filter { $0 != "v210" }))
  }

  @Test func codes_and_names_map_back_to_their_format() {
    for format in PixelFormat.allCases {
      for code in format.descriptor.v4l2Codes { #expect(PixelFormat(v4l2: code) == format) }
      for range in [ColorDescription.Range.video, .full] {
        guard let name = format.appleName(range: range) else { continue }
        let found = PixelFormat.named(apple: name)
        #expect(found?.format == format && found?.range == range)
      }
    }
    #expect(PixelFormat(v4l2: "MJPG") == nil)
    #expect(PixelFormat.named(apple: "zzzz") == nil)
  }

  @Test func the_format_table_is_consistent() {
    for format in PixelFormat.allCases {
      let table = format.descriptor
      #expect([8, 10, 12, 14, 16].contains(table.bitDepth))
      #expect(format.isBayer == (table.subsampling == .mosaic))
      #expect(table.shift == 0 || table.shift + table.bitDepth == 16, "\(format)")
      #expect((1...4).contains(format.planeCount))
      #expect(table.hasAlpha == (format.planeCount == 4))
      #expect(format.appleClass(range: .video) != nil || table.subsampling == .yuv420)
    }
  }

  /// Bytes of a 1920x1080 frame, from the specification of each format.
  @Test(arguments: [
    (PixelFormat.v210, 1080 * 5120), (.y210, 1920 * 1080 * 4), (.p210, 1920 * 1080 * 4),
    (.nv20, 1920 * 1080 * 20 / 8), (.p010, 1920 * 1080 * 3), (.uyvy, 1920 * 1080 * 2),
    (.nv12, 1920 * 1080 * 3 / 2), (.bgr24, 1920 * 1080 * 3), (.yuv422p10, 1920 * 1080 * 4),
    (.yuv420p8, 1920 * 1080 * 3 / 2), (.yuva444p12, 1920 * 1080 * 8),
    (.rggb8, 1920 * 1080), (.bggr10, 1920 * 1080 * 2), (.bggr10p, 1920 * 1080 * 5 / 4),
    (.gbrg12p, 1920 * 1080 * 3 / 2), (.grbg14p, 1920 * 1080 * 7 / 4), (.rggb16, 1920 * 1080 * 2),
  ])
  func byte_counts_match_the_specification(format: PixelFormat, bytes: Int) {
    #expect(format.byteCount(width: 1920, height: 1080) == bytes)
  }

  @Test func odd_sizes_round_up_to_whole_chroma() {
    #expect(PixelFormat.nv12.minimumBytesPerRow(plane: 1, width: 5) == 6)
    #expect(PixelFormat.nv12.rows(plane: 1, height: 5) == 3)
    #expect(PixelFormat.uyvy.minimumBytesPerRow(plane: 0, width: 5) == 12)
    #expect(PixelFormat.v210.minimumBytesPerRow(plane: 0, width: 1) == 128)
    #expect(PixelFormat.v210.minimumBytesPerRow(plane: 0, width: 1280) == 3456)
    #expect(PixelFormat.yuv444p10.rows(plane: 2, height: 5) == 5)
  }

  @Test func every_ten_bit_422_layout_has_the_apple_class_x422() {
    for format in [PixelFormat.v210, .y210, .p210, .nv20, .yuv422p10] {
      #expect(format.appleClass(range: .video) == "x422")
    }
    #expect(PixelFormat.nv12.appleClass(range: .full) == "420f")
    #expect(PixelFormat.p010.appleClass(range: .video) == "x420")
  }
}
