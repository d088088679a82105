import AssetWriter
import MediaCore
import MovieExport
import VideoRecorder

/// What a batch of encodes came to, as it is printed.
struct EncodeBatchListing: Encodable {
  struct Item: Encodable {
    let input: String
    let path: String
    /// `encoded`, `skipped`, `failed`, `cancelled`.
    let state: String
    let seconds: Double
    var frameCount: Int?
    var fileSize: Int64?
    var framesPerSecond: Double?
    var framesUndecoded: Int?
    var prematureEnd: ErrorSummary?
    var notes: [ExportNote]?
    var sidecarError: ErrorSummary?
    var error: ErrorSummary?
  }

  let items: [Item]
  /// What was left out of the folders; nil for nothing.
  let notes: [ExportNote]?
  let encodedCount: Int
  let skippedCount: Int
  let failedCount: Int
  let cancelledCount: Int
  let status: ExitStatus

  private enum CodingKeys: CodingKey {
    case items, notes, encodedCount, skippedCount, failedCount, cancelledCount
  }

  init(_ sources: ExportSources, _ results: [ExportBatch.Result], seconds: [Double]) {
    var worst = ExitStatus.success
    var items: [Item] = []
    for (index, result) in results.enumerated() {
      items.append(Self.item(sources.items[index], result, seconds[index]))
      // A failure is worse than an end, an end worse than a repair.
      let rank: [ExitStatus] = [.success, .imperfect, .endedEarly, .failure]
      let own: ExitStatus =
        switch result {
        case .encoded(let outcome): ExitStatus(of: outcome)
        case .skipped: .success
        case .failed: .failure
        case .cancelled: .endedEarly
        }
      if (rank.firstIndex(of: own) ?? 0) > (rank.firstIndex(of: worst) ?? 0) { worst = own }
    }
    func count(_ state: String) -> Int { items.count { $0.state == state } }
    (encodedCount, skippedCount) = (count("encoded"), count("skipped"))
    (failedCount, cancelledCount) = (count("failed"), count("cancelled"))
    self.items = items
    notes = sources.notes.isEmpty ? nil : sources.notes
    status = worst
  }

  private static func item(
    _ source: ExportSources.Item, _ result: ExportBatch.Result, _ seconds: Double
  ) -> Item {
    func make(_ state: String) -> Item {
      Item(input: source.input, path: source.outputPath, state: state, seconds: seconds)
    }
    switch result {
    case .encoded(let outcome):
      var item = make("encoded")
      let frames = outcome.report.video.first?.framesWritten ?? 0
      item.frameCount = frames
      item.fileSize = outcome.report.fileBytes
      item.framesPerSecond = seconds > 0 ? Double(frames) / seconds : nil
      item.framesUndecoded = outcome.framesUndecoded
      item.prematureEnd = outcome.prematureEnd.map { ErrorSummary($0) }
      item.notes = outcome.notes
      item.sidecarError = outcome.sidecarError
      return item
    case .skipped(let notes):
      var item = make("skipped")
      item.notes = notes.isEmpty ? nil : notes
      return item
    case .failed(let error):
      var item = make("failed")
      item.error = error
      return item
    case .cancelled: return make("cancelled")
    }
  }

  /// The line of one input.
  static func line(
    _ source: ExportSources.Item, _ result: ExportBatch.Result, _ seconds: Double, _ size: Int64
  ) -> String {
    switch result {
    case .encoded(let outcome):
      let frames = outcome.report.video.first?.framesWritten ?? 0
      let speed = seconds > 0 ? Double(frames) / seconds : 0
      var parts = [
        "\(source.input) -> \(source.outputPath): \(frames) frames",
        "\(Quantity.number(speed, 1)) per second",
        "\(Quantity.bytes(outcome.report.fileBytes)) from \(Quantity.bytes(size))",
      ]
      if let end = outcome.prematureEnd { parts.append("ENDS EARLY: \(end.message)") }
      let reported = outcome.notes.filter { $0.kind != .assumed }.map {
        Remedies.spoken($0.message)
      }
      if !reported.isEmpty { parts.append(reported.joined(separator: "; ")) }
      return parts.joined(separator: ", ")
    case .skipped(let notes):
      let doubts = notes.map { "; " + Remedies.spoken($0.message) }.joined()
      return "\(source.input) -> \(source.outputPath): already there\(doubts)"
    case .failed(let error): return "\(source.input): FAILED: \(Remedies.spoken(error.message))"
    case .cancelled: return "\(source.input): not done"
    }
  }

  var summary: String {
    var parts = ["\(encodedCount) encoded"]
    if skippedCount > 0 { parts.append("\(skippedCount) already there") }
    if failedCount > 0 { parts.append("\(failedCount) FAILED") }
    if cancelledCount > 0 { parts.append("\(cancelledCount) not done") }
    return parts.joined(separator: ", ")
  }
}
