/// How loud each channel of a source is heard in each channel of a mix.
struct ChannelMatrix: Hashable {
  /// Parts, by the mix's channels and then by the source's.
  let parts: [[Double]]

  private static let half = 0.5.squareRoot()

  /// Where a channel is heard in two: by Core Audio's labels (`AudioChannelLabel` of CoreAudioBaseTypes.h).
  private static let places: [UInt32: (left: Double, right: Double)] = [
    1: (1, 0), 2: (0, 1), 3: (half, half), 5: (half, 0), 6: (0, half), 7: (1, 0), 8: (0, 1),
    9: (0.5, 0.5), 10: (half, 0), 11: (0, half), 33: (half, 0), 34: (0, half), 35: (1, 0),
    36: (0, 1), 42: (half, half), 12: (0.5, 0.5), 13: (half, 0), 14: (0.5, 0.5), 15: (0, half),
    16: (half, 0), 17: (0.5, 0.5), 18: (0, half), 49: (half, 0), 51: (0, half), 52: (half, 0),
    53: (0.5, 0.5), 54: (0, half),
    // Low-frequency effects are left out of two channels (ITU-R BS.775).
    4: (0, 0), 37: (0, 0),
  ]

  /// A matrix.
  ///
  /// - Parameters:
  ///   - channels: Of the source.
  ///   - labels: What they are for; nil where that is not known.
  ///   - target: Channels of the mix.
  /// - Returns: Nil where it is not known how many become fewer: more than two of more.
  init?(from channels: Int, _ labels: [UInt32]?, to target: Int) {
    if channels == 1, target > 1 {
      // One voice is heard on the left and on the right.
      parts = (0..<target).map { $0 < 2 ? [1] : [0] }
    } else if channels <= target {
      parts = (0..<target).map { to in (0..<channels).map { $0 == to ? 1 : 0 } }
    } else {
      guard target <= 2 else { return nil }
      let pair = Self.pair(channels, labels)
      parts = target == 2 ? pair : [zip(pair[0], pair[1]).map { ($0 + $1) / 2 }]
    }
  }

  /// Left and right of many, so that nothing is louder than the loudest can be.
  private static func pair(_ channels: Int, _ labels: [UInt32]?) -> [[Double]] {
    let labels = labels?.count == channels ? labels : nil
    // Of channels that nobody named, one on the left and one on the right in turns.
    let heard = (0..<channels).map { channel in
      labels.flatMap { places[$0[channel]] } ?? (channel % 2 == 0 ? (1, 0) : (0, 1))
    }
    let most = max(heard.reduce(0) { $0 + $1.left }, heard.reduce(0) { $0 + $1.right }, 1)
    return [heard.map { $0.left / most }, heard.map { $0.right / most }]
  }
}
