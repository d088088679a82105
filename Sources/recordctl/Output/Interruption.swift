import Dispatch
import Foundation

/// SIGINT and SIGTERM as a wish to come to an end: the first one calls a handler, the second one
/// ends the program as it always does.
final class Interruption {
  private let sources: [any DispatchSourceSignal]

  /// Calls `handler` at the first signal.
  init(_ handler: @escaping @Sendable () -> Void) {
    let queue = DispatchQueue(label: "recordctl.signals")
    sources = [SIGINT, SIGTERM, SIGHUP].map { number in
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
      source.setEventHandler {
        signal(number, SIG_DFL)
        handler()
      }
      source.resume()
      return source
    }
  }

  deinit { for source in sources { source.cancel() } }
}
