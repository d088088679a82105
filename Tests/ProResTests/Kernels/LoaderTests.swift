import CProResKernels
import MediaCore
import TestSupport
import Testing

@testable import ProRes

/// Each layout read by every table, at each edge, against the Swift reference.
@Suite struct LoaderTests {
  static let formats = PixelFormat.allCases.filter { SourcePicture.layout(of: $0) != nil }

  @Test(arguments: KernelTests.fast, formats)
  func every_layout_loads_as_the_reference_does(choice: KernelChoice, format: PixelFormat) throws {
    let reference = try #require(KernelChoice.reference.table).pointee
    let tested = try #require(choice.table).pointee
    let layout = try #require(SourcePicture.layout(of: format))
    var random = SeededGenerator(seed: 4)
    for (width, height) in [(128, 16), (390, 33), (167, 18)] {
      for range in [ColorDescription.Range.video, .full] {
        let picture = try noise(format, width, height, range, &random).finish()
        let slices = PictureLayout(width: width, height: height)
        SourcePicture.withPicture(picture, layout) { source in
          for row in 0..<slices.rows {
            for place in slices.rowSlices {
              let area = prores_area(
                column: Int32(place.start), row: Int32(row), macroblocks: Int32(place.width))
              let wanted = load(reference, source, area)
              let found = load(tested, source, area)
              #expect(
                wanted == found, "\(width)x\(height), slice at \(place.start), \(row)")
            }
          }
        }
      }
    }
  }

  @Test(arguments: formats)
  func full_range_becomes_video_range_by_the_highest_code_of_its_depth(format: PixelFormat) throws {
    let layout = try #require(SourcePicture.layout(of: format))
    var random = SeededGenerator(seed: 5)
    var memory = try noise(format, 128, 16, .full, &random)
    clearUnusedBits(of: &memory)
    let picture = memory.finish()
    let isFullChroma = format.descriptor.subsampling == .yuv444
    let unpacker = try PictureUnpacker(
      from: picture.details, to: isFullChroma ? .yuv444p10 : .yuv422p10)
    let wanted = try unpacker.unpacked(picture)
    let kernels = try #require(KernelChoice.reference.table).pointee
    let loaded = SourcePicture.withPicture(picture, layout) {
      load(kernels, $0, prores_area(column: 0, row: 0, macroblocks: 8))
    }
    // Fields are no matter of the loader, so that chroma of 4:2:0 differs.
    let planes = format.descriptor.subsampling == .yuv420 ? 0..<1 : 0..<3
    for plane in planes {
      for row in 0..<16 {
        let codes = wanted.withUnsafeBytes(ofPlane: plane) { bytes in
          let start = row * wanted.bytesPerRow(plane: plane)
          return loaded.rows[16 * plane + row].indices.map {
            bytes.load(fromByteOffset: start + 2 * $0, as: UInt16.self)
          }
        }
        for (sample, code) in zip(loaded.rows[16 * plane + row], codes) {
          let shown = Double(sample) / 16 + 512
          #expect((shown - Double(code)).magnitude < 0.6)
        }
      }
    }
  }

  /// Leaves the bits of words of 16 alone that the format's codes lie in.
  private func clearUnusedBits(of picture: inout MutablePixelBuffer) {
    let table = picture.format.descriptor
    guard table.bitDepth > 8, table.packing != .v210, table.packing != .biplanarPacked10 else {
      return
    }
    let mask = UInt16(truncatingIfNeeded: ((1 << table.bitDepth) - 1) << table.shift)
    for plane in 0..<picture.planeCount {
      picture.withUnsafeMutableBytes(ofPlane: plane) { bytes in
        for word in bytes.bindMemory(to: UInt16.self).indices {
          bytes.bindMemory(to: UInt16.self)[word] &= mask
        }
      }
    }
  }

  private func noise(
    _ format: PixelFormat, _ width: Int, _ height: Int, _ range: ColorDescription.Range,
    _ random: inout SeededGenerator
  ) throws -> MutablePixelBuffer {
    // Rows are exactly as long as the format needs, so that a reader that goes past them differs.
    var picture = try MutablePixelBuffer(
      .init(format: format, width: width, height: height, color: .bt709.with(range: range)))
    for plane in 0..<picture.planeCount {
      picture.withUnsafeMutableBytes(ofPlane: plane) { bytes in
        for index in bytes.indices { bytes[index] = .random(in: 0...255, using: &random) }
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
        loaded.rows.append(Array(samples.elements[first..<first + count]))
      }
    }
    return loaded
  }
}
