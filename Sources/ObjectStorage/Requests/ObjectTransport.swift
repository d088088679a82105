import MediaCore

/// A signed request.
package struct StorageRequest: Sendable {
  /// The request body.
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
  /// The path, percent-encoded.
  package var path: String
  /// The query, not encoded.
  package var query: [(String, String)]
  package var headers: [(String, String)]
  package var body: Body
  /// After this many seconds below one kilobyte per second, the server counts as silent.
  package var patience: Int
  /// The speed limit, shared with other requests; nil for none.
  package var speedLimit: SpeedLimit?
  /// Called with the response body as it arrives; returns false to stop. If nil, the body is kept
  /// in the response.
  package var sink: (@Sendable (UnsafeRawBufferPointer) -> Bool)?
  /// Called with the number of bytes sent.
  package var onSent: (@Sendable (Int) -> Void)?

  package var url: String {
    let text = RequestSignature.query(query)
    return "\(scheme)://\(host)\(path)" + (text.isEmpty ? "" : "?" + text)
  }
}

/// A server's response.
package struct StorageAnswer: Sendable {
  package var status: Int
  /// The headers, by lowercase name.
  package var headers: [String: String]
  package var body: [UInt8]

  package init(status: Int, headers: [String: String] = [:], body: [UInt8] = []) {
    (self.status, self.headers, self.body) = (status, headers, body)
  }
}

/// Why there is no response.
package struct TransportFailure: Error, Sendable {
  package enum Kind: Sendable {
    /// The server was not found or refuses connections.
    case unreachable
    /// The connection ended or stalled. It is unknown whether the request arrived.
    case broken
    /// The server's certificate is not trusted.
    case untrusted
    case cancelled
    /// The file to send could not be read.
    case source(ObjectStorageError)
    /// Retrying does not help.
    case impossible
  }
  package var kind: Kind
  package var message: String

  package init(_ kind: Kind, _ message: String) { (self.kind, self.message) = (kind, message) }
}

/// Sends requests to a server. Tests substitute their own to make any request fail or get lost.
package protocol ObjectTransport: AnyObject, Sendable {
  /// Sends a request and waits for the response. Called from several threads.
  func send(
    _ request: StorageRequest, isCancelled: @Sendable () -> Bool
  ) throws(TransportFailure) -> StorageAnswer
}
