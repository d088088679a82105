import DNG
import MediaCore
import TestSupport
import Testing

@testable import ImageFiles

/// JPEG compressed in strips.
@Suite struct JPEGStripTests {
  private static func pixels(_ width: Int, _ height: Int) -> [UInt8] {
    // A period longer than most rows, because unoptimized code takes seconds for each sample alone.
    let period = (0..<30_011).map { index in
      UInt8(truncatingIfNeeded: index / 3 &+ (index &* index >> 7) % 97)
    }
    let count = 3 * width * height
    var pixels: [UInt8] = []
    pixels.reserveCapacity(count)
    while pixels.count < count { pixels += period.prefix(count - pixels.count) }
    return pixels
  }

  /// Sizes with one strip, several, more than the eight numbers of restart markers, and rows so long that
  /// strips are lower.
  @Test(
    arguments: [(17, 128), (64, 129), (300, 700), (1, 1500), (33, 1200), (8200, 70), (65_500, 70)],
    [true, false])
  func joined_strips_decode_like_the_whole_image(_ size: (Int, Int), fullChroma: Bool) throws {
    let (width, height) = size
    let pixels = Self.pixels(width, height)
    for quality in (TestRun.isExtended ? [30, 90, 100] : [90]) as [Int32] {
      let compressor = JPEGCompressor(width: width, quality: quality, fullChroma: fullChroma)
      let joined = try compressor.compress(pixels, height: height)
      let whole = try compressor.compress(pixels, rows: 0..<height)
      let decoded = try [joined, whole].map {
        try JPEGCodec.decode($0[...], width: width, height: height)
      }
      #expect(decoded[0] == decoded[1])
      #expect(try JPEGReader.summary(joined).isWhole == true)
      let alone = try ConcurrentMap.$threadLimit.withValue(1) {
        try compressor.compress(pixels, height: height)
      }
      #expect(alone == joined)
    }
  }

  @Test func strips_with_different_tables_are_not_joined() throws {
    let pixels = Self.pixels(32, 16)
    let strips = try ([50, 90] as [Int32]).map { quality in
      let file = try JPEGCompressor(width: 32, quality: quality, fullChroma: true)
        .compress(pixels, rows: 0..<16)
      return try #require(JPEGStrip(file))
    }
    #expect(JPEGStrip.joined(strips, height: 32, interval: 8) == nil)
    #expect(JPEGStrip.joined([strips[0], strips[0]], height: 32, interval: 8) != nil)
    #expect(JPEGStrip.joined([], height: 32, interval: 8) == nil)
  }

  @Test func incomplete_progressive_and_restarting_files_are_not_strips() throws {
    let file = try JPEGCompressor(width: 32, quality: 90, fullChroma: true)
      .compress(Self.pixels(32, 16), rows: 0..<16)
    for length in 0..<file.count { #expect(JPEGStrip(Array(file[..<length])) == nil) }
    let frame = try #require(file.indices.first { file[$0...].starts(with: [0xFF, 0xC0]) })
    var progressive = file
    progressive[frame + 1] = 0xC2
    #expect(JPEGStrip(progressive) == nil)
    let restarting = file[..<frame] + [0xFF, 0xDD, 0, 4, 0, 1] + file[frame...]
    #expect(JPEGStrip(Array(restarting)) == nil)
  }
}
