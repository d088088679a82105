import TestSupport
import Testing

@testable import ProRes

@Suite struct SliceJudgeTests {
  private static let picture = PictureCheck(
    index: 0, width: 128, height: 16, chroma: .yuv422, alpha: .none)

  private func component(blocks: Int, level: UInt32?, dc first: [Int16] = []) -> [UInt8] {
    let dc = first + [Int16](repeating: first.last ?? 3, count: blocks - first.count)
    let symbols = level.map { [UInt32(blocks * 3) << 16 | $0] } ?? []
    return [UInt8](unsafeUninitializedCapacity: 4096) { bytes, count in
      guard let start = bytes.baseAddress else { return }
      count = dc.withUnsafeBufferPointer { dc in
        symbols.withUnsafeBufferPointer { symbols in
          ReferenceCoder.code(dc: dc, symbols: symbols, into: start)
        }
      }
    }
  }

  private func slice(level: UInt32?, dc: [Int16] = []) -> [UInt8] {
    let luma = component(blocks: 32, level: level, dc: dc)
    let chroma = component(blocks: 16, level: nil)
    var bytes: [UInt8] = [6 << 3, 1]
    for size in [luma.count, chroma.count] { bytes += [UInt8(size >> 8), UInt8(size & 255)] }
    return bytes + luma + chroma + chroma
  }

  private func judge(_ first: [UInt8], _ second: [UInt8], isPlain: Bool = false) -> SliceJudge {
    var judge = SliceJudge(isPlain: isPlain)
    let bytes = first + second
    judge.judge(
      [
        SliceJudge.Slice(range: 0..<first.count, macroblocks: 8),
        SliceJudge.Slice(range: first.count..<bytes.count, macroblocks: 8),
      ], Self.picture, bytes.span.bytes)
    return judge
  }

  /// The bytes end where the memory ends: nothing after them may be read.
  @Test func both_slices_are_judged_to_the_last_byte() throws {
    let (first, second) = (slice(level: 1), slice(level: nil))
    let judge = judge(first, second)
    for start in [0, first.count] {
      let found = judge.paddings(start)
      let paddings = try #require(found)
      for component in 0..<3 { #expect((0...7).contains(paddings[component])) }
    }
    let knows = judge.has(0) && judge.has(first.count) && !judge.has(1)
    #expect(knows)
    let isLong = judge.hasLongWords
    #expect(!isLong)
  }

  @Test func invalid_components_are_left_to_the_plain_reader() throws {
    var bad = slice(level: 1)
    for index in 6..<10 { bad[index] = 0 }
    let judge = judge(bad, slice(level: 1))
    let found = judge.paddings(0)
    let paddings = try #require(found)
    #expect(paddings[0] < 0 && paddings[2] >= 0)
    let knows = self.judge(bad, bad, isPlain: true).has(0)
    #expect(!knows)
  }

  @Test func words_of_more_than_31_bits_are_noted() {
    // The largest level takes 30 bits; a difference of 32,768 after one of 1 takes 32.
    let isLong = judge(slice(level: 32_767), slice(level: 1)).hasLongWords
    #expect(!isLong)
    let isLonger = judge(
      slice(level: 1), slice(level: 1, dc: [-16_384, -16_383, 16_385])
    ).hasLongWords
    #expect(isLonger)
  }
}
