import Synchronization

/// Notes that come on other threads than the export's own.
final class ExportNotes: Sendable {
  private let notes = Mutex<[ExportNote]>([])

  /// What came so far, in order.
  var all: [ExportNote] { notes.withLock { $0 } }

  func add(_ note: ExportNote) { notes.withLock { $0.append(note) } }
}
