import Dispatch
import Foundation

/// A signal as an event: each one calls a handler.
final class SignalHandler {
  private let source: any DispatchSourceSignal

  init(_ number: Int32, _ handler: @escaping @Sendable () -> Void) {
    signal(number, SIG_IGN)
    source = DispatchSource.makeSignalSource(
      signal: number, queue: DispatchQueue(label: "recordctl.signal-\(number)"))
    source.setEventHandler(handler: handler)
    source.resume()
  }

  deinit { source.cancel() }
}
