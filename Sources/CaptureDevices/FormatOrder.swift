import MediaCore

/// The order in which formats of a device are preferred.
package enum FormatOrder {
  /// Video formats that something here decodes, best first: by tier, real layouts before emulated ones,
  /// then by size (full HD, smaller ones, larger ones), by rate, by the device's own order.
  ///
  /// - Parameter isRateGiven: False where the rate is open. A format that stutters at full size is then
  ///   no better than one that flows at a smaller size.
  package static func video(
    _ formats: [CaptureDevice.Format], isRateGiven: Bool = false
  ) -> [CaptureDevice.Format] {
    formats.enumerated()
      .filter { $0.element.tier != nil }
      .map { (key: sortKey($0.element, isRateGiven, index: $0.offset), format: $0.element) }
      .sorted { $0.key.lexicographicallyPrecedes($1.key) }
      .map(\.format)
  }

  /// Audio formats, best first: 48 kHz, then the most bits up to 24, then two channels, before others.
  package static func audio(_ formats: [CaptureDevice.Format]) -> [CaptureDevice.Format] {
    formats.enumerated()
      .compactMap { entry in entry.element.audio.map { (entry.offset, entry.element, $0) } }
      .map { (key: distance($0.2) + [$0.0], format: $0.1) }
      .sorted { $0.key.lexicographicallyPrecedes($1.key) }
      .map(\.format)
  }

  /// Each field is smaller for a better format.
  private static func sortKey(
    _ format: CaptureDevice.Format, _ isRateGiven: Bool, index: Int
  ) -> [Int] {
    let rate = format.highestFrameRate?.framesPerSecond ?? 0
    let isFluent = isRateGiven || rate == 0 || rate >= 23.9
    return [
      format.tier?.rawValue ?? .max, format.isEmulated ? 1 : 0, isFluent ? 0 : 1,
      rank(of: format.dimensions), Int(-rate * 1000),
      format.video?.fieldOrder == .progressive ? 0 : 1, index,
    ]
  }

  /// Up to full HD the largest is best; beyond, which not every machine can encode, the smallest.
  private static func rank(of size: VideoDimensions) -> Int {
    let area = size.width.multipliedSaturating(by: size.height)
    return area <= 1920 * 1080 ? -area : area
  }

  private static func distance(_ audio: AudioFormat) -> [Int] {
    let width =
      switch audio.sampleFormat {
      case .int24: 0
      case .int32: 1
      case .int16: 2
      case .float32: 3
      }
    return [abs(audio.sampleRate - 48_000), width, abs(audio.channelCount - 2)]
  }
}
