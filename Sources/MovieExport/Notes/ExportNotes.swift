import Synchronization

/// Collects notes from other threads than the export's.
final class ExportNotes: Sendable {
  private let notes = Mutex<[ExportNote]>([])

  /// The notes so far, in order.
  var all: [ExportNote] { notes.withLock { $0 } }

  func add(_ note: ExportNote) { notes.withLock { $0.append(note) } }
}
