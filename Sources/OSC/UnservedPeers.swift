/// Whose datagrams were not carried out, and when that was told: a mistaken setting is to be seen in a log, and a
/// flood of datagrams, or of addresses, not to fill it.
struct UnservedPeers {
  private var reported: [String: Int64] = [:]

  /// Nanoseconds until a peer is told of again.
  private static let pause: Int64 = 60_000_000_000
  /// Peers that are remembered; of more, none is told until one of those may be told of again.
  private static let limit = 64

  /// True if the peer is to be told of now.
  mutating func isNews(_ host: String, at now: Int64) -> Bool {
    if let instant = reported[host], now - instant < Self.pause { return false }
    if reported.count >= Self.limit { reported = reported.filter { now - $0.value < Self.pause } }
    guard reported.count < Self.limit else { return false }
    reported[host] = now
    return true
  }
}
