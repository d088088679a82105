import Foundation
import MediaCore
import MediaLibrary

/// Assets and reports in words.
enum LibraryText {
  /// What to do about a library that is not trusted.
  static let trustRemedy = "'recordctl library trust FOLDER' trusts it"

  /// A row for each asset.
  static func table(_ assets: [Asset]) -> [String] {
    var table = TextTable()
    table.add("ID", "DATE", "TYPE", "NAME", "WHAT", "LENGTH", "SIZE", "")
    for asset in assets {
      table.add(
        String(asset.localIdentifier.prefix(8).lowercased()), date(asset.creationDate),
        asset.mediaType.name, asset.originalFilename, what(asset.facts),
        asset.duration > 0 ? Quantity.seconds(asset.duration) : "",
        Quantity.bytes(asset.fileSize),
        (asset.badges + (asset.isFavorite ? ["favorite"] : [])
          + (asset.deletionDate == nil ? [] : ["deleted"])).joined(separator: " "))
    }
    return table.lines
  }

  /// All that is known of an asset.
  static func details(_ asset: Asset) -> [String] {
    let facts = asset.facts
    var table = TextTable()
    table.add("asset", asset.localIdentifier)
    table.add("type", ([asset.mediaType.name] + asset.badges).joined(separator: ", "))
    table.add("made", date(asset.creationDate))
    table.add("added", date(asset.additionDate))
    if let deleted = asset.deletionDate { table.add("deleted", date(deleted)) }
    table.add("what", what(facts))
    let rows: [(String, String?)] = [
      ("length", asset.duration > 0 ? Quantity.seconds(asset.duration) : nil),
      ("reel", facts.reel), ("scene", facts.scene), ("take", facts.take),
      ("timecode", facts.timecode), ("color", facts.color), ("camera", facts.device),
      ("software", facts.software),
      ("place", asset.location.map { "\($0.latitude) \($0.longitude)" }),
      ("favorite", asset.isFavorite ? "yes" : nil),
    ]
    for case (let name, let value?) in rows { table.add(name, value) }
    for resource in asset.resources {
      table.add(
        resource.type.name,
        "\(resource.fileURL.path), \(Quantity.bytes(resource.fileSize)), "
          + "xxh64 \(resource.contentHash.map { "\($0)" } ?? "?")")
    }
    return table.lines
  }

  private static func what(_ facts: MediaFacts) -> String {
    var parts = [facts.codecName ?? facts.codec ?? facts.container ?? "unknown"]
    if facts.width > 0 { parts.append("\(facts.width)x\(facts.height)") }
    if let rate = facts.frameRate { parts.append(rate) }
    if let channels = facts.audioChannels { parts.append("\(channels) ch") }
    return parts.joined(separator: " ")
  }

  private static func date(_ date: Date) -> String {
    let style = Date.VerbatimFormatStyle(
      format:
        "\(year: .defaultDigits)-\(month: .twoDigits)-\(day: .twoDigits) \(hour: .twoDigits(clock: .twentyFourHour, hourCycle: .zeroBased)):\(minute: .twoDigits)",
      timeZone: .current, calendar: Calendar(identifier: .gregorian))
    return date.formatted(style)
  }

  /// What had to be put right before a library could be used, a line each.
  static func repair(_ report: RepairReport) -> [String] {
    var lines: [String] = []
    if let restriction = report.restriction {
      lines.append(
        "\(restriction.message), so the library is opened read-only"
          + (restriction.kind == .untrusted ? "; \(trustRemedy)" : ""))
    }
    if report.pendingChanges > 0 {
      lines.append(
        "changes begun by a killed process are completed by the next change "
          + "(\(report.pendingChanges))")
    }
    if report.completedChanges > 0 {
      lines.append(
        "completed \(Quantity.count(report.completedChanges, "change")) that a killed process had "
          + "begun")
    }
    if let aside = report.catalogueSetAside {
      lines.append("the catalogue was damaged and has been rebuilt; the old one is \(aside)")
    } else if report.wasRebuilt {
      let isEmpty = report.catalogueLoss == .empty
      let state = isEmpty ? "empty (cut, or without its -wal file)" : "missing"
      lines.append("the catalogue was \(state) and has been rebuilt")
    }
    let damage = "(\(Quantity.count(report.damagedJournalLines, "line")) unreadable)"
    if let aside = report.journalSetAside {
      let loss =
        switch report.journalLoss {
        case .missing: "was missing"
        case .empty: "was empty"
        case .endedEarly: "ended early"
        case nil: "was damaged \(damage)"
        }
      lines.append(
        "the journal \(loss) and has been rewritten from the known changes; the old one is \(aside)"
      )
    } else if report.damagedJournalLines > 0 {
      lines.append("the journal is damaged \(damage)")
    } else if report.tornJournalBytes > 0 {
      lines.append(
        "removed an incomplete change from the journal's end "
          + "(\(Quantity.bytes(report.tornJournalBytes)))")
    }
    lines += report.missingFiles.map { "missing: \($0)" }
    return lines + report.problems
  }

  /// So many files that were left out are named; more are counted, and named with `--json`.
  private static let mostIgnored = 5

  /// The files in folders that an import left alone, in a line; no line for none.
  static func ignored(_ report: ImportReport) -> [String] {
    guard !report.ignored.isEmpty else { return [] }
    let isShort = report.ignored.count <= mostIgnored
    return [
      "\(Quantity.count(report.ignored.count, "other file")) ignored"
        + (isShort ? ": \(report.ignored.joined(separator: ", "))" : "")
    ]
  }

  /// What was left out with a duplicate and the library has not; nil for nothing.
  static func omittedCompanions(with duplicate: ChangeReport.Duplicate) -> String? {
    duplicate.omittedCompanions.map {
      $0.joined(separator: ", ") + ", which the library does not have"
    }
  }

  /// What hooks did, a line each.
  static func hooks(_ hooks: [HookReport]) -> [String] {
    hooks.map { hook in
      let name = hook.hook.pathName
      let status = hook.status.map { " (status \($0))" } ?? ""
      let last = hook.output.split(separator: "\n").last.map { ": \($0)" } ?? ""
      return "hook \(name): \(outcome(hook.outcome))\(hook.outcome == .failed ? status : "")"
        + (hook.outcome == .succeeded ? "" : last)
    }
  }

  private static func outcome(_ outcome: HookReport.Outcome) -> String {
    switch outcome {
    case .succeeded: "succeeded"
    case .failed: "failed"
    case .timedOut: "ended at its time limit"
    case .notStarted: "could not be started"
    case .interrupted: "ended by the interruption"
    case .skipped: "not started because of the interruption"
    }
  }

  static func export(_ report: ExportReport) -> [String] {
    let present = report.files.count(where: \.wasPresent)
    var lines = [
      "\(report.destination): \(Quantity.count(report.files.count - present, "file")) copied and "
        + "verified, "
        + "\(Quantity.bytes(report.copiedByteCount))"
        + (present > 0 ? "; \(present) already existed and were verified" : "")
    ]
    if let manifest = report.manifest { lines.append("manifest \(manifest)") }
    lines += OffloadText.notCopied(report.failures.map { ($0.path, $0.message) })
    lines += report.notes.map { "note: \($0)" }
    return lines
  }
}
