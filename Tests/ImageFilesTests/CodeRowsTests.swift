import RawDevelop
import Testing

@testable import ImageFiles

/// Integers passed to codecs.
@Suite struct CodeRowsTests {
  private func rows(_ samples: RenderedImage.Samples) -> CodeRows {
    CodeRows(RenderedImage(width: 2, height: 2, samples: samples, colorSpace: .sRGB))
  }

  @Test func integers_of_the_files_depth_are_unchanged() {
    let bytes: [UInt8] = [0, 1, 2, 3, 84, 85, 127, 128, 169, 170, 254, 255]
    #expect(rows(.uint8(bytes)).integers(0..<2, maximum: 255) == bytes)
    #expect(rows(.uint8(bytes)).integers(1..<2, maximum: 255) == Array(bytes.suffix(6)))
    let words: [UInt16] = [0, 1, 2, 3, 255, 256, 257, 32_767, 32_768, 65_280, 65_534, 65_535]
    #expect(rows(.uint16(words)).integers(0..<2, maximum: 65_535) == words)
  }

  @Test func integers_of_a_whole_image_are_not_copied() {
    let bytes: [UInt8] = [0, 1, 2, 3, 84, 85, 127, 128, 169, 170, 254, 255]
    let taken: [UInt8] = rows(.uint8(bytes)).integers(0..<2, maximum: 255)
    let places = [bytes, taken].map { $0.withUnsafeBytes { $0.baseAddress } }
    #expect(places[0] == places[1])
  }

  @Test func other_depths_are_rounded_and_clipped() {
    let bytes: [UInt8] = [0, 1, 2, 3, 84, 85, 127, 128, 169, 170, 254, 255]
    let words = rows(.uint8(bytes)).integers(0..<2, maximum: 65_535, as: UInt16.self)
    #expect(words == bytes.map { UInt16($0) * 257 })
    let light: [Float] = [0, 1, 0.5, 0.25, -1, 2, .infinity, -.infinity, .nan, 0.2, 0.8, 0.999]
    let codes = rows(.float(light))
    #expect(
      codes.integers(0..<2, maximum: 255) == [
        0, 255, 128, 64, 0, 255, 255, 0, 0, 51, 204, 255,
      ] as [UInt8])
    #expect(codes.clipped.count == 5)
  }

  @Test func all_half_floats_are_converted_exactly() {
    let halves = (0...UInt16.max).map { $0 } + [0, 0]
    let image = RenderedImage(
      width: halves.count / 3, height: 1, samples: .half(halves), colorSpace: .linearSRGB)
    var numbers = [Float](repeating: 0, count: halves.count)
    numbers.withUnsafeMutableBufferPointer { target in
      if let start = target.baseAddress { image.readFloats(0, into: start) }
    }
    for (half, number) in zip(halves, numbers) {
      let wanted = Float(Float16(bitPattern: half))
      #expect(number.bitPattern == wanted.bitPattern || number.isNaN && wanted.isNaN)
    }
  }
}
