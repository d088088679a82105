import CProResKernels
import MediaCore
import TestSupport
import Testing

@testable import ProRes

/// Every pixel format, read by every kernel table at every edge, compared with the Swift reference.
@Suite struct LoaderTests {
  static let formats = PixelFormat.allCases.filter { SourcePicture.layout(of: $0) != nil }
  /// The 4:2:0 formats.
  static let halved = formats.filter(hasHalfTheChromaRows)

  private static func hasHalfTheChromaRows(_ format: PixelFormat) -> Bool {
    format.descriptor.subsampling == .yuv420
  }

  @Test(arguments: KernelTests.fast, formats)
  func every_layout_loads_as_with_the_reference_kernels(choice: KernelChoice, format: PixelFormat)
    throws
  {
    let reference = try #require(KernelChoice.reference.table).pointee
    let tested = try #require(choice.table).pointee
    let layout = try #require(SourcePicture.layout(of: format))
    var random = SeededGenerator(seed: 4)
    for (width, height) in [(128, 16), (390, 33), (167, 18)] {
      for range in [ColorDescription.Range.video, .full] {
        let picture = try noise(format, width, height, range, &random).finish()
        SourcePicture.withPicture(picture, layout) { source in
          compare(tested, reference, source)
          guard Self.hasHalfTheChromaRows(format) else { return }
          for field in fields(of: source) { compare(tested, reference, field) }
        }
      }
    }
  }

  @Test(arguments: formats)
  func full_range_is_scaled_to_video_range_at_every_depth(format: PixelFormat) throws {
    let layout = try #require(SourcePicture.layout(of: format))
    var random = SeededGenerator(seed: 5)
    var memory = try noise(format, 128, 16, .full, &random)
    clearUnusedBits(of: &memory)
    let picture = memory.finish()
    let isFullChroma = format.descriptor.subsampling == .yuv444
    let unpacker = try FrameUnpacker(
      from: picture.details, to: isFullChroma ? .yuv444p10 : .yuv422p10)
    let wanted = try unpacker.unpacked(picture)
    let kernels = try #require(KernelChoice.reference.table).pointee
    SourcePicture.withPicture(picture, layout) { source in
      expect(kernels, source, shows: wanted, from: 0, step: 1)
    }
  }

  @Test(arguments: KernelChoice.available, halved)
  func chroma_rows_of_frames_and_fields_match_the_unpacker(
    choice: KernelChoice, format: PixelFormat
  ) throws {
    let kernels = try #require(choice.table).pointee
    let layout = try #require(SourcePicture.layout(of: format))
    var random = SeededGenerator(seed: 6)
    // Every remainder modulo four. With 4n + 2 rows and 2n + 1 chroma rows, the bottom field has 2n
    // + 1 and n.
    for height in 29...32 {
      for range in [ColorDescription.Range.video, .full] {
        var memory = try noise(format, 128, height, range, &random)
        clearUnusedBits(of: &memory)
        let frame = memory.finish()
        let progressive = try unpacked(frame, .progressive)
        let interlaced = try unpacked(frame, .topFieldFirst)
        SourcePicture.withPicture(frame, layout) { source in
          expect(kernels, source, shows: progressive, from: 0, step: 1)
          for (first, field) in fields(of: source).enumerated() {
            expect(kernels, field, shows: interlaced, from: first, step: 2)
          }
        }
      }
    }
  }

  private func unpacked(_ frame: PixelBuffer, _ order: FieldOrder) throws -> PixelBuffer {
    var details = frame.details
    details.fieldOrder = order
    return try FrameUnpacker(from: details, to: .yuv422p10).unpacked(frame)
  }

  /// The top field and the bottom field.
  private func fields(of frame: prores_picture) -> [prores_picture] {
    let height = Int(frame.height)
    return [
      frame.field(firstRow: 0, height: (height + 1) / 2),
      frame.field(firstRow: 1, height: height / 2),
    ]
  }

