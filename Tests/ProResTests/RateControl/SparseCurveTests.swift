import MediaCore
import TestSupport
import Testing

@testable import ProRes

/// How slices with few levels are planned.
@Suite struct SparseCurveTests {
  private static let profiles = [ProResProfile.proxy, .lt, .standard, .hq, .p4444, .xq]

  @Test(arguments: profiles) func bytes_fall_smoothly_with_the_scale(profile: ProResProfile) {
    let curve = SparseCurve(profile)
    #expect(curve.divisor(scale: 1) == 1)
    var last: Float = 1
    for step in 1...4000 {
      let divisor = curve.divisor(scale: 1 + Float(step) / 1000)
      #expect(divisor > last)
      #expect(divisor < last * 1.01)
      last = divisor
    }
  }

  @Test func headers_carry_the_index_of_each_dead_zone() {
    for index in QuantizationIndex.sparse {
      let coded = Int(QuantizationIndex.coded(index))
      #expect(QuantizationIndex.range.contains(coded))
      #expect(QuantizationIndex.scale(coded) == QuantizationIndex.scale(index))
    }
    #expect(QuantizationIndex.range.allSatisfy { Int(QuantizationIndex.coded($0)) == $0 })
  }

  /// A dark gradient with noise of a few codes: once a frame has been seen, similar slices get
  /// similar scales and use the available bytes.
  @Test(arguments: [
    (ProResProfile.proxy, 2, 1), (.lt, 2, 1), (.standard, 2, 1), (.hq, 2, 1),
    (.lt, 1, 4), (.standard, 1, 4), (.standard, 2, 4), (.hq, 1, 3),
  ])
  func similar_slices_have_similar_scales(profile: ProResProfile, index: Int, codes: Int) throws {
    let (width, height) = (640, 288)
    var ramp = TestFrame(
      width: width, height: height, fullChroma: false, content: .flat, seed: 1)
    var generator = SeededGenerator(seed: 5)
    for place in ramp.planes[0].indices {
      let level = 64 * 32 + place % width + place / width * 2
      let noise = Int.random(in: 0..<32 * codes, using: &generator)
      ramp.planes[0][place] = UInt16((level + noise) / 32)
    }
    for plane in 1...2 where codes > 1 {
      for place in ramp.planes[plane].indices {
        ramp.planes[plane][place] += UInt16.random(in: 0..<UInt16(codes), using: &generator)
      }
    }
    func encoder(_ mode: ProResEncoder.RateMode) throws -> ProResEncoder {
      try ProResEncoder(
        configuration: .init(
          profile: profile, width: width, height: height, frameRate: .fps25, color: .bt709,
          threads: 2, rateMode: mode))
    }
    let buffer = try ramp.buffer(.yuv422p10)
    let sizes = try (index...index + 1).map {
      try encoder(.constantQuality($0)).encode(buffer).count
    }
    try #require(sizes[1] < sizes[0])
    let bytes = (sizes[0] + sizes[1]) / 2
    let constant = try encoder(.frameBytes(bytes))
    for number in 0..<4 {
      let frame = try constant.encode(buffer)
      #expect(frame.count <= bytes)
      guard number > 1 else { continue }
      // With noise, one step takes many more bytes, and this frame is small.
      #expect(frame.count > bytes * (codes > 1 ? 90 : 97) / 100, "\(frame.count) of \(bytes)")
      let indices = quantizationIndices(frame)
      let close = indices.filter { abs($0 - index) <= (codes > 1 ? 2 : 1) }.count
      #expect(close * 10 >= indices.count * 9, "\(indices.sorted())")
    }
  }
}
