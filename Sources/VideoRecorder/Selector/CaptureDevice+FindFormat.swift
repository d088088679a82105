import CaptureDevices
import MediaCore
import Synchronization

extension CaptureDevice {
  /// The best of the device's formats that fits the criteria: TN3104's `findFormat`.
  ///
  /// - Throws: `CaptureError.Code.formatUnavailable` where none fits. Its message lists what the
  ///   device has, and the least fallback that would find a format. Also what `queryFormats()`
  ///   throws where the device does not answer.
  public func findFormat(
    where criteria: FormatCriteria = FormatCriteria()
  ) throws(CaptureError) -> Format {
    let formats = try knownFormats()
    if let best = FormatSelector.rank(formats, criteria).first { return best }
    throw CaptureError(
      .formatUnavailable, FormatShortage(device: self, formats: formats, criteria: criteria).message
    )
  }

  /// The best of the device's formats, all tiers considered best first, for which `isSuitable`
  /// returns true; nil if it never does. Video only.
  public func findFormat(where isSuitable: (Format) -> Bool) -> Format? {
    FormatSelector.ordered(formats).first(where: isSuitable)
  }

  /// The best of the device's audio formats that fits the criteria.
  ///
  /// - Throws: `CaptureError.Code.formatUnavailable` if none fits.
  public func findAudioFormat(
    where criteria: AudioFormatCriteria = AudioFormatCriteria()
  ) throws(CaptureError) -> Format {
    let formats = try knownFormats()
    if let best = FormatSelector.rankAudio(formats, criteria).first { return best }
    let wanted = [
      criteria.sampleRate.map { "\($0) Hz" }, criteria.channelCount.map { "\($0) channels" },
      criteria.sampleFormat.map { "\($0)" },
    ].compactMap { $0 }.joined(separator: ", ")
    let offered = formats.filter { $0.audio != nil }.prefix(8).map(\.description)
    throw CaptureError(
      .formatUnavailable,
      "\(self) offers no \(wanted.isEmpty ? "audio" : "audio of \(wanted)")"
        + (offered.isEmpty ? "" : "; it offers \(offered.joined(separator: "; "))"))
  }

  private func knownFormats() throws(CaptureError) -> [Format] {
    if let known = configuration.withLock({ $0.formats }) { return known }
    return try queryFormats()
  }
}

/// Why no format of a device fits, and what would help.
struct FormatShortage {
  let device: CaptureDevice
  let formats: [CaptureDevice.Format]
  let criteria: FormatCriteria

  /// The whole story in one line.
  var message: String {
    let wanted = wish.isEmpty ? "" : " \(wish)"
    guard formats.contains(where: { $0.video != nil }) else {
      return formats.contains { $0.audio != nil }
        ? "\(device) delivers audio only; choose a video device, and this one as the audio device"
        : "\(device) offers no video now; check that it has a signal"
    }
    guard formats.contains(where: { $0.video?.pixelFormat != nil }) else {
      return "\(device) delivers compressed video only (\(layouts)), which cannot be decoded here; "
        + "choose another device"
    }
    guard formats.contains(where: { $0.tier != nil }) else {
      return "\(device) takes stills only; take photos with it"
    }
    return "no format of \(device) fits\(wanted); \(remedy), "
      + "or choose another of the device's formats"
  }

  private var wish: String {
    [
      criteria.dimensions?.description, criteria.frameRate.map { "\($0) fps" },
      criteria.mediaSubType.map { "'\($0)'" },
      criteria.pixelFormats.isEmpty
        ? nil : criteria.pixelFormats.map(\.description).sorted().joined(separator: "/"),
      criteria.fieldOrder.map { $0.isInterlaced ? "interlaced" : "progressive" },
      criteria.codec?.displayName, criteria.inputIndex.map { "input \($0)" },
      "tier "
        + criteria.allowedTiers.sorted().map { "\($0.rawValue)" }.joined(separator: " or "),
    ].compactMap { $0 }.joined(separator: ", ")
  }

  /// The layouts of the device's video with their tiers, each once, the best first.
  private var layouts: String {
    var names: [String] = []
    for format in FormatSelector.ordered(formats) {
      let layout = (format.nativeCode ?? format.video?.mediaSubType)?.description ?? "unknown"
      let name = layout + (format.tier.map { " (tier \($0.rawValue))" } ?? "")
      if !names.contains(name) { names.append(name) }
    }
    return names.joined(separator: ", ")
  }

  /// The sizes, each once, the best first.
  private var sizes: String {
    var sizes: [String] = []
    for format in FormatSelector.ordered(formats) {
      let size = "\(format.dimensions)"
      if !sizes.contains(size) { sizes.append(size) }
    }
    let more = sizes.count - Self.listLimit
    return sizes.prefix(Self.listLimit).joined(separator: ", ")
      + (more > 0 ? " and \(more) more" : "")
  }

  /// Sizes that are named one by one.
  private static let listLimit = 8

  /// The rates of a format in few words.
  private static func rates(of format: CaptureDevice.Format) -> String {
    guard let highest = format.highestFrameRate else { return "" }
    return format.frameRates.count == 1 ? " at \(highest)" : " up to \(highest)"
  }

  /// The least that must be given up for a format to fit.
  private var remedy: String {
    let anyTier = with { $0.allowedTiers = Set(FormatTier.allCases) }
    if let best = FormatSelector.rank(formats, anyTier).first, let tier = best.tier {
      return
        "it has \(layouts); allow a fallback to tier \(tier.rawValue) (\(tier.displayName)) to use \(best)"
    }
    if let best = FormatSelector.rank(formats, with { $0.frameRate = nil }).first {
      return "at \(best.dimensions) its rates are \(best.rateSummary)"
    }
    if let best = FormatSelector.rank(formats, with { $0.dimensions = nil }).first {
      return "its sizes are \(sizes), such as \(best)\(Self.rates(of: best))"
    }
    let relaxations: [(name: String, change: (inout FormatCriteria) -> Void)] = [
      (
        "another size and rate",
        {
          $0.dimensions = nil
          $0.frameRate = nil
        }
      ),
      ("a codec of the 422 family", { $0.codec = nil }),
      ("outside the preset's limits", { $0.bounds = [] }),
    ]
    for relaxed in relaxations {
      if let best = FormatSelector.rank(formats, with(relaxed.change)).first {
        return "ask for \(relaxed.name), such as \(best)\(Self.rates(of: best))"
      }
    }
    return "its sizes are \(sizes)"
  }

  private func with(_ change: (inout FormatCriteria) -> Void) -> FormatCriteria {
    var copy = criteria
    change(&copy)
    return copy
  }
}
