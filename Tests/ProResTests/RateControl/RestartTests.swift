import MediaCore
import TestSupport
import Testing

@testable import ProRes

/// An encoder that restarts: its frames are the same as those of a new encoder that begins there.
@Suite struct RestartTests {
  private struct Draw {
    let profile: ProResProfile
    let fields: FieldOrder
    let pictures: [TestFrame]

    init(seed: UInt64) {
      var random = SeededGenerator(seed: seed)
      profile = [.proxy, .standard, .hq, .p4444].randomElement(using: &random) ?? .hq
      fields = FieldOrder.allCases.randomElement(using: &random) ?? .progressive
      let fullChroma = profile.is4444
      let contents: [TestFrame.Content] = [.natural, .noise, .flat, .extremes]
      pictures = (0..<24).map { number in
        TestFrame(
          width: 160, height: 96, fullChroma: fullChroma,
          content: contents.randomElement(using: &random) ?? .natural,
          seed: seed + UInt64(number / 3))
      }
    }

    func encoder(
      threads: Int, kernels: KernelChoice? = nil
    ) throws -> ProResEncoder {
      try ProResEncoder(
        configuration: .init(
          profile: profile, width: 160, height: 96, frameRate: .fps25, fieldOrder: fields,
          threads: threads, kernels: kernels))
    }

    func frame(_ number: Int, _ encoder: ProResEncoder) throws -> [UInt8] {
      try encoder.encode(
        pictures[number].buffer(profile.is4444 ? .yuv444p10 : .yuv422p10, fields: fields))
    }
  }

  @Test(arguments: [1, 2, 3, 4, 5, 6]) func frames_after_a_restart_match_a_new_encoder(
    seed: UInt64
  ) throws {
    let draw = Draw(seed: seed)
    let interval = [4, 6, 8][Int(seed) % 3]
    let whole = try draw.encoder(threads: 2)
    var wanted: [[UInt8]] = []
    for number in draw.pictures.indices {
      if number % interval == 0 { whole.restart() }
      wanted.append(try draw.frame(number, whole))
    }
    for (turn, choice) in KernelChoice.available.enumerated() where choice != .reference {
      for start in stride(from: 0, to: draw.pictures.count, by: interval) {
        let part = try draw.encoder(threads: 1 + turn % 3, kernels: choice)
        for number in start..<start + interval {
          #expect(
            try draw.frame(number, part) == wanted[number], "\(choice), frame \(number)")
        }
      }
    }
  }

  @Test func without_a_restart_frames_depend_on_earlier_ones() throws {
    let draw = Draw(seed: 3)
    let (one, other) = (try draw.encoder(threads: 1), try draw.encoder(threads: 1))
    var differing = 0
    for number in draw.pictures.indices {
      let frame = try draw.frame(number, one)
      if number % 4 == 0 { other.restart() }
      if try draw.frame(number, other) != frame { differing += 1 }
    }
    #expect(differing > 0)
  }
}
