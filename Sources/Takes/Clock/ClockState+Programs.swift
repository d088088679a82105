import TakeReports

/// What the programs print that set clocks.
extension ClockState {
  /// Reads what `chronyc -c -n tracking` prints: a line of fields with commas between them; nil for
  /// anything else.
  init?(chronyTracking text: String) {
    let fields = text.split(separator: "\n", maxSplits: 1).first?
      .split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    // A clock without a reference is in another state, which chronyc spells as the British do.
    let leapStates = ["Normal", "Insert second", "Delete second"]
    guard let fields, fields.count >= 14, let behind = Double(fields[4]),
      let delay = Double(fields[10]), let dispersion = Double(fields[11]),
      [behind, delay, dispersion].allSatisfy(\.isFinite)
    else { return nil }
    self.init(source: .chrony, isSynchronized: leapStates.contains(fields[13]))
    guard isSynchronized == true else { return }
    // 127.127.1.1: the machine's own clock, by `local`.
    reference = fields[0] == "7F7F0101" ? "its own clock" : fields[1].isEmpty ? nil : fields[1]
    // The program counts what it is slow.
    offset = behind == 0 ? 0 : -behind
    maximumError = behind.magnitude + dispersion + delay / 2
  }

  /// Reads what `pmc` prints for `GET TIME_STATUS_NP`; nil for anything else, and where ptp4l follows
  /// nobody: it is the grandmaster then, or alone.
  init?(ptpTimeStatus text: String) {
    var values: [Substring: Substring] = [:]
    for line in text.split(separator: "\n") {
      let words = line.split(whereSeparator: \.isWhitespace)
      if words.count == 2 { values[words[0]] = words[1] }
    }
    guard values["gmPresent"] == "true",
      let offset = values["master_offset"].flatMap({ Double($0) }),
      offset.isFinite
    else { return nil }
    self.init(
      source: .ptp, isSynchronized: true, reference: values["gmIdentity"].map(String.init),
      offset: offset * 1e-9)
  }
}
