import CProResKernels
import MediaCore
import TestSupport
import Testing

@testable import ProRes

/// Each layout read by every table, at each edge, against the Swift reference.
@Suite struct LoaderTests {
  static let formats = PixelFormat.allCases.filter { SourcePicture.layout(of: $0) != nil }

  @Test(arguments: KernelTests.fast, formats)
  func everyLayoutLoadsAsTheReferenceDoes(choice: KernelChoice, format: PixelFormat) throws {
    let reference = try #require(KernelChoice.reference.table).pointee
    let tested = try #require(choice.table).pointee
    let layout = try #require(SourcePicture.layout(of: format))
    var random = SeededGenerator(seed: 4)
    for (width, height) in [(128, 16), (390, 33), (167, 18)] {
      for range in [ColorDescription.Range.video, .full] {
        let picture = try noise(format, width, height, range, &random)
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

  private func noise(
    _ format: PixelFormat, _ width: Int, _ height: Int, _ range: ColorDescription.Range,
    _ random: inout SeededGenerator
  ) throws -> PixelBuffer {
    // Rows are exactly as long as the format needs, so that a reader that goes past them differs.
    let picture = try PixelBuffer(
      .init(format: format, width: width, height: height, color: .bt709.with(range: range)))
    for plane in 0..<picture.planeCount {
      picture.withMutableBytes(ofPlane: plane) { bytes in
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
