import CaptureDevices
import MediaCore

/// Chooses among a device's formats.
public enum FormatSelector {
  /// A property in which a format misses the criteria.
  enum Mismatch: Int, CaseIterable {
    case input, codec, pixelFormat, fieldOrder, dimensions, frameRate, bounds, tier
  }

  /// All video formats, best first: by tier, real layouts before emulated ones, then by size (full
  /// HD, smaller ones, larger ones), by rate, by the device's own order.
  public static func ordered(_ formats: [CaptureDevice.Format]) -> [CaptureDevice.Format] {
    FormatOrder.video(formats)
  }

  /// The formats that fit, best first. Compressed formats that cannot be decoded here never do.
  public static func rank(
    _ formats: [CaptureDevice.Format], _ criteria: FormatCriteria
  ) -> [CaptureDevice.Format] {
    FormatOrder.video(
      formats.filter { mismatches($0, criteria).isEmpty }, isRateGiven: criteria.frameRate != nil)
  }

  /// The sensor's mosaic with the most pixels, of these the one with the most bits up to 14, and of
  /// these the device's first; without a mosaic the format with the largest frame.
  static func bestForPhotos(_ formats: [CaptureDevice.Format]) -> CaptureDevice.Format? {
    func rank(_ format: CaptureDevice.Format) -> [Int] {
      guard let layout = format.video?.pixelFormat else { return [0, 0, 0] }
      let area = format.dimensions.width * format.dimensions.height
      // A 16-bit layout does not say how many of its bits are significant.
      let depth = layout.descriptor.bitDepth
      return [layout.isBayer ? 1 : 0, area, depth > 14 ? 0 : depth]
    }
    // The first of equals.
    return formats.enumerated().max { a, b in
      let (left, right) = (rank(a.element) + [-a.offset], rank(b.element) + [-b.offset])
      return left.lexicographicallyPrecedes(right)
    }?.element
  }

  /// The audio formats that fit, best first: 48 kHz, then the most bits up to 24, then two
  /// channels, before others.
  public static func rankAudio(
    _ formats: [CaptureDevice.Format], _ criteria: AudioFormatCriteria
  ) -> [CaptureDevice.Format] {
    FormatOrder.audio(
      formats.filter { format in
        guard let audio = format.audio else { return false }
        return (criteria.sampleRate ?? audio.sampleRate) == audio.sampleRate
          && (criteria.channelCount ?? audio.channelCount) == audio.channelCount
          && (criteria.sampleFormat ?? audio.sampleFormat) == audio.sampleFormat
      })
  }

  /// In what a format misses the criteria; empty if it fits. Audio misses everything.
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
}

extension FrameRate {
  /// A rate that every bound allows.
  fileprivate static var slowest: FrameRate { FrameRate(1, 1000) ?? .fps23_976 }
}
