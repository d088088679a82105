/// The peers whose datagrams were refused, and when this was reported. A wrong setting should show in a log, but a
/// flood of datagrams or addresses should not fill it.
struct UnservedPeers {
  private var reported: [String: Int64] = [:]

  /// Nanoseconds until a peer is reported again.
  private static let pause: Int64 = 60_000_000_000
  /// The maximum number of peers remembered. Further peers are not reported until one of these may be reported again.
  private static let limit = 64

  /// True if the peer is to be reported now.
  mutating func isNews(_ host: String, at now: Int64) -> Bool {
    if let instant = reported[host], now - instant < Self.pause { return false }
    if reported.count >= Self.limit { reported = reported.filter { now - $0.value < Self.pause } }
    guard reported.count < Self.limit else { return false }
    reported[host] = now
    return true
  }
}
