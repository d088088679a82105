import Synchronization

@testable import ObjectStorage

/// A transport that answers some requests itself and passes the others to a store.
final class AnsweringTransport: ObjectTransport {
  private let store: any ObjectTransport
  private let answer: @Sendable (StorageRequest) -> StorageAnswer?
  private let sent = Mutex<[String]>([])

  /// Methods and paths of all requests so far.
  var requests: [String] { sent.withLock { $0 } }

  /// - Parameter answer: The answer to a request; nil to ask the store.
  init(
    _ store: any ObjectTransport, answer: @escaping @Sendable (StorageRequest) -> StorageAnswer?
  ) {
    (self.store, self.answer) = (store, answer)
  }

  func send(
    _ request: StorageRequest, isCancelled: @Sendable () -> Bool
  ) throws(TransportFailure) -> StorageAnswer {
    if isCancelled() { throw TransportFailure(.cancelled, "cancelled") }
    sent.withLock { $0.append("\(request.method) \(request.path)") }
    if let answer = answer(request) {
      if let sink = request.sink, answer.status < 300, !answer.body.withUnsafeBytes({ sink($0) }) {
        throw TransportFailure(.broken, "the caller ended it")
      }
      return answer
    }
    return try store.send(request, isCancelled: isCancelled)
  }
}

extension StorageAnswer {
  static func xml(_ text: String, status: Int = 200) -> StorageAnswer {
    StorageAnswer(status: status, body: [UInt8](text.utf8))
  }

  static func refusal(_ status: Int, _ code: String) -> StorageAnswer {
    .xml("<Error><Code>\(code)</Code><Message>m</Message></Error>", status: status)
  }
}
