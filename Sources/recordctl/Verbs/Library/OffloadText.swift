import ASCMHL
import MediaLibrary

/// An offload of a card in words.
enum OffloadText {
  /// The progress line: what is done, speed, time left, the file.
  static func progress(_ step: OffloadProgress) -> String {
    var parts = ["\(Quantity.bytes(step.bytesDone)) of \(Quantity.bytes(step.bytesTotal))"]
    if let rate = step.bytesPerSecond { parts.append("\(Quantity.bytes(Int64(rate)))/s") }
    if let left = step.secondsLeft { parts.append("\(clock(left)) left") }
    if !step.path.isEmpty { parts.append(step.path) }
    return parts.joined(separator: "  ")
  }

  static let interrupted = "interrupted; the same command continues with what is missing"

  /// A message about assets that were not deleted because they changed while they were copied; nil for none.
  static func changed(_ assets: [String]) -> String? {
    guard !assets.isEmpty else { return nil }
    let named = 5
    let more = assets.count - named
    return
      "\(Quantity.count(assets.count, "asset")) changed during the copy and stayed in the library: "
      + assets.prefix(named).map { $0.prefix(8).lowercased() }.joined(separator: ", ")
      + (more > 0 ? " and \(more) more" : "") + "; offload again to copy the current content"
  }

  static func lines(_ report: OffloadReport) -> [String] {
    var lines = report.destinations.flatMap { copy($0, of: report) }
    lines += report.refused.map { "NOT copied: \(named($0.path, $0.message))" }
    lines += report.notes.map { "note: \($0)" }
    if report.wasInterrupted {
      lines.append(interrupted)
    }
    let rate =
      report.duration > 0
      ? ", \(Quantity.bytes(Int64(Double(report.byteCount) / report.duration)))/s" : ""
    lines.append(
      "\(Quantity.count(report.fileCount, "file")), \(Quantity.bytes(report.byteCount)) in "
        + "\(Quantity.seconds(report.duration))\(rate); "
        + (report.isSound ? "all complete in every copy" : "NOT complete"))
    return lines
  }

  private static func copy(
    _ destination: OffloadReport.Destination, of report: OffloadReport
  ) -> [String] {
    let present = destination.files.count(where: \.wasPresent)
    var lines = [
      "\(destination.folder): \(Quantity.count(destination.files.count - present, "file")) copied and "
        + "verified, " + Quantity.bytes(destination.copiedByteCount)
        + (present > 0 ? "; \(present) already existed and were verified" : "")
        + (destination.disk.map { "; on \($0.description)" } ?? "")
    ]
    if let manifest = destination.manifest { lines.append("manifest \(manifest)") }
    lines += notCopied(destination.failures.map { ($0.path, $0.message) })
    return lines
  }

  /// Files that are in no copy. A full disk is reported once, not for each of the remaining files.
  static func notCopied(_ failures: [(path: String, message: String)]) -> [String] {
    var counts: [String: Int] = [:]
    for failure in failures { counts[failure.message, default: 0] += 1 }
    return failures.compactMap { path, message in
      guard let count = counts.removeValue(forKey: message) else { return nil }
      guard count > 1 else { return "NOT copied: \(named(path, message))" }
      return "NOT copied: \(path) and \(count - 1) more: \(message)"
    }
  }

  /// What is wrong with a file, with its name once: most messages begin with it, or with its whole path.
  private static func named(_ path: String, _ message: String) -> String {
    let isNamed =
      message.hasPrefix(path + ": ")
      || message.firstRange(of: "/" + path + ": ").map {
        message.hasPrefix("/") && !message[..<$0.lowerBound].contains(": ")
      } ?? false
    return isNamed ? message : "\(path): \(message)"
  }

  /// What the library took in.
  static func lines(_ report: ImportReport) -> [String] {
    ["library: \(report.imported.count) imported, \(report.duplicates.count) already there"]
      + report.duplicates.compactMap { duplicate in
        LibraryText.omittedCompanions(with: duplicate).map {
          "left out with \(duplicate.source): \($0)"
        }
      } + LibraryText.ignored(report)
      + report.failures.map { "NOT imported: \($0.message)" }
      + report.warnings.map { "note: \($0)" } + LibraryText.hooks(report.hooks)
  }

  private static func clock(_ seconds: Double) -> String {
    let whole = Int(min(max(seconds, 0), 3_599_999).rounded(.up))
    func pad(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    return "\(whole / 3600):\(pad(whole / 60 % 60)):\(pad(whole % 60))"
  }
}
