import Dispatch
import Synchronization

/// Observers of a library's changes and of its end, held weakly.
///
/// Calling an observer's function loads the object, which may then be deallocated and come back
/// here to unregister. So it is never called while holding the lock.
package final class LibraryObservers: Sendable {
  /// Returns the object's callback; nil if the object is gone.
  package typealias Finding<News> = () -> ((News) -> Void)?

  /// An observing object.
  ///
  /// Unchecked: `function` only loads a weak reference, which any thread may do. The callback that
  /// it returns is only called on ``LibraryObservers/queue``.
  private final class Observer<News>: @unchecked Sendable {
    let object: ObjectIdentifier
    let function: Finding<News>

    init(_ object: AnyObject, _ function: @escaping Finding<News>) {
      self.object = ObjectIdentifier(object)
      self.function = function
    }
  }

  private struct State: Sendable {
    var ofChanges: [Observer<LibraryChange>] = []
    var ofEnd: [Observer<PhotoLibrary>] = []
    var watching: Task<Void, Never>?

    /// The task to cancel, outside the lock, because nobody observes any more.
    mutating func takeIdleTask() -> Task<Void, Never>? {
      guard ofChanges.isEmpty, ofEnd.isEmpty else { return nil }
      defer { watching = nil }
      return watching
    }
  }

  /// Shared by all libraries, so that an observer of several is not called concurrently.
  private static let queue = DispatchQueue(label: "photo-library-observers")
  private let state = Mutex(State())

  deinit { state.withLock { $0.watching }?.cancel() }

  /// Registers an object for a library's changes, replacing its earlier registration.
  package func addOfChanges(
    of library: PhotoLibrary, _ object: AnyObject,
    _ function: @escaping Finding<LibraryChange>
  ) {
    let observer = Observer(object, function)
    add(to: library) { state in
      state.ofChanges.removeAll { $0.object == observer.object }
      state.ofChanges.append(observer)
    }
  }

  /// Registers an object for the moment when a library becomes unreadable, replacing its earlier
  /// registration.
  package func addOfEnd(
    of library: PhotoLibrary, _ object: AnyObject, _ function: @escaping Finding<PhotoLibrary>
  ) {
    let observer = Observer(object, function)
    add(to: library) { state in
      state.ofEnd.removeAll { $0.object == observer.object }
      state.ofEnd.append(observer)
    }
  }

  /// Unregisters an object from changes.
  package func removeOfChanges(_ object: AnyObject) {
    let object = ObjectIdentifier(object)
    remove { state in state.ofChanges.removeAll { $0.object == object } }
  }

  /// Unregisters an object from the end.
  package func removeOfEnd(_ object: AnyObject) {
    let object = ObjectIdentifier(object)
    remove { state in state.ofEnd.removeAll { $0.object == object } }
  }

  private func add(to library: PhotoLibrary, _ change: @Sendable (inout State) -> Void) {
    forgetGone()
    let isWatched = state.withLock { state in
      if state.watching != nil { change(&state) }
      return state.watching != nil
    }
    guard !isWatched else { return }
    // This opens the library, so it must not run under the lock. Changes count from here on.
    let changes = library.changes()
    state.withLock { state in
      change(&state)
      guard state.watching == nil else { return }
      state.watching = Task { [weak self, weak library] in
        do {
          for try await change in changes { self?.tell(change) }
        } catch {
          if let library { self?.tellEnd(of: library) }
        }
      }
    }
  }

  private func remove(_ change: @Sendable (inout State) -> Void) {
    let idle = state.withLock { state in
      change(&state)
      return state.takeIdleTask()
    }
    idle?.cancel()
  }

  private func forgetGone() {
    let (ofChanges, ofEnd) = state.withLock { ($0.ofChanges, $0.ofEnd) }
    let goneOfChanges = Set(ofChanges.filter { $0.function() == nil }.map(ObjectIdentifier.init))
    let goneOfEnd = Set(ofEnd.filter { $0.function() == nil }.map(ObjectIdentifier.init))
    guard !goneOfChanges.isEmpty || !goneOfEnd.isEmpty else { return }
    remove { state in
      state.ofChanges.removeAll { goneOfChanges.contains(ObjectIdentifier($0)) }
      state.ofEnd.removeAll { goneOfEnd.contains(ObjectIdentifier($0)) }
    }
  }

  private func tell(_ change: LibraryChange) {
    Self.queue.async {
      for observer in self.state.withLock({ $0.ofChanges }) { observer.function()?(change) }
      self.forgetGone()
    }
  }

  private func tellEnd(of library: PhotoLibrary) {
    Self.queue.async {
      let ended = self.state.withLock { state in
        defer { state = State() }
        return state
      }
      ended.watching?.cancel()
      for observer in ended.ofEnd { observer.function()?(library) }
    }
  }
}
