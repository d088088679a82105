public import MediaCore

/// Chooses among a device's formats.
public enum FormatSelector {
  /// A property in which a format misses the criteria.
  enum Mismatch: Int, CaseIterable {
    case input, codec, pixelFormat, fieldOrder, dimensions, frameRate, bounds, tier
  }

  /// All pictures, best first: by tier, real layouts before emulated ones, then by size (full
  /// HD, smaller ones, larger ones), by rate, by the device's own order.
  public static func ordered(_ formats: [CaptureDevice.Format]) -> [CaptureDevice.Format] {
    sorted(formats, FormatCriteria(allowedTiers: Set(FormatTier.allCases))) { $0.tier != nil }
  }

  /// The formats that fit, best first. Compressed pictures that nothing here decodes never do.
  public static func rank(
    _ formats: [CaptureDevice.Format], _ criteria: FormatCriteria
  ) -> [CaptureDevice.Format] {
    sorted(formats, criteria) { mismatches($0, criteria).isEmpty }
  }

  /// The sensor's mosaic with the most pixels, of these the one with the most bits up to 14, and of
  /// these the device's first; without a mosaic the largest picture.
  static func bestForPhotos(_ formats: [CaptureDevice.Format]) -> CaptureDevice.Format? {
    func rank(_ format: CaptureDevice.Format) -> [Int] {
      guard let layout = format.video?.pixelFormat else { return [0, 0, 0] }
      let area = format.dimensions.width * format.dimensions.height
      // What has 16 bits says nothing of how many are true.
      let depth = layout.descriptor.bitDepth
      return [layout.isBayer ? 1 : 0, area, depth > 14 ? 0 : depth]
    }
    // The first of equals.
    return formats.enumerated().max { a, b in
      let (left, right) = (rank(a.element) + [-a.offset], rank(b.element) + [-b.offset])
      return left.lexicographicallyPrecedes(right)
    }?.element
  }

  private static func sorted(
    _ formats: [CaptureDevice.Format], _ criteria: FormatCriteria,
    where isIncluded: (CaptureDevice.Format) -> Bool
  ) -> [CaptureDevice.Format] {
    formats.enumerated()
      .filter { isIncluded($0.element) }
      .map { (key: SortKey($0.element, criteria, index: $0.offset), format: $0.element) }
      .sorted { $0.key < $1.key }
      .map(\.format)
  }

  /// The formats of sound that fit, best first: 48 kHz, then the most bits up to 24, then two
  /// channels, before others.
  public static func rankAudio(
    _ formats: [CaptureDevice.Format], _ criteria: AudioFormatCriteria
  ) -> [CaptureDevice.Format] {
    func fits(_ audio: AudioFormat) -> Bool {
      (criteria.sampleRate ?? audio.sampleRate) == audio.sampleRate
        && (criteria.channelCount ?? audio.channelCount) == audio.channelCount
        && (criteria.sampleFormat ?? audio.sampleFormat) == audio.sampleFormat
    }
    func distance(_ audio: AudioFormat) -> [Int] {
      let width: Int =
        switch audio.sampleFormat {
        case .int24: 0
        case .int32: 1
        case .int16: 2
        }
      return [
        (audio.sampleRate - 48_000).magnitude, UInt(width), (audio.channelCount - 2).magnitude,
      ]
      .map { Int($0) }
    }
    return
      formats.enumerated()
      .compactMap { entry in entry.element.audio.map { (entry.offset, entry.element, $0) } }
      .filter { fits($0.2) }
      .map { (key: distance($0.2) + [$0.0], format: $0.1) }
      .sorted { $0.key.lexicographicallyPrecedes($1.key) }
      .map(\.format)
  }

