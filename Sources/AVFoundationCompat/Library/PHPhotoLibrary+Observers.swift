public import MediaLibrary

/// Observes changes to a library, by any process.
public protocol PHPhotoLibraryChangeObserver: AnyObject {
  /// Called after a change, on a queue of this module.
  func photoLibraryDidChange(_ changeInstance: PHChange)
}

/// Observes whether a library becomes unreadable.
public protocol PHPhotoLibraryAvailabilityObserver: AnyObject {
  /// The library can no longer be read, and its observers get no further changes. Called on a queue of this module.
  func photoLibraryDidBecomeUnavailable(_ photoLibrary: PHPhotoLibrary)
}

extension PhotoLibrary {
  /// Registers an observer of changes. Changes by this process are reported immediately, those by others within one
  /// or two seconds. The observer is not retained.
  public func register(_ observer: any PHPhotoLibraryChangeObserver) {
    objectObservers.addOfChanges(of: self, observer) { [weak observer] in
      observer.map { observer in { observer.photoLibraryDidChange(PHChange($0)) } }
    }
  }

  /// Registers an observer of the library becoming unavailable. The observer is not retained.
  public func register(_ observer: any PHPhotoLibraryAvailabilityObserver) {
    objectObservers.addOfEnd(of: self, observer) { [weak observer] in
      observer.map { observer in { observer.photoLibraryDidBecomeUnavailable($0) } }
    }
  }

  /// Unregisters an observer of changes. May be called from the observer's `deinit`.
  public func unregisterChangeObserver(_ observer: any PHPhotoLibraryChangeObserver) {
    objectObservers.removeOfChanges(observer)
  }

  /// Unregisters an observer of availability. May be called from the observer's `deinit`.
  public func unregisterAvailabilityObserver(_ observer: any PHPhotoLibraryAvailabilityObserver) {
    objectObservers.removeOfEnd(observer)
  }
}
