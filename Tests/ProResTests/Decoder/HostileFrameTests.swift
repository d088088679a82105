import MediaCore
import TestSupport
import Testing

@testable import ProRes

/// Frames that nobody would write: refused or decoded, and by every kernel table in the same way.
@Suite struct HostileFrameTests {
  private static let kinds: [ProResDecoderTests.Kind] = [
    .init(size: (150, 40)), .init(profile: .p4444, size: (70, 36), fields: .topFieldFirst),
    .init(profile: .xq, size: (129, 33), alpha: .bits16),
    .init(profile: .p4444, size: (64, 32), alpha: .bits8),
  ]

  private func damage(_ frame: inout [UInt8], using random: inout SeededGenerator) {
    let place = Int.random(in: 0..<frame.count, using: &random)
    switch Int.random(in: 0..<7, using: &random) {
    case 0: frame[place] = .random(in: 0...255, using: &random)
    case 1:
      frame[Int.random(in: 8..<180, using: &random)] ^= UInt8(
        1 << Int.random(in: 0...7, using: &random))
    case 2: frame.removeLast(frame.count - place)
    case 3:
      for index in place..<min(place + 9, frame.count) { frame[index] = 0 }
    case 4:
      for index in place..<min(place + 9, frame.count) { frame[index] = 0xFF }
    case 5: frame.removeSubrange(place..<min(place + 3, frame.count))
    default:
      for _ in 0..<20 {
        frame[Int.random(in: 0..<frame.count, using: &random)] ^= 0x10
      }
    }
  }

  private enum Outcome: Equatable {
    case decoded([[UInt16]])
    case refused(ProResError.Code, String)
  }

  private func outcome(_ frame: [UInt8], _ decoder: ProResDecoder) -> Outcome {
    do throws(ProResError) { return .decoded(try decoder.decode(frame).words) } catch {
      return .refused(error.code, error.message)
    }
  }

  private func findings(_ frame: [UInt8], isPlain: Bool) -> [FrameFinding] {
    var check = FrameCheck(decodesSlices: true, isPlain: isPlain)
    check.run(frame.span.bytes, expecting: nil)
    return check.findings
  }

  @Test(.tags(.slow), arguments: kinds)
  func damaged_frames_are_refused_or_decoded_equally(kind: ProResDecoderTests.Kind) throws {
    let intact = try kind.frame()
    var random = SeededGenerator(seed: 11)
    let decoders = try KernelChoice.available.filter { $0 != .reference }.map {
      try ProResDecoder(configuration: .init(threads: 1, kernels: $0))
    }
    let means = try ProResDecoder(configuration: .init(scale: .eighth, threads: 1))
    var refused = 0
    for round in 0..<(TestRun.isThorough ? 250 : 100) {
      var frame = intact
      for _ in 0...round % 3 where frame.count > 200 { damage(&frame, using: &random) }
      // A modified size needs other memory, but no other code.
      let header = try? FrameHeader(parsing: frame.span.bytes)
      if let header, header.width * header.height > 1 << 18 { continue }
      let outcomes = decoders.map { outcome(frame, $0) }
      let areAlike = outcomes.allSatisfy { $0 == outcomes[0] }
      #expect(areAlike, "round \(round)")
      // If the checker finds no error, the decoder decodes the frame.
      let findings = findings(frame, isPlain: false)
      #expect(findings == self.findings(frame, isPlain: true), "round \(round)")
      let isValid = !findings.contains { $0.severity == .error }
      if case .refused(let code, let message) = outcomes[0] {
        refused += 1
        #expect(code == .invalidFrame && !isValid, "round \(round): \(message)")
      }
      _ = outcome(frame, means)
    }
    #expect(refused > 20)
  }

  /// A few bytes must not request gigabytes.
  @Test func a_frame_too_short_for_its_size_is_refused() throws {
    var frame = try Self.kinds[0].frame()
    for index in 16..<20 { frame[index] = index % 2 == 0 ? 0x40 : 0 }
    let error = #expect(throws: ProResError.self) { try ProResDecoder().decode(frame) }
    #expect(error?.code == .invalidFrame)
  }

  @Test func a_bad_slice_is_named() throws {
    var frame = try Self.kinds[1].frame()
    let map = try FrameMap(frame.span.bytes)
    let offset = map.pictures[1].offsets[2]
    frame[offset + 1] = 0
    let error = #expect(throws: ProResError.self) { try ProResDecoder().decode(frame) }
    #expect(
      error?.message == "picture 1, slice 2: quantization_index 0 is outside 1...224")
  }

  /// A longer header takes two bytes of luma's code words for its own: the rest may still parse,
  /// but libavcodec would not agree.
  @Test func a_longer_slice_header_is_unusual() throws {
    var frame = try Self.kinds[0].frame()
    let report = FrameChecker().check(frame)
    #expect(report.isValid && !report.isUnusual)
    let offset = try FrameMap(frame.span.bytes).pictures[0].offsets[0]
    frame[offset] = 8 << 3
    #expect(FrameChecker().check(frame).isUnusual)
  }
}
