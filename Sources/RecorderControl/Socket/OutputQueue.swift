/// The output that waits to be sent to a client, in order.
struct OutputQueue {
  private var runs: [OutputRun] = []
  /// Bytes of the first run that are sent already.
  private var sent = 0
  /// Bytes that wait.
  private(set) var byteCount = 0

  var isEmpty: Bool { runs.isEmpty }

  mutating func append(_ bytes: [UInt8]) { append(.bytes(bytes)) }

  mutating func append(_ run: OutputRun) {
    guard run.count > 0 else { return }
    runs.append(run)
    byteCount += run.count
  }

  /// Calls `body` with the first bytes to send, at most one run of them; nil if there are none.
  func withNext<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result? {
    guard let run = runs.first else { return nil }
    return run.withUnsafeBytes { body(UnsafeRawBufferPointer(rebasing: $0[sent...])) }
  }

  /// Removes bytes that were sent from the beginning.
  mutating func drop(_ count: Int) {
    sent += count
    byteCount -= count
    if let run = runs.first, sent >= run.count {
      runs.removeFirst()
      sent = 0
    }
  }
}