  /// In what a format misses the criteria; empty where it fits. Sound misses everything.
  static func mismatches(
    _ format: CaptureDevice.Format, _ criteria: FormatCriteria
  ) -> Set<Mismatch> {
    guard let video = format.video, let tier = format.tier else { return Set(Mismatch.allCases) }
    var found: Set<Mismatch> = []
    if let input = criteria.inputIndex, format.inputIndex != input { found.insert(.input) }
    if let codec = criteria.codec, codec.is4444, !format.is444 { found.insert(.codec) }
    if let subType = criteria.mediaSubType, video.mediaSubType != subType {
      found.insert(.pixelFormat)
    }
    if let layout = video.pixelFormat {
      if !criteria.pixelFormats.isEmpty, !criteria.pixelFormats.contains(layout) {
        found.insert(.pixelFormat)
      }
    } else {
      found.insert(.pixelFormat)
    }
    if let order = criteria.fieldOrder, video.fieldOrder != order { found.insert(.fieldOrder) }
    if let size = criteria.dimensions, video.dimensions != size { found.insert(.dimensions) }
    if let rate = criteria.frameRate, !format.supports(rate) { found.insert(.frameRate) }
    if !criteria.bounds.isEmpty,
      criteria.frameRate(for: format) == nil
        || !criteria.allows(video.dimensions, at: criteria.frameRate ?? .slowest)
    {
      found.insert(.bounds)
    }
    if !criteria.allowedTiers.contains(tier) { found.insert(.tier) }
    return found
  }

  /// What formats are ordered by, each field smaller for a better one.
  private struct SortKey: Comparable {
    let fields: [Int]

    init(_ format: CaptureDevice.Format, _ criteria: FormatCriteria, index: Int) {
      let size = format.dimensions
      let rate = format.highestFrameRate?.framesPerSecond ?? 0
      // Without a rate asked for, what stutters at full size is no better than what flows at less.
      let isFluent = criteria.frameRate != nil || rate == 0 || rate >= 23.9
      fields = [
        format.tier?.rawValue ?? .max, format.isEmulated ? 1 : 0, isFluent ? 0 : 1,
        Self.rank(of: size), Int(-rate * 1000),
        format.video?.fieldOrder == .progressive ? 0 : 1, index,
      ]
    }

    /// Up to full HD the largest is best; beyond, which not every machine can encode, the smallest.
    private static func rank(of size: VideoDimensions) -> Int {
      let area = size.width * size.height
      return area <= 1920 * 1080 ? -area : area
    }

    static func < (lhs: SortKey, rhs: SortKey) -> Bool {
      lhs.fields.lexicographicallyPrecedes(rhs.fields)
    }
  }
}

extension FrameRate {
  /// A rate that every bound allows.
  fileprivate static var slowest: FrameRate { FrameRate(1, 1000) ?? .fps23_976 }
}

extension CaptureDevice.Format {
  /// True for 4:4:4 and RGB.
  var is444: Bool {
    guard let subsampling = video?.pixelFormat?.descriptor.subsampling else { return false }
    return subsampling == .yuv444 || subsampling == .rgb
  }

  /// True where the device gives the format at a rate, or does not say at which rates it does.
  public func supports(_ rate: FrameRate) -> Bool {
    videoSupportedFrameRateRanges.isEmpty || frameRates.contains(rate)
      || videoSupportedFrameRateRanges.contains { $0.contains(rate) }
  }

  /// The highest rate; nil where the device does not say.
  public var highestFrameRate: FrameRate? {
    videoSupportedFrameRateRanges.map(\.maxFrameRate).max()
  }

  /// The rates in words: `25, 50` or `1 to 60`.
  var rateSummary: String {
    if !frameRates.isEmpty { return frameRates.map(\.description).joined(separator: ", ") }
    if videoSupportedFrameRateRanges.isEmpty { return "rates that it does not tell" }
    return videoSupportedFrameRateRanges.map { range in
      range.minFrameRate == range.maxFrameRate
        ? "\(range.minFrameRate)" : "\(range.minFrameRate) to \(range.maxFrameRate)"
    }.joined(separator: ", ")
  }
}

extension CaptureDevice.Format: CustomStringConvertible {
  /// Layout, size, scanning: `Y210 1920x1080`, `UYVY 1920x1080 interlaced`; or the sound's shape.
  public var description: String {
    guard let video else {
      guard let audio else { return "nothing" }
      return "\(audio.sampleRate) Hz, \(audio.channelCount) channels, \(audio.sampleFormat)"
    }
    let layout =
      nativeCode?.description ?? video.pixelFormat?.description ?? video.mediaSubType.description
    return "\(layout) \(video.dimensions)"
      + (video.fieldOrder.isInterlaced ? " interlaced" : "") + (isEmulated ? " (emulated)" : "")
  }
}
