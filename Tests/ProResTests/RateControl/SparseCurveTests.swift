import MediaCore
import Testing

@testable import ProRes

/// How slices with few levels are planned.
@Suite struct SparseCurveTests {
  private static let profiles = [ProResProfile.proxy, .lt, .standard, .hq, .p4444, .xq]

  @Test(arguments: profiles) func bytesFallWithTheScaleWithoutAJump(profile: ProResProfile) {
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

  @Test func neighboursAverageTheScale() {
    for wanted in stride(from: Float(1), to: 3, by: 0.05) {
      let indices = (0..<1000).map {
        SparseCurve.index(scale: wanted, dither: Float($0) / 1000)
      }
      let sum = indices.reduce(Float(0)) { $0 + SparseCurve.scale(index: Int($1)) }
      #expect(abs(sum / 1000 - wanted) < 0.01, "\(wanted)")
      #expect(Set(indices).count <= 2)
    }
  }

  @Test func headersCarryTheIndexThatADeadZoneBelongsTo() {
    for index in QuantizationIndex.sparse {
      let coded = Int(QuantizationIndex.coded(index))
      #expect(QuantizationIndex.range.contains(coded))
      #expect(QuantizationIndex.scale(coded) == QuantizationIndex.scale(index))
    }
    #expect(QuantizationIndex.range.allSatisfy { Int(QuantizationIndex.coded($0)) == $0 })
  }

  /// A dark gradient with a little noise: slices that are alike have scales alike, once a frame has
  /// been seen, and take what there is.
  @Test(arguments: [(ProResProfile.proxy, 2), (.lt, 2), (.standard, 2), (.hq, 2)])
  func slicesAlikeHaveScalesAlike(profile: ProResProfile, index: Int) throws {
    let (width, height) = (640, 288)
    var ramp = TestPicture(
      width: width, height: height, fullChroma: false, content: .flat, seed: 1)
    var generator = SeededGenerator(seed: 5)
    for place in ramp.planes[0].indices {
      let level = 64 * 32 + place % width + place / width * 2
      ramp.planes[0][place] = UInt16((level + Int.random(in: 0..<32, using: &generator)) / 32)
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
      #expect(frame.count > bytes * 97 / 100, "\(frame.count) of \(bytes)")
      let indices = quantizationIndices(frame)
      let close = indices.filter { abs($0 - index) <= 1 }.count
      #expect(close * 10 >= indices.count * 9, "\(indices.sorted())")
    }
  }
}
