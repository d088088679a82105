import ASCMHL

/// Copies that were compared, in lines.
enum CopyText {
  static func lines(_ report: CopyVerification) -> [String] {
    var lines = report.invalidManifests.map { "invalid manifest: \($0.path): \($0.message)" }
    lines += report.damaged.map { "damaged: \($0.path): \($0.message)" }
    lines += report.renamed.map { "renamed: \($0.path): \($0.message)" }
    lines += report.missing.map { "missing: \($0.path)" }
    lines += report.unlisted.map { "not in a manifest: \($0)" }
    lines += report.unchecked.map {
      "not checked, nothing to compare with here: \($0)"
    }
    lines.append(
      "\(Quantity.count(report.verifiedCount, "file")) verified"
        + (report.manifestCount > 0
          ? " by \(Quantity.count(report.manifestCount, "manifest"))" : "")
        + "; " + verdict(report))
    return lines
  }

  private static func verdict(_ report: CopyVerification) -> String {
    if report.isSound { return "all complete" }
    guard report.damaged.isEmpty, report.missing.isEmpty, report.invalidManifests.isEmpty else {
      return "NOT complete"
    }
    // Files that could not be checked may be damaged.
    return [(report.unchecked.count, "NOT checked"), (report.renamed.count, "intact, but RENAMED")]
      .filter { $0.0 > 0 }.map { "\($0) \($1)" }.joined(separator: ", ")
  }
}
