import MediaCore
import Testing

@testable import MediaLibrary

/// A library's queued work runs once and then releases what it held.
@Suite struct QueuedWorkTests {
  /// Stands for a catalogue that stays open while referenced.
  private final class Held: Sendable {
    let number = 7
  }

  @Test func work_that_is_done_is_held_by_nobody_and_not_done_again() throws {
    weak var held: Held?
    let work: QueuedWork<Int>
    do {
      let object = Held()
      held = object
      work = QueuedWork { object.number }
    }
    #expect(held != nil)
    #expect(try work.run()?.get() == 7)
    #expect(held == nil, "whoever has the result meets files that are open still")
    #expect(work.run() == nil)
  }

  @Test func work_that_fails_is_held_by_nobody_either() {
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
