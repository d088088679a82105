import Dispatch
public import MediaLibrary
import Synchronization

/// Hears of changes in a library, whoever made them.
public protocol PHPhotoLibraryChangeObserver: AnyObject {
  /// Something changed. Called on a queue of the module's own, after the change.
  func photoLibraryDidChange(_ changeInstance: PHChange)
}

/// Hears that a library cannot be read any more.
public protocol PHPhotoLibraryAvailabilityObserver: AnyObject {
  /// The library cannot be read; its observers hear of no further changes. Called on a queue of the module's
  /// own.
  func photoLibraryDidBecomeUnavailable(_ photoLibrary: PHPhotoLibrary)
}

extension PhotoLibrary {
  /// Has an observer told of changes from now on: of this process's at once, of others' within a second or
  /// two. The observer is not kept.
  public func register(_ observer: any PHPhotoLibraryChangeObserver) {
    LibraryObservers.shared.add(observer, to: self)
  }

  /// As ``register(_:)-(PHPhotoLibraryChangeObserver)``, for the library's end.
  public func register(_ observer: any PHPhotoLibraryAvailabilityObserver) {
    LibraryObservers.shared.add(observer, to: self)
  }

  /// Has an observer told no more.
  public func unregisterChangeObserver(_ observer: any PHPhotoLibraryChangeObserver) {
    LibraryObservers.shared.remove(observer, from: self)
  }

  /// Has an observer told no more.
  public func unregisterAvailabilityObserver(_ observer: any PHPhotoLibraryAvailabilityObserver) {
    LibraryObservers.shared.remove(observer, from: self)
  }
}

/// Who hears of which library.
private final class LibraryObservers: Sendable {
  static let shared = LibraryObservers()
  private let queue = DispatchQueue(label: "photo-library-observers")
  private let lists = Mutex<[ObjectIdentifier: List]>([:])

  private struct List: Sendable {
    var observers: [Observer] = []
    var watching: Task<Void, Never>?
  }

  /// Unchecked: weak references are counted atomically, and observers are called on one queue.
  private struct Observer: @unchecked Sendable {
    weak var object: AnyObject?
  }

  func add(_ observer: AnyObject, to library: PhotoLibrary) {
    let key = ObjectIdentifier(library)
    let listener = Observer(object: observer)
    lists.withLock { lists in
      lists[key, default: List()].observers.removeAll { $0.object == nil || $0.object === observer }
      lists[key, default: List()].observers.append(listener)
      guard lists[key]?.watching == nil else { return }
      // From here on changes count.
      let changes = library.changes()
      lists[key]?.watching = Task { [weak library] in
        do {
          for try await change in changes { self.tell(PHChange(change), of: key) }
        } catch {
          if let library { self.tellEnd(of: library) }
        }
      }
    }
  }

  func remove(_ observer: AnyObject, from library: PhotoLibrary) {
    let key = ObjectIdentifier(library)
    lists.withLock { lists in
      lists[key]?.observers.removeAll { $0.object == nil || $0.object === observer }
      guard lists[key]?.observers.isEmpty == true else { return }
      lists[key]?.watching?.cancel()
      lists[key] = nil
    }
  }

  private func present(_ key: ObjectIdentifier) -> [Observer] {
    lists.withLock { lists in
      lists[key]?.observers.removeAll { $0.object == nil }
      return lists[key]?.observers ?? []
    }
  }

  private func tell(_ change: PHChange, of key: ObjectIdentifier) {
    queue.async {
      for observer in self.present(key) {
        (observer.object as? any PHPhotoLibraryChangeObserver)?.photoLibraryDidChange(change)
      }
    }
  }

  private func tellEnd(of library: PhotoLibrary) {
    let key = ObjectIdentifier(library)
    queue.async {
      let observers = self.present(key)
      self.lists.withLock { $0[key] = nil }
      for observer in observers {
        (observer.object as? any PHPhotoLibraryAvailabilityObserver)?
          .photoLibraryDidBecomeUnavailable(library)
      }
    }
  }
}
