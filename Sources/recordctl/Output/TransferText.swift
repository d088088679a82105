import Foundation
import ObjectStorage

/// What went to object storage or came from it, in lines.
enum TransferText {
  static func lines(_ report: UploadReport) -> [String] {
    var lines = report.failures.map { "NOT sent: \(Remedies.spoken($0.message))" }
    lines += report.notes.map { "note: \($0)" }
    if report.wasInterrupted {
      lines.append("interrupted; the same command continues with what is missing")
    }
    let present = report.files.count(where: \.wasPresent)
    let removed = report.files.count(where: \.wasRemoved)
    let bytes = report.files.reduce(0) { $0 + $1.size }
    lines.append(
      "\(report.address): \(Quantity.count(report.files.count, "file")), \(Quantity.bytes(bytes)) "
        + "verified"
        + (present > 0 ? ", \(present) of them already there" : "")
        + (removed > 0 ? ", \(removed) removed here" : "")
        + "; \(Quantity.bytes(report.sentByteCount)) sent in \(Quantity.seconds(report.duration)); "
        + (report.isSound ? "all complete" : "NOT complete"))
    return lines
  }

  static func lines(_ report: FetchReport) -> [String] {
    var lines = report.failures.map { "NOT fetched: \($0.message)" }
    lines += report.unchecked.map {
      "not checked, no checksum to compare with: \($0)"
    }
    if report.wasInterrupted {
      lines.append("interrupted; the same command continues with what is missing")
    }
    let present = report.files.count(where: \.wasPresent)
    let bytes = report.files.reduce(0) { $0 + $1.size }
    lines.append(
      "\(report.folder): \(Quantity.count(report.files.count, "file")), \(Quantity.bytes(bytes))"
        + (present > 0 ? ", \(present) of them already there" : "")
        + "; \(Quantity.bytes(report.receivedByteCount)) fetched in "
        + "\(Quantity.seconds(report.duration)); "
        + (report.isSound
          ? "all complete"
          : report.failures.isEmpty && !report.wasInterrupted ? "NOT checked" : "NOT complete"))
    return lines
  }
}
