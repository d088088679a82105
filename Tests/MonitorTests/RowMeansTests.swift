import MediaCore
import TestSupport
import Testing

@testable import Monitor

/// The kernels compared with sums taken code by code.
@Suite struct RowMeansTests {
  /// The ten-bit codes of a row, separated by component.
  private struct Codes {
    var luma: [Int] = []
    var cb: [Int] = []
    var cr: [Int] = []

    /// - Parameter chroma: The row's chroma, if stored separately.
    init(_ format: PixelFormat, _ bytes: [UInt8], _ chroma: [UInt8]) {
      func words(_ bytes: [UInt8]) -> [Int] {
        stride(from: 0, to: bytes.count - 1, by: 2).map {
          (Int(bytes[$0]) | Int(bytes[$0 + 1]) << 8) >> 6
        }
      }
      switch format {
      case .p210:
        luma = words(bytes)
        for (place, code) in words(chroma).enumerated() { addChroma(code, place) }
      case .yuyv, .uyvy:
        for (place, byte) in bytes.enumerated() {
          if place % 2 == (format == .yuyv ? 0 : 1) {
            luma.append(4 * Int(byte))
          } else {
            addChroma(4 * Int(byte), place / 2)
          }
        }
      default:
        // Cb Y Cr Y for each pixel pair, three codes in each word of v210.
        for word in stride(from: 0, to: bytes.count, by: 4) {
          let value = (0..<4).reduce(0) { $0 | Int(bytes[word + $1]) << (8 * $1) }
          for third in 0..<3 {
            let (code, place) = (value >> (10 * third) & 1023, 3 * word / 4 + third)
            if place % 2 == 1 { luma.append(code) } else { addChroma(code, place / 2) }
          }
        }
      }
    }

    private mutating func addChroma(_ code: Int, _ place: Int) {
      if place % 2 == 0 { cb.append(code) } else { cr.append(code) }
    }
  }

  private static func means(_ first: [Int], _ second: [Int], of factor: Int) -> [UInt16] {
    (0..<first.count / factor).map { place in
      let range = place * factor..<(place + 1) * factor
      let sum = first[range].reduce(0, +) + second[range].reduce(0, +)
      return UInt16(min(max((sum + factor) / (2 * factor), 4), 1019))
    }
  }

  private static func byteCount(_ format: PixelFormat, _ width: Int) -> Int {
    format == .v210 ? width / 6 * 16 : 2 * width
  }

