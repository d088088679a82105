/// The gains from each source channel to each channel of a mix.
struct ChannelMatrix: Hashable {
  /// Gains, indexed by mix channel, then by source channel.
  let parts: [[Double]]

  private static let half = 0.5.squareRoot()

  /// The left and right gains of a channel in stereo, by Core Audio's labels (`AudioChannelLabel`
  /// in CoreAudioBaseTypes.h).
  private static let places: [UInt32: (left: Double, right: Double)] = [
    1: (1, 0), 2: (0, 1), 3: (half, half), 5: (half, 0), 6: (0, half), 7: (1, 0), 8: (0, 1),
    9: (0.5, 0.5), 10: (half, 0), 11: (0, half), 33: (half, 0), 34: (0, half), 35: (1, 0),
    36: (0, 1), 42: (half, half), 12: (0.5, 0.5), 13: (half, 0), 14: (0.5, 0.5), 15: (0, half),
    16: (half, 0), 17: (0.5, 0.5), 18: (0, half), 49: (half, 0), 51: (0, half), 52: (half, 0),
    53: (0.5, 0.5), 54: (0, half),
    // Low-frequency effects are left out of a stereo downmix (ITU-R BS.775).
    4: (0, 0), 37: (0, 0),
  ]

  /// Creates a matrix.
  ///
  /// - Parameters:
  ///   - channels: The number of source channels.
  ///   - labels: The source channels' labels; nil if unknown.
  ///   - target: The number of mix channels.
  /// - Returns: Nil for a downmix to more than two channels, which is not defined.
  init?(from channels: Int, _ labels: [UInt32]?, to target: Int) {
    if channels == 1, target > 1 {
      // A mono source goes to left and right.
      parts = (0..<target).map { $0 < 2 ? [1] : [0] }
    } else if channels <= target {
      parts = (0..<target).map { to in (0..<channels).map { $0 == to ? 1 : 0 } }
    } else {
      guard target <= 2 else { return nil }
      let pair = Self.pair(channels, labels)
      parts = target == 2 ? pair : [zip(pair[0], pair[1]).map { ($0 + $1) / 2 }]
    }
  }

  /// The stereo downmix, normalized so that it cannot exceed full scale.
  private static func pair(_ channels: Int, _ labels: [UInt32]?) -> [[Double]] {
    let labels = labels?.count == channels ? labels : nil
    // Unlabeled channels alternate between left and right.
    let heard = (0..<channels).map { channel in
      labels.flatMap { places[$0[channel]] } ?? (channel % 2 == 0 ? (1, 0) : (0, 1))
    }
    let most = max(heard.reduce(0) { $0 + $1.left }, heard.reduce(0) { $0 + $1.right }, 1)
    return [heard.map { $0.left / most }, heard.map { $0.right / most }]
  }
}
