import CRawKernels
import TestSupport
import Testing

@testable import DNG

/// DNG's digests of pixels: several tiles at the same time against one after the other.
@Suite struct DigestTests {
  @Test func md5_digests_match_rfc_1321() {
    func text(_ message: String) -> String {
      MD5.digest(of: Array(message.utf8)).map {
        String($0 >> 4, radix: 16) + String($0 & 15, radix: 16)
      }
      .joined()
    }
    #expect(text("") == "d41d8cd98f00b204e9800998ecf8427e")
    #expect(text("abc") == "900150983cd24fb0d6963f7d28e17f72")
    #expect(
      text("12345678901234567890123456789012345678901234567890123456789012345678901234567890")
        == "57edf4a22be3c955ac49da2e2107b67a")
  }

  @Test(arguments: [(64, 1), (64, 7), (192, 3), (512, 40)])
  func messages_hashed_in_parallel_have_the_same_digests(
    shape: (rowBytes: Int, rows: Int)
  ) {
    var random = SeededGenerator(seed: 4)
    let stride = 9 * shape.rowBytes + 5
    let bytes = (0..<stride * shape.rows).map { _ in UInt8.random(in: 0...255, using: &random) }
    for count in 1...MD5.lanes {
      let found = bytes.withUnsafeBufferPointer { bytes in
        let starts = (0..<count).compactMap { lane in
          bytes.baseAddress.map { $0 + lane * shape.rowBytes + lane % 3 }
        }
        return MD5.digests(
          of: starts, rowBytes: shape.rowBytes, stride: stride, rows: shape.rows)
      }
      let expected = (0..<count).flatMap { lane in
        MD5.digest(
          of: (0..<shape.rows).flatMap { row in
            let first = row * stride + lane * shape.rowBytes + lane % 3
            return Array(bytes[first..<first + shape.rowBytes])
          })
      }
      #expect(found == expected)
    }
  }

  /// The digest by the specification: tile by tile, plane by plane.
  private static func plain(_ image: RawImage, asBytes: Bool) -> [UInt8] {
    var parts: [UInt8] = []
    for top in stride(from: 0, to: image.height, by: 256) {
      for left in stride(from: 0, to: image.width, by: 256) {
        var tile: [UInt8] = []
        for component in 0..<image.components {
          for row in top..<min(top + 256, image.height) {
            for column in left..<min(left + 256, image.width) {
              let sample = image[row, column, component]
              tile.append(UInt8(sample & 255))
              if !asBytes { tile.append(UInt8(sample >> 8)) }
            }
          }
        }
        parts += MD5.digest(of: tile)
      }
    }
    return MD5.digest(of: parts)
  }

  @Test(arguments: [(33, 5, 1), (512, 3, 1), (160, 260, 1), (2400, 4, 1), (600, 2, 3), (513, 2, 4)])
  func an_image_digest_equals_that_of_its_tiles(shape: (Int, Int, Int)) throws {
    let (width, height, components) = shape
    let image = try RawImage(
      width: width, height: height, components: components, bitDepth: 16,
      samples: LosslessJPEGTests.samples(
        "noise", width * height * components, precision: 16, seed: UInt64(width)))
    for asBytes in [false, true] {
      #expect(
        RawTiles.digest(image, asBytes: asBytes) == Self.plain(image, asBytes: asBytes),
        "as bytes: \(asBytes)")
    }
  }
}