  @Test(arguments: [PixelFormat.v210, .p210, .yuyv, .uyvy], [2, 4])
  func row_means_match_the_means_of_their_codes(format: PixelFormat, factor: Int) throws {
    let widths = [24, 48, 192, 264, 960] + (format == .v210 ? [] : [2, 6, 34])
    for width in widths {
      var random = SeededGenerator(seed: UInt64(width * factor))
      let means = try #require(
        RowMeans(.init(format: format, width: factor * width, height: 1), into: width))
      #expect(means.factor == factor && means.width == width)
      let length = Self.byteCount(format, factor * width)
      // Unused bits are random as well.
      let noise = (0..<4).map { _ in
        (0..<length).map { _ in UInt8(truncatingIfNeeded: random.next() as UInt64) }
      }
      let (white, black) = (
        [UInt8](repeating: 255, count: length), [UInt8](repeating: 0, count: length)
      )
      check(means, format, [noise[0], noise[1]], [noise[2], noise[3]])
      check(means, format, [noise[0], noise[0]], [noise[2], noise[2]])
      check(means, format, [white, white], [white, white])
      check(means, format, [black, black], [black, black])
    }
  }

  /// Prefetching may reach addresses far beyond the frame's memory.
  @Test(
    arguments: [PixelFormat.v210, .p210, .yuyv, .uyvy], [-1_000_000_000, -1, 1, 1_000_000_000])
  func prefetched_rows_do_not_change_means(format: PixelFormat, rowsToNext: Int) throws {
    let means = try #require(RowMeans(.init(format: format, width: 3840, height: 1), into: 960))
    var random = SeededGenerator(seed: 3)
    let noise = (0..<4).map { _ in
      (0..<Self.byteCount(format, 3840)).map { _ in
        UInt8(truncatingIfNeeded: random.next() as UInt64)
      }
    }
    check(means, format, [noise[0], noise[1]], [noise[2], noise[3]], rowsToNext: rowsToNext)
  }

  /// Compares two rows with the reference: luma or packed rows, and rows of separate chroma.
  private func check(
    _ means: RowMeans, _ format: PixelFormat, _ rows: [[UInt8]], _ chroma: [[UInt8]],
    rowsToNext: Int = 0
  ) {
    let guardCode: UInt16 = 0xABCD
    var luma = [UInt16](repeating: guardCode, count: means.width + 1)
    var cb = [UInt16](repeating: guardCode, count: means.width / 2 + 1)
    var cr = cb
    // Rows of packed buffers may begin at any address.
    let (bytes, chromaBytes) = ([7] + rows[0] + rows[1], [7] + chroma[0] + chroma[1])
    bytes.withUnsafeBytes { bytes in
      chromaBytes.withUnsafeBytes { chromaBytes in
        means.take(
          .init(
            luma: .init(rebasing: bytes[1...]), chroma: .init(rebasing: chromaBytes[1...]),
            bytesPerRow: rows[0].count, chromaBytesPerRow: chroma[0].count),
          0, 1, rowsToNext: rowsToNext, luma: &luma, cb: &cb, cr: &cr)
      }
    }
    let (a, b) = (Codes(format, rows[0], chroma[0]), Codes(format, rows[1], chroma[1]))
    #expect(luma == Self.means(a.luma, b.luma, of: means.factor) + [guardCode])
    #expect(cb == Self.means(a.cb, b.cb, of: means.factor) + [guardCode])
    #expect(cr == Self.means(a.cr, b.cr, of: means.factor) + [guardCode])
  }

  @Test func other_layouts_ranges_and_sizes_have_no_kernel() {
    func means(_ format: PixelFormat, _ width: Int, into small: Int) -> RowMeans? {
      RowMeans(.init(format: format, width: width, height: 1), into: small)
    }
    #expect(means(.p216, 96, into: 48) == nil && means(.p210, 96, into: 32) == nil)
    #expect(means(.v210, 64, into: 32) == nil && means(.p210, 64, into: 32) != nil)
    var full = PixelBuffer.Description(format: .p210, width: 96, height: 1)
    full.color = full.color.with(range: .full)
    #expect(RowMeans(full, into: 48) == nil)
  }

  /// Whole frames, with the kernels and by unpacking.
  @Test(arguments: [PixelFormat.p210, .yuyv, .uyvy])
  func row_kernels_and_unpacking_give_the_same_preview(format: PixelFormat) throws {
    var random = SeededGenerator(seed: 7)
    var frame = try MutablePixelBuffer(.init(format: format, width: 96, height: 54))
    for plane in 0..<(format == .p210 ? 2 : 1) {
      frame.withUnsafeMutableBytes(ofPlane: plane) { bytes in
        // Within the legal range, where neither method clamps.
        for place in bytes.indices {
          bytes[place] = UInt8(32 + Int(truncatingIfNeeded: (random.next() as UInt64) % 128))
        }
      }
    }
    let source = frame.finish()
    for width in [48, 24] {
      let decimator = try FrameDecimator(
        from: source.details, atMost: .init(width: width, height: width))
      let short = try decimator.decimate(source)
      let unpacker = try FrameUnpacker(from: source.details, to: .yuv422p10)
      let long = try FrameDecimator(
        from: unpacker.destination, atMost: .init(width: width, height: width)
      ).decimate(try unpacker.unpacked(source))
      #expect(short.luma == long.luma && short.cb == long.cb && short.cr == long.cr)
    }
  }
}
