import MediaLibrary

/// How far a piece of work on a library is, on a terminal: files, bytes, speed and the time that is left.
final class LibraryProgressLine: Sendable {
  private let line = ProgressLine()
  private let start = ContinuousClock.now

  /// Draws the line.
  func show(_ progress: LibraryProgress) {
    line.show { Self.text(progress, after: (ContinuousClock.now - start) / .seconds(1)) }
  }

  /// Takes the line away.
  func clear() { line.clear() }

  /// `12 of 40 files, 1.2 GB of 3.4 GB, 210.0 MB/s, 0:15 left`
  ///
  /// - Parameter seconds: How long the work has taken so far.
  static func text(_ progress: LibraryProgress, after seconds: Double) -> String {
    var parts = [
      "\(progress.fileCount) of \(Quantity.count(progress.totalFileCount, "file"))",
      "\(Quantity.bytes(progress.byteCount)) of \(Quantity.bytes(progress.totalByteCount))",
    ]
    // The first moment says nothing about the rest.
    if seconds >= 0.5, progress.byteCount > 0 {
      let rate = Double(progress.byteCount) / seconds
      let left = Double(progress.totalByteCount - progress.byteCount) / rate
      parts.append("\(Quantity.number(rate / 1e6, 1)) MB/s")
      parts.append("\(duration(left)) left")
    }
    return parts.joined(separator: ", ")
  }

  /// `0:15`, `1:02:03`
  private static func duration(_ seconds: Double) -> String {
    let whole = Int(min(seconds, 359_999).rounded(.up))
    let (minutes, rest) = (whole / 60 % 60, whole % 60)
    let padded = rest < 10 ? "0\(rest)" : "\(rest)"
    guard whole >= 3600 else { return "\(minutes):\(padded)" }
    return "\(whole / 3600):\(minutes < 10 ? "0" : "")\(minutes):\(padded)"
  }
}
