import Testing

@testable import MovieExport

/// Mixing to more or fewer channels.
@Suite struct ChannelMatrixTests {
  private func parts(_ channels: Int, _ labels: [UInt32]?, _ target: Int) throws -> [[Double]] {
    try #require(ChannelMatrix(from: channels, labels, to: target)).parts
  }

  @Test func mono_and_stereo_map_to_other_channel_counts() throws {
    #expect(try parts(1, nil, 2) == [[1], [1]])
    #expect(try parts(1, nil, 1) == [[1]])
    #expect(try parts(2, nil, 2) == [[1, 0], [0, 1]])
    #expect(try parts(2, nil, 4) == [[1, 0], [0, 1], [0, 0], [0, 0]])
    #expect(try parts(2, nil, 1) == [[0.5, 0.5]])
  }

  @Test(arguments: [
    (6, [1, 2, 3, 4, 5, 6] as [UInt32]?), (4, [1, 2, 5, 6]), (3, [1, 2, 3]), (8, nil), (5, nil),
    (6, [1, 2, 3, 99, 5, 6]), (6, [1, 2]),
  ]) func downmixes_never_clip_and_lose_only_the_lfe_channel(
    channels: Int, labels: [UInt32]?
  ) throws {
    let pair = try parts(channels, labels, 2)
    #expect(pair.allSatisfy { $0.reduce(0, +) <= 1.000_001 })
    for channel in 0..<channels where labels?.count != channels || labels?[channel] != 4 {
      #expect(pair[0][channel] + pair[1][channel] > 0, "channel \(channel)")
    }
  }

  @Test func center_is_mixed_to_both_sides_and_surrounds_to_their_own() throws {
    let pair = try parts(6, [1, 2, 3, 4, 5, 6], 2)
    #expect(pair[0][2] == pair[1][2] && pair[0][3] == 0 && pair[1][3] == 0)
    #expect(pair[1][0] == 0 && pair[1][4] == 0 && pair[0][0] > pair[0][4])
    #expect(ChannelMatrix(from: 8, nil, to: 6) == nil)
    // With height channels and with an unknown one, the center stays in the middle.
    for last in [13, 15, 99] as [UInt32] {
      let high = try parts(7, [1, 2, 3, 4, 5, 6, last], 2)
      #expect(high[0][2] == high[1][2] && high[0][3] == 0 && high[1][3] == 0)
    }
  }
}
