import CaptureDevices
import MediaCore
import Synchronization

extension CaptureDevice {
  /// The best of the device's formats that fits the criteria: TN3104's `findFormat`.
  ///
  /// - Throws: ``CaptureError/Code/formatUnavailable`` where none fits. Its message lists what the
  ///   device has, and the least fallback that would find a format. Also what ``queryFormats()``
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
  /// says yes; nil where it never does. Pictures only.
  public func findFormat(where isSuitable: (Format) -> Bool) -> Format? {
    FormatSelector.ordered(formats).first(where: isSuitable)
  }

  /// The best of the device's formats of sound that fits the criteria.
  ///
  /// - Throws: ``CaptureError/Code/formatUnavailable`` where none fits.
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
      "\(self) has no sound of \(wanted.isEmpty ? "any kind" : wanted)"
        + (offered.isEmpty ? "" : "; it has \(offered.joined(separator: "; "))"))
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
    let wanted = wish.isEmpty ? "" : " for \(wish)"
    guard formats.contains(where: { $0.video != nil }) else {
      return formats.contains { $0.audio != nil }
        ? "\(device) gives sound alone; name a video device, and this one with --audio"
        : "\(device) offers no pictures at all now; see that it has a signal"
    }
    guard formats.contains(where: { $0.video?.pixelFormat != nil }) else {
      return "\(device) gives compressed pictures alone (\(offer)), which nothing here decodes; "
        + "choose another device"
    }
    return "no format of \(device) fits\(wanted); it has \(offer); \(remedy)"
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

  /// The device's formats, best first, those of one layout together.
  private var offer: String {
    var order: [String] = []
    var sizes: [String: [String]] = [:]
    for format in FormatSelector.ordered(formats) {
      let layout =
        (format.nativeCode ?? format.video?.mediaSubType)?.description ?? "?"
      let title = layout + (format.tier.map { " (tier \($0.rawValue), \($0.displayName))" } ?? "")
      if sizes[title] == nil { order.append(title) }
      let scan = format.video?.fieldOrder.isInterlaced == true ? " interlaced" : ""
      sizes[title, default: []].append("\(format.dimensions)\(scan)\(Self.rates(of: format))")
    }
    let lines = order.prefix(4).map { title in
      let all = sizes[title] ?? []
      return title + " " + all.prefix(3).joined(separator: ", ")
        + (all.count > 3 ? " and \(all.count - 3) more" : "")
    }
    return lines.joined(separator: "; ")
      + (order.count > 4 ? "; and \(order.count - 4) more layouts" : "")
  }

  /// The rates of a format in few words.
  private static func rates(of format: CaptureDevice.Format) -> String {
    guard let highest = format.highestFrameRate else { return "" }
    return format.frameRates.count == 1 ? " at \(highest)" : " up to \(highest)"
  }

  /// The least that must be given up for a format to fit.
  private var remedy: String {
    let anyTier = with { $0.allowedTiers = Set(FormatTier.allCases) }
    if let best = FormatSelector.rank(formats, anyTier).first, let tier = best.tier {
      return "allow a fallback to tier \(tier.rawValue) (\(tier.displayName)) to use \(best)"
    }
    let relaxations: [(name: String, change: (inout FormatCriteria) -> Void)] = [
      ("another rate", { $0.frameRate = nil }),
      ("another size", { $0.dimensions = nil }),
      (
        "another size and rate",
        {
          $0.dimensions = nil
          $0.frameRate = nil
        }
      ),
      ("a codec of the 422 family", { $0.codec = nil }),
      ("what the preset's bounds leave out", { $0.bounds = [] }),
    ]
    for relaxed in relaxations {
      if let best = FormatSelector.rank(formats, with(relaxed.change)).first {
        return "ask for \(relaxed.name), such as \(best)\(Self.rates(of: best))"
      }
    }
    return "ask for one of these"
  }

  private func with(_ change: (inout FormatCriteria) -> Void) -> FormatCriteria {
    var copy = criteria
    change(&copy)
    return copy
  }
}
