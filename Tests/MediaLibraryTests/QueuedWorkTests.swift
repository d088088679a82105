import MediaCore
import Testing

@testable import MediaLibrary

/// A library's queued work runs once and then releases what it held.
@Suite struct QueuedWorkTests {
  /// Stands for a catalogue that stays open while referenced.
  private final class Held: Sendable {
    let number = 7
  }

  @Test func finished_work_is_released_and_not_repeated() throws {
    weak var held: Held?
    let work: QueuedWork<Int>
    do {
      let object = Held()
      held = object
      work = QueuedWork { object.number }
    }
    #expect(held != nil)
    #expect(try work.run()?.get() == 7)
    #expect(held == nil, "the result is available while files are still open")
    #expect(work.run() == nil)
  }

  @Test func failed_work_is_released_too() {
    weak var held: Held?
    let work: QueuedWork<Int>
    do {
      let object = Held()
      held = object
      work = QueuedWork { () throws(MediaLibraryError) -> Int in
        throw MediaLibraryError(.busy, "\(object.number)")
      }
    }
    #expect(throws: MediaLibraryError.self) { _ = try work.run()?.get() }
    #expect(held == nil)
  }
}
