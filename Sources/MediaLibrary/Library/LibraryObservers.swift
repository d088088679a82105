import Dispatch
import Synchronization

/// Objects that are told of a library's changes, and objects that are told of its end. They are not kept.
///
/// What an object's function is found by loads the object, which may go away then and come back here, to be
/// taken off. So it is never called inside the lock.
package final class LibraryObservers: Sendable {
  /// The present function of an object; nil where the object is gone.
  package typealias Finding<News> = () -> ((News) -> Void)?

  /// An object that is told.
  ///
  /// Unchecked: `function` only loads a weak reference, which any thread may; what it finds is called on
  /// ``LibraryObservers/queue`` alone.
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

    /// The task that nobody needs any more, to be cancelled outside of the lock.
    mutating func takeIdleTask() -> Task<Void, Never>? {
      guard ofChanges.isEmpty, ofEnd.isEmpty else { return nil }
      defer { watching = nil }
      return watching
    }
  }

  /// One for all libraries: who hears of several is called by one thread at a time.
  private static let queue = DispatchQueue(label: "photo-library-observers")
  private let state = Mutex(State())

  deinit { state.withLock { $0.watching }?.cancel() }

  /// Has an object told of a library's changes from now on, in place of how it was told before.
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

  /// Has an object told when a library cannot be read any more, in place of how it was told before.
  package func addOfEnd(
    of library: PhotoLibrary, _ object: AnyObject, _ function: @escaping Finding<PhotoLibrary>
  ) {
    let observer = Observer(object, function)
    add(to: library) { state in
      state.ofEnd.removeAll { $0.object == observer.object }
      state.ofEnd.append(observer)
    }
  }

  /// Has an object told of changes no more.
  package func removeOfChanges(_ object: AnyObject) {
    let object = ObjectIdentifier(object)
    remove { state in state.ofChanges.removeAll { $0.object == object } }
  }

  /// Has an object told of the end no more.
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
    // This opens the library, and so not inside the lock. From here on changes count.
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
