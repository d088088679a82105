import Logging
import Synchronization

/// The log lines of level notice and above.
final class LogRecord: Sendable {
  private let kept = Mutex<[String]>([])

  var lines: [String] { kept.withLock { $0 } }
  var logger: Logger { Logger(label: "test") { _ in handler } }
  var handler: any LogHandler { Handler(record: self) }

  private struct Handler: LogHandler {
    let record: LogRecord
    var metadata: Logger.Metadata = [:]
    var logLevel = Logger.Level.notice

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
      get { metadata[key] }
      set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
      record.kept.withLock { $0.append("\(event.message)") }
    }
  }
}
