/// Bytes to send, in memory that all clients share.
enum OutputRun: Sendable, Hashable {
  case bytes([UInt8])
  /// Sent in memory order.
  case codes([UInt16])

  /// Bytes.
  var count: Int {
    switch self {
    case .bytes(let bytes): bytes.count
    case .codes(let codes): 2 * codes.count
    }
  }

  func withUnsafeBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
    switch self {
    case .bytes(let bytes): bytes.withUnsafeBytes(body)
    case .codes(let codes): codes.withUnsafeBytes(body)
    }
  }
}
