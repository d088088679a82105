import MediaCore
import Testing

@testable import ProRes

/// The first frame of a take, and the first after a cut, compared with the quality at which the
/// clip settles.
@Suite struct CutTests {
  private static let (width, height) = (320, 288)

  enum Scene: CaseIterable {
    case page, blocks, natural, noise

    var picture: TestFrame {
      var picture = TestFrame(
        width: CutTests.width, height: CutTests.height, fullChroma: false,
        content: self == .noise ? .noise : self == .natural ? .natural : .flat)
      switch self {
      case .natural, .noise: break
      case .page:
        // Lines of strokes like small letters, with a margin and spaces.
        for index in picture.planes[0].indices {
          let (x, y) = (index % CutTests.width, index / CutTests.width)
          let isLine = y % 18 < 11 && x > 12 && x % 61 < 53
          picture.planes[0][index] = isLine && (x * 7 ^ y * 3 ^ x * y / 5) % 11 < 4 ? 900 : 120
        }
      case .blocks:
        for plane in 0..<3 {
          let columns = plane == 0 ? CutTests.width : CutTests.width / 2
          for index in picture.planes[plane].indices {
            let (x, y) = (index % columns, index / columns)
            let cell = x * (plane == 0 ? 1 : 2) / 23 * 5 + y / 17 * (plane + 3)
            picture.planes[plane][index] = UInt16(100 + cell * 137 % 800)
          }
        }
      }
      return picture
    }
  }

  struct Cut: Sendable, CustomTestStringConvertible {
    /// Nil at the beginning of a take.
    let from: Scene?
    let to: Scene
    let profile: ProResProfile
    var testDescription: String { "\(from.map { "\($0)" } ?? "nothing") to \(to), \(profile)" }
  }

  static let cuts: [Cut] =
    [Cut(from: nil, to: .page, profile: .standard), Cut(from: .blocks, to: .natural, profile: .lt)]
    + [Scene.page, .blocks, .noise].flatMap { to in
      [Cut(from: nil, to: to, profile: .hq)]
        + Scene.allCases.filter { $0 != to }.map { Cut(from: $0, to: to, profile: .hq) }
    }

  private static let pictures = Scene.allCases.map(\.picture)

  private func picture(_ scene: Scene) throws -> TestFrame {
    Self.pictures[try #require(Scene.allCases.firstIndex(of: scene))]
  }

  @Test(arguments: cuts) func the_first_frame_after_a_cut_has_settled_quality(_ cut: Cut) throws {
    let encoder = try ProResEncoder(
      configuration: .init(
        profile: cut.profile, width: Self.width, height: Self.height, frameRate: .fps25,
        color: .bt709, threads: 1))
    let target = try #require(encoder.targetFrameSize)
    if let scene = cut.from {
      let before = try picture(scene).buffer(.yuv422p10)
      for _ in 0..<7 { _ = try encoder.encode(before) }
    }
    let picture = try picture(cut.to)
    let buffer = try picture.buffer(.yuv422p10)
    let frames = try (0..<6).map { _ in try encoder.encode(buffer) }
    let (first, settled) = (
      try picture.psnr(ReferenceDecoder.decode(frames[0]), component: 0),
      try picture.psnr(ReferenceDecoder.decode(frames[5]), component: 0)
    )
    // Above 66 dB the difference is less than a quarter of a code.
    #expect(first > min(settled - 0.5, 66), "\(first) dB, then \(settled) dB")
    #expect(frames.allSatisfy { $0.count <= target })
  }
}
