import FoundationEssentials
import Glibc
import MediaCore
import Synchronization

/// Sends requests to one store, and retries them if that may help.
///
/// After a lost connection, it is unknown whether a request arrived, so senders check before
/// sending it again.
package final class StorageClient: Sendable {
  /// How long a server may be unavailable, and hooks by which tests replace time.
  package struct Settings: Sendable {
    /// After this many seconds without a response, a server that has responded before is given up.
    package var patience = 300.0
    /// The same for a server that never responded.
    package var firstPatience = 15.0
    /// After this many seconds below one kilobyte per second, a connection counts as dead.
    package var silence = 30
    /// The limit of all connections together in bytes per second; nil for none.
    package var bandwidth: Int64?
    /// The current time, in seconds since 1970.
    package var now: @Sendable () -> Double = { Date().timeIntervalSince1970 }
    /// A monotonic clock, in seconds.
    package var clock: @Sendable () -> Double = {
      var time = timespec()
      clock_gettime(CLOCK_MONOTONIC, &time)
      return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
    package var sleep: @Sendable (Double) -> Void = { usleep(UInt32($0 * 1e6)) }

    package init() {}
  }

  /// A request before it is signed.
  struct Call {
    var method: String
    var key: String
    var query: [(String, String)] = []
    var headers: [(String, String)] = []
    var body: StorageRequest.Body = .none
    /// A longer silence limit for requests that take time; nil for the default.
    var silence: Int?
    var sink: (@Sendable (UnsafeRawBufferPointer) -> Bool)?
    var onSent: (@Sendable (Int) -> Void)?
  }

  let account: StorageAccount
  let bucket: String
  private let transport: any ObjectTransport
  private let settings: Settings
  private let speedLimit: SpeedLimit?
  private let isCancelled: @Sendable () -> Bool
  /// The clock time of the server's last response; nil if it has not responded yet.
  private let lastAnswer = Mutex<Double?>(nil)
  /// The most attempts if the server reports damage: more cannot be an accident of the network.
  private static let damageLimit = 4

  package convenience init(
    account: StorageAccount, bucket: String, transport: any ObjectTransport,
    settings: Settings = Settings(), isCancelled: @escaping @Sendable () -> Bool = { false }
  ) {
    self.init(
      account: account, bucket: bucket, transport: transport, settings: settings,
      speedLimit: settings.bandwidth.map {
        SpeedLimit($0, clock: settings.clock, sleep: settings.sleep)
      }, isCancelled: isCancelled)
  }

  private init(
    account: StorageAccount, bucket: String, transport: any ObjectTransport, settings: Settings,
    speedLimit: SpeedLimit?, isCancelled: @escaping @Sendable () -> Bool
  ) {
    (self.account, self.bucket, self.transport) = (account, bucket, transport)
    (self.settings, self.speedLimit, self.isCancelled) = (settings, speedLimit, isCancelled)
  }

  /// A client of the same store that a further condition can cancel as well.
  func cancelled(also other: @escaping @Sendable () -> Bool) -> StorageClient {
    let own = isCancelled
    let client = StorageClient(
      account: account, bucket: bucket, transport: transport, settings: settings,
      speedLimit: speedLimit, isCancelled: { own() || other() })
    let last = lastAnswer.withLock { $0 }
    client.lastAnswer.withLock { $0 = last }
    return client
  }

  /// An object's name in messages.
  func subject(_ key: String) -> String {
    ObjectAddress.scheme + bucket + (key.isEmpty ? "" : "/" + key)
  }

  /// Sends a request until there is a response.
  ///
  /// - Parameters:
  ///   - hasArrived: Called before a request is repeated that may have arrived. Returns a response
  ///     to use instead, or nil to send it again.
  ///   - refuses: Returns true for error responses that the caller handles.
  func send(
    _ call: Call,
    hasArrived: () throws(ObjectStorageError) -> StorageAnswer? = { () throws(ObjectStorageError) in
      nil
    },
    refuses: (ServerFault) -> Bool = { _ in false }
  ) throws(ObjectStorageError) -> Result<StorageAnswer, ServerFault> {
    let begin = settings.clock()
    var attempt = 0
    var damages = 0
    while true {
      if isCancelled() { throw .cancelled }
      let outcome = Result { () throws(TransportFailure) in
        try transport.send(signed(call), isCancelled: isCancelled)
      }
      let trouble: ObjectStorageError
      let isUncertain: Bool
      switch outcome {
      case .failure(let failure):
        trouble = try self.trouble(failure)
        isUncertain = true
      case .success(let answer):
        lastAnswer.withLock { $0 = settings.clock() }
        guard let fault = Self.fault(of: answer, to: call) else { return .success(answer) }
        if refuses(fault) { return .failure(fault) }
        trouble = fault.error(subject(call.key), account)
        damages += fault.isDamage ? 1 : 0
        guard fault.isPassing, damages < Self.damageLimit else { throw trouble }
        isUncertain = fault.status >= 500 || fault.status == 200
      }
      try wait(attempt, since: begin, trouble)
      attempt += 1
      if isUncertain, let answer = try hasArrived() { return .success(answer) }
    }
  }

  /// The fault in a response; nil if there is none.
  private static func fault(of answer: StorageAnswer, to call: Call) -> ServerFault? {
    guard (200..<300).contains(answer.status) else { return ServerFault(answer) }
    // A completion is answered with status 200 before its outcome is known.
    let mayHide = answer.status == 200 && call.method == "POST"
    guard mayHide, StorageDocument.root(of: answer.body)?.name == "Error" else { return nil }
    return ServerFault(answer)
  }

  /// Converts a failed connection to an error.
  ///
  /// - Throws: The error, if retrying does not help.
  private func trouble(_ failure: TransportFailure) throws(ObjectStorageError) -> ObjectStorageError
  {
    let server = account.endpoint.description
    switch failure.kind {
    case .cancelled: throw .cancelled
    case .source(let error): throw error
    case .impossible:
      throw ObjectStorageError(.requestRefused, "\(server): \(failure.message)")
    case .untrusted:
      throw ObjectStorageError(
        .untrustedServer,
        "\(server): is not trusted: \(failure.message); AWS_CA_BUNDLE names a file of certificates")
    case .unreachable:
      return ObjectStorageError(
        .unreachable,
        "\(server): cannot be reached: \(failure.message); check the network and AWS_ENDPOINT_URL")
    case .broken:
      return ObjectStorageError(
        .unreachable, "\(server): stopped answering: \(failure.message); run the command again")
    }
  }

  /// Waits before the next attempt, longer each time.
  private func wait(
    _ attempt: Int, since begin: Double, _ trouble: ObjectStorageError
  ) throws(ObjectStorageError) {
    let last = lastAnswer.withLock { $0 }
    // A server that responds with errors is available; the time limit then counts from the start of
    // the request.
    let since = trouble.code == .unreachable ? max(last ?? begin, begin) : begin
    let patience = last == nil ? settings.firstPatience : settings.patience
    guard settings.clock() - since < patience else { throw trouble }
    var seconds = min(0.2 * Double(1 << min(attempt, 7)), 15) * Double.random(in: 0.5...1)
    while seconds > 0 {
      if isCancelled() { throw .cancelled }
      settings.sleep(min(seconds, 0.2))
      seconds -= 0.2
    }
  }

  private func signed(_ call: Call) -> StorageRequest {
    let (host, path) = account.endpoint.location(bucket: bucket, key: call.key)
    let hash =
      switch call.body {
      case .none: Digest.hexadecimal(Digest.sha256([]))
      case .bytes(let bytes): Digest.hexadecimal(Digest.sha256(bytes))
      case .file: RequestSignature.unsignedBody
      }
    let headers = RequestSignature(
      credentials: account.credentials, region: account.endpoint.region
    ).signed(
      method: call.method, path: path, query: call.query,
      headers: [("host", host)] + call.headers, bodyHash: hash, time: settings.now())
    return StorageRequest(
      method: call.method, scheme: account.endpoint.scheme, host: host, path: path,
      query: call.query, headers: headers, body: call.body,
      patience: call.silence ?? settings.silence, speedLimit: speedLimit,
      sink: call.sink, onSent: call.onSent)
  }
}
