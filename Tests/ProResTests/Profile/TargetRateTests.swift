import MediaCore
import Testing

@testable import ProRes

/// The target data rates of Apple's ProRes white paper (appendix, "Target Data Rates").
@Suite struct TargetRateTests {
  /// A row of the table, in megabits per second: Proxy, LT, 422, HQ, 4444 and 4444 XQ.
  struct Row: Sendable, CustomTestStringConvertible {
    let width: Int
    let height: Int
    let rate: FrameRate
    let megabits: [Int]

    var testDescription: String { "\(width)x\(height) at \(rate)" }
  }

  static let rows: [Row] = table.split(separator: "\n").compactMap { line in
    let fields = line.split(separator: " ").map(String.init)
    let rates: [String: FrameRate] = [
      "24": .fps23_976, "25": .fps25, "30": .fps29_97, "50": .fps50, "60": .fps59_94,
    ]
    let size = fields[0].split(separator: "x").compactMap { Int($0) }
    guard size.count == 2, let rate = rates[fields[1]] else { return nil }
    return Row(
      width: size[0], height: size[1], rate: rate,
      megabits: fields.dropFirst(2).compactMap { Int($0) })
  }

  @Test func the_table_of_rates_is_complete() {
    #expect(Self.rows.count == 48)
    #expect(Self.rows.allSatisfy { $0.megabits.count == 6 })
  }

  @Test(arguments: rows) func targets_match_the_table_of_rates(row: Row) {
    for (profile, megabits) in zip(ProResProfile.allCases, row.megabits) {
      let bits = profile.targetFrameBytes(width: row.width, height: row.height) * 8
      let rate = Double(bits) * row.rate.framesPerSecond / 1e6
      #expect(Int(rate.rounded()) == megabits, "\(profile): \(rate)")
    }
  }

  @Test(arguments: ProResProfile.allCases)
  func targets_never_shrink_as_frames_grow(profile: ProResProfile) {
    var last = 0
    for height in stride(from: 16, through: 4608, by: 16) {
      let bytes = profile.targetFrameBytes(width: height * 16 / 9 / 16 * 16 + 16, height: height)
      #expect(bytes >= last, "\(height) rows")
      last = bytes
    }
  }

  @Test func the_encoder_uses_the_profiles_target() throws {
    let encoder = try ProResEncoder(
      configuration: .init(profile: .hq, width: 1440, height: 1080, threads: 1))
    let target = try #require(encoder.targetFrameSize)
    let wanted = ProResProfile.hq.targetFrameBytes(width: 1440, height: 1080)
    #expect((wanted - 15...wanted).contains(target))
  }

  private static let table = """
    720x486 24 10 23 34 50 75 113
    720x486 30 12 29 42 63 94 141
    720x576 25 12 28 41 61 92 138
    960x720 24 15 35 50 75 113 170
    960x720 25 16 36 52 79 118 177
    960x720 30 19 44 63 94 141 212
    960x720 50 32 73 105 157 236 354
    960x720 60 38 87 126 189 283 424
    1280x720 24 18 41 59 88 132 198
    1280x720 25 19 42 61 92 138 206
    1280x720 30 23 51 73 110 165 247
    1280x720 50 38 84 122 184 275 413
    1280x720 60 45 101 147 220 330 495
    1280x1080 24 31 70 101 151 226 339
    1280x1080 30 38 87 126 189 283 424
    1440x1080 24 31 70 101 151 226 339
    1440x1080 25 32 73 105 157 236 354
    1440x1080 30 38 87 126 189 283 424
    1920x1080 24 36 82 117 176 264 396
    1920x1080 25 38 85 122 184 275 413
    1920x1080 30 45 102 147 220 330 495
    1920x1080 50 76 170 245 367 551 826
    1920x1080 60 91 204 293 440 660 990
    2048x1080 24 41 93 134 201 302 453
    2048x1080 25 43 97 140 210 315 472
    2048x1080 30 52 116 168 251 377 566
    2048x1080 50 86 194 280 419 629 944
    2048x1080 60 103 232 335 503 754 1131
    2048x1556 24 56 126 181 272 407 611
    2048x1556 25 58 131 189 283 425 637
    2048x1556 30 70 157 226 340 509 764
    3840x2160 24 145 328 471 707 1061 1591
    3840x2160 25 151 342 492 737 1106 1659
    3840x2160 30 182 410 589 884 1326 1989
    3840x2160 50 303 684 983 1475 2212 3318
    3840x2160 60 363 821 1178 1768 2652 3977
    4096x2160 24 155 350 503 754 1131 1697
    4096x2160 25 162 365 524 786 1180 1769
    4096x2160 30 194 437 629 943 1414 2121
    4096x2160 50 323 730 1049 1573 2359 3539
    4096x2160 60 388 875 1257 1885 2828 4242
    5120x2700 24 243 547 786 1178 1768 2652
    5120x2700 60 608 1369 1964 2946 4419 6629
    6144x3240 24 350 788 1131 1697 2545 3818
    6144x3240 60 875 1969 2828 4242 6363 9545
    8192x4320 24 622 1400 2011 3017 4525 6788
    8192x4320 30 778 1750 2514 3771 5656 8485
    8192x4320 60 1556 3500 5028 7542 11313 16970
    """
}
