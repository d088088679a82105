import MediaCore

/// A request, signed, as it goes to the server.
package struct StorageRequest: Sendable {
  /// What is sent along.
  package enum Body: Sendable {
    case none
    case bytes([UInt8])
    /// A part of a file.
    case file(any ObjectSource, Range<Int64>)

    var count: Int64 {
      switch self {
      case .none: 0
      case .bytes(let bytes): Int64(bytes.count)
      case .file(_, let range): range.upperBound - range.lowerBound
      }
    }
  }

  package var method: String
  package var scheme: String
  package var host: String
  /// Encoded.
  package var path: String
  /// Not encoded.
  package var query: [(String, String)]
  package var headers: [(String, String)]
  package var body: Body
  /// Seconds without a kilobyte a second until the server counts as silent.
  package var patience: Int
  /// How fast it may go, beside others; nil for no limit.
  package var speedLimit: SpeedLimit?
  /// Takes an answer's body as it comes, false to end; nil where it is kept in the answer.
  package var sink: (@Sendable (UnsafeRawBufferPointer) -> Bool)?
  /// Told the bytes that were handed to the network.
  package var onSent: (@Sendable (Int) -> Void)?

  package var url: String {
    let text = RequestSignature.query(query)
    return "\(scheme)://\(host)\(path)" + (text.isEmpty ? "" : "?" + text)
  }
}

/// What a server answered.
package struct StorageAnswer: Sendable {
  package var status: Int
  /// By lowercase names.
  package var headers: [String: String]
  package var body: [UInt8]

  package init(status: Int, headers: [String: String] = [:], body: [UInt8] = []) {
    (self.status, self.headers, self.body) = (status, headers, body)
  }
}

/// Why there is no answer.
package struct TransportFailure: Error, Sendable {
  package enum Kind: Sendable {
    /// The server was not found, or takes no connection.
    case unreachable
    /// The connection ended or stalled; nobody knows whether the request arrived.
    case broken
    /// The server's certificate is not trusted.
    case untrusted
    case cancelled
    /// The file to be sent could not be read.
    case source(ObjectStorageError)
    /// No attempt will do better.
    case impossible
  }
  package var kind: Kind
  package var message: String

  package init(_ kind: Kind, _ message: String) { (self.kind, self.message) = (kind, message) }
}

/// Carries requests to a server. Tests put their own in place, to make any request fail or be lost.
package protocol ObjectTransport: AnyObject, Sendable {
  /// Sends a request and waits for its answer; called from several threads.
  func send(
    _ request: StorageRequest, isCancelled: @Sendable () -> Bool
  ) throws(TransportFailure) -> StorageAnswer
}
