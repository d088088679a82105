public import Logging
import MediaCore

/// A log whose messages stay on one line each, and have no effect on a terminal, whatever others have put
/// into notes, names of presets or output of programs.
public struct OneLineLog: LogHandler {
  private var inner: any LogHandler

  /// - Parameter inner: Writes the messages.
  public init(_ inner: any LogHandler) { self.inner = inner }

  public var metadata: Logger.Metadata {
    get { inner.metadata }
    set { inner.metadata = newValue }
  }

  public var logLevel: Logger.Level {
    get { inner.logLevel }
    set { inner.logLevel = newValue }
  }

  public subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { inner[metadataKey: key] }
    set { inner[metadataKey: key] = newValue }
  }

  public func log(event: LogEvent) {
    var event = event
    let text = "\(event.message)"
    if text.firstHiddenCharacter != nil {
      var visible = String.UnicodeScalarView()
      visible.append(contentsOf: text.unicodeScalars.map { $0.isHidden ? "?" : $0 })
      event.message = "\(String(visible))"
    }
    inner.log(event: event)
  }
}