  /// Compares the samples that two kernel tables load from all slices of a picture.
  private func compare(
    _ tested: prores_kernels, _ reference: prores_kernels, _ picture: prores_picture
  ) {
    let slices = PictureLayout(width: Int(picture.width), height: Int(picture.height))
    for row in 0..<slices.rows {
      for place in slices.rowSlices {
        let area = prores_area(
          column: Int32(place.start), row: Int32(row), macroblocks: Int32(place.width))
        let wanted = load(reference, picture, area)
        let found = load(tested, picture, area)
        #expect(
          wanted == found,
          "\(picture.width)x\(picture.height), \(picture.chroma_rows), at \(place.start), \(row)")
      }
    }
  }

  /// Compares the samples of a picture of 128 columns with 10-bit codes, rounded and within the
  /// legal range: every `step`th row of a frame.
  private func expect(
    _ kernels: prores_kernels, _ picture: prores_picture, shows frame: PixelBuffer,
    from first: Int, step: Int
  ) {
    let height = Int(picture.height)
    for slice in 0..<(height + 15) / 16 {
      let loaded = load(
        kernels, picture, prores_area(column: 0, row: Int32(slice), macroblocks: 8))
      for plane in 0..<3 {
        var worst = 0.0
        for row in 16 * slice..<min(16 * slice + 16, height) {
          let codes = codes(of: frame, plane: plane, row: first + row * step)
          for (sample, code) in zip(loaded.rows[16 * plane + row % 16], codes) {
            let shown = min(max(Double(sample) / 16 + 512, 4), 1019)
            worst = max(worst, (shown - Double(code)).magnitude)
          }
        }
        #expect(
          worst < 0.6, "\(height) rows, each \(step) from \(first), slice \(slice), plane \(plane)")
      }
    }
  }

  private func codes(of frame: PixelBuffer, plane: Int, row: Int) -> [UInt16] {
    let width = plane > 0 && frame.format == .yuv422p10 ? 64 : 128
    return frame.withUnsafeBytes(ofPlane: plane) { bytes in
      let start = row * frame.bytesPerRow(plane: plane)
      return Array(
        UnsafeRawBufferPointer(rebasing: bytes[start..<start + 2 * width])
          .bindMemory(to: UInt16.self))
    }
  }

  /// Clears the bits of 16-bit words that are not part of the format's codes.
  private func clearUnusedBits(of picture: inout MutablePixelBuffer) {
    let table = picture.format.descriptor
    guard table.bitDepth > 8, table.packing != .v210, table.packing != .biplanarPacked10 else {
      return
    }
    let mask = UInt16(truncatingIfNeeded: ((1 << table.bitDepth) - 1) << table.shift)
    for plane in 0..<picture.planeCount {
      picture.withUnsafeMutableBytes(ofPlane: plane) { bytes in
        let words = bytes.bindMemory(to: UInt16.self)
        var index = 0
        while index < words.count {
          words[index] &= mask
          index += 1
        }
      }
    }
  }

  private func noise(
    _ format: PixelFormat, _ width: Int, _ height: Int, _ range: ColorDescription.Range,
    _ random: inout SeededGenerator
  ) throws -> MutablePixelBuffer {
    // Rows are exactly as long as the format needs, so a kernel that reads past them gets other
    // data.
    var picture = try MutablePixelBuffer(
      .init(format: format, width: width, height: height, color: .bt709.with(range: range)))
    for plane in 0..<picture.planeCount {
      picture.withUnsafeMutableBytes(ofPlane: plane) { bytes in
        bytes.copyBytes(from: random.bytes(bytes.count))
      }
    }
    return picture
  }

  private struct Loaded: Equatable {
    var rows: [[Int16]]
  }

  private func load(
    _ kernels: prores_kernels, _ picture: prores_picture, _ area: prores_area
  ) -> Loaded {
    let samples = GuardedBuffer<Int16>(count: PRORES_SAMPLE_PLANE * 3, repeating: 0)
    let ahead = GuardedBuffer<prores_ahead>(count: 1, repeating: prores_ahead())
    withUnsafePointer(to: picture) { picture in
      withUnsafePointer(to: area) { kernels.load(picture, $0, samples.start, ahead.start) }
    }
    #expect(samples.wallsStand && ahead.wallsStand)
    let full = picture.full_chroma != 0
    let width = Int(area.macroblocks) * 16
    let parts = [
      (0, width), (PRORES_SAMPLE_PLANE, full ? width : width / 2),
      (
        PRORES_SAMPLE_PLANE + (full ? PRORES_SAMPLE_PLANE : PRORES_CHROMA_OFFSET),
        full ? width : width / 2
      ),
    ]
    var loaded = Loaded(rows: [])
    for (start, count) in parts {
      for row in 0..<16 {
        let first = PRORES_SAMPLE_MARGIN + start + row * PRORES_SAMPLE_STRIDE
        loaded.rows.append(
          Array(UnsafeBufferPointer(rebasing: samples.elements[first..<first + count])))
      }
    }
    return loaded
  }
}
