import TestSupport
import Testing

@testable import MediaLibrary

/// Image headers damaged by accident or on purpose.
@Suite struct HostileImageTests {
  /// Bytes read like a file, and the size of the requests.
  private final class Source {
    let bytes: [UInt8]
    private(set) var calls = 0
    private(set) var largest = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    func read(_ offset: Int64, _ count: Int) -> [UInt8] {
      calls += 1
      largest = max(largest, count)
      guard offset >= 0, count > 0, offset < Int64(bytes.count) else { return [] }
      return Array(bytes[Int(offset)..<min(Int(offset) + count, bytes.count)])
    }
  }

  private static var seeds: [[UInt8]] {
    let place = GeographicLocation(latitude: 48.5, longitude: -11.25, altitude: 12)
    let dng = TestMedia.dng(location: place)
    let length = dng.count + 8
    let jpeg: [UInt8] =
      [0xFF, 0xD8, 0xFF, 0xE1, UInt8(length >> 8), UInt8(length & 0xFF)] + Array("Exif\0\0".utf8)
      + dng + [0xFF, 0xC0, 0, 17, 8, 0, 64, 0, 64, 3]
    return [
      dng, jpeg, TestMedia.heif(sizes: [(64, 64), (4000, 3000)]), TestMedia.png(),
      TestMedia.jpeg(scan: 400),
      TestMedia.heif(sizes: [(64, 64), (4000, 3000)], primary: 1, aperture: (3000, 2000)),
      TestMedia.tiledDNG(),
    ]
  }

  /// Numbers anywhere that overflow arithmetic; bytes changed, removed or duplicated.
  private static func spoil(_ seed: [UInt8], _ random: inout SeededGenerator) -> [UInt8] {
    let extremes: [[UInt8]] = [
      [0, 0, 0, 0], [0, 0, 0, 1], [1, 0, 0, 0], [0x7F, 0xFF, 0xFF, 0xFF], [0x80, 0, 0, 0],
      [0xFF, 0xFF, 0xFF, 0xFF], [0, 0, 0, 8], [8, 0, 0, 0], [0xFF, 0xFF], [0, 0], [0, 5], [5, 0],
    ]
    var bytes = seed
    for _ in 0..<Int.random(in: 1...4, using: &random) where bytes.count > 24 {
      let place = Int.random(in: 4..<bytes.count - 4, using: &random)
      switch Int.random(in: 0..<8, using: &random) {
      case 0, 1, 2:
        let number = extremes.randomElement(using: &random) ?? []
        let even = place & ~1
        bytes.replaceSubrange(even..<even + number.count, with: number)
      case 3: bytes.removeSubrange(place..<place + 4)
      case 4: bytes.insert(contentsOf: Array(bytes[place..<place + 4]), at: place)
      case 5: bytes.removeLast(Int.random(in: 0..<bytes.count - 16, using: &random))
      default: bytes[place] = UInt8.random(in: 0...255, using: &random)
      }
    }
    return bytes
  }

  /// A sixteen-byte value whose offset is close to the largest 64-bit number.
  @Test func bigtiff_exif_with_an_overflowing_offset_is_skipped() {
    let entry: [UInt8] =
      [0x0F, 0x01, 2, 0] + [16, 0, 0, 0, 0, 0, 0, 0]
      + [0xEF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x7F]
    let exif: [UInt8] =
      [0x49, 0x49, 0x2B, 0, 8, 0, 0, 0, 16, 0, 0, 0, 0, 0, 0, 0] + [1, 0, 0, 0, 0, 0, 0, 0] + entry
      + [0, 0, 0, 0, 0, 0, 0, 0]
    let jpeg: [UInt8] =
      [0xFF, 0xD8, 0xFF, 0xE1, 0, UInt8(exif.count + 8)] + Array("Exif\0\0".utf8) + exif
      + [0xFF, 0xC0, 0, 17, 8, 0, 64, 0, 64, 3]
    let source = Source(jpeg)
    let facts = ImageInspector.facts(ContentKind(source.read(0, 16)), source.read)
    #expect(facts?.width == 64)
  }

  @Test(.tags(.slow)) func corrupted_headers_cause_only_bounded_reads() {
    var random = SeededGenerator(seed: 12)
    var outcomes = (sized: 0, others: 0)
    let seeds = Self.seeds
    for number in 0..<(TestRun.isThorough ? 8000 : 2500) {
      let source = Source(Self.spoil(seeds[number % seeds.count], &random))
      let facts = ImageInspector.facts(ContentKind(source.read(0, 16)), source.read)
      _ = ImageInspector.embeddedJPEG(source.read)
      if let facts {
        let kind = ContentKind(source.read(0, 16))
        _ = ImageFlaw.of(kind, facts, size: Int64(source.bytes.count), source.read)
      }
      if facts?.width ?? 0 > 0 { outcomes.sized += 1 } else { outcomes.others += 1 }
      #expect(source.calls < 10_000 && source.largest <= 1 << 20, "input \(number)")
    }
    #expect(min(outcomes.sized, outcomes.others) > 500, "\(outcomes)")
  }
}
