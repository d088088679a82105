import Foundation
import MediaLibrary
import Synchronization
import TestSupport
import Testing

/// Objects that observe a library's changes, and readers of its change streams.
@Suite(.timeLimit(.minutes(10))) struct LibraryObserverTests {
  private let test: TestLibrary

  init() throws { test = try TestLibrary() }

  private func change(_ title: String) async throws {
    try await test.library.performChanges { try AlbumChangeRequest(creating: title) }
  }

  private final class Listener: Sendable {
    let changes = Atomic(0)
    func hear(_ change: LibraryChange) { changes.add(1, ordering: .relaxed) }
    var count: Int { changes.load(ordering: .relaxed) }
  }

  private func add(_ listener: Listener) { add(listener, to: test.library) }

  private func add(_ listener: Listener, to library: PhotoLibrary) {
    library.objectObservers.addOfChanges(of: library, listener) { [weak listener] in
      listener.map { listener in { listener.hear($0) } }
    }
  }

  @Test func an_observer_released_during_registration_unregisters_itself() async throws {
    let observers = test.library.objectObservers
    let going = Listener()
    // As if the last reference were released, whose deinit unregisters the object.
    observers.addOfChanges(of: test.library, going) {
      going.changes.add(1, ordering: .relaxed)
      observers.removeOfChanges(going)
      observers.removeOfEnd(going)
      return nil
    }
    let listener = Listener()
    add(listener)
    #expect(going.count == 1)
    try await change("A")
    try await eventually("the change is reported") { listener.count == 1 }
    #expect(going.count == 1, "a released observer was called again")
  }

  @Test func an_observer_added_twice_is_called_once_until_removed() async throws {
    let (listener, other) = (Listener(), Listener())
    add(listener)
    add(listener)
    add(other)
    try await change("A")
    try await eventually("the change is reported") { other.count == 1 }
    #expect(listener.count == 1)
    test.library.objectObservers.removeOfChanges(listener)
    try await change("B")
    try await eventually("the change is reported to the other listener") { other.count == 2 }
    #expect(listener.count == 1)
    test.library.objectObservers.removeOfChanges(other)
    add(listener)
    try await change("C")
    try await eventually("the library is observed again") { listener.count == 2 }
    #expect(other.count == 2)
  }

  /// The changes of a library to which no reference is kept.
  private func changesOfNone(_ url: URL, _ listener: Listener) -> AsyncThrowingStream<
    LibraryChange, any Error
  > {
    let library = PhotoLibrary(at: url)
    add(listener, to: library)
    return library.changes()
  }

  @Test func observers_and_change_streams_do_not_retain_the_library() async throws {
    let folder = try TemporaryFolder()
    let listener = Listener()
    for try await _ in changesOfNone(folder.url("Library"), listener) {
      Issue.record("there was no change")
    }
    #expect(listener.count == 0)
  }
}
