/// The loudness of channels, for the live line.
struct ChannelMeter {
  /// Decibels below full scale, a channel each; nil for silence.
  let peaks: [Double?]

  private static let blocks = Array("▁▂▃▄▅▆▇█")
  /// What the lowest block stands for.
  private static let floor = -60.0
  /// From here on samples are at the limit, or next to it.
  private static let clipping = -0.1

  /// True where a channel reaches full scale.
  var isClipping: Bool { peaks.contains { ($0 ?? -.infinity) >= Self.clipping } }

  /// A block for each channel; a dot for silence.
  var bars: String { String(peaks.map { $0.map(Self.block) ?? "·" }) }

  /// Decibels of each channel.
  var numbers: String {
    peaks.map { $0.map { Quantity.number($0, 0) } ?? "-" }.joined(separator: " ") + " dB"
  }

  /// Decibels of the loudest channel.
  var loudest: String {
    (peaks.compactMap(\.self).max().map { Quantity.number($0, 1) } ?? "-") + " dB"
  }

  private static func block(_ decibels: Double) -> Character {
    let share = (max(decibels, floor) - floor) / -floor
    return blocks[min(Int(share * Double(blocks.count)), blocks.count - 1)]
  }
}
