public import MediaLibrary

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
    objectObservers.addOfChanges(of: self, observer) { [weak observer] in
      observer.map { observer in { observer.photoLibraryDidChange(PHChange($0)) } }
    }
  }

  /// As ``register(_:)-(PHPhotoLibraryChangeObserver)``, for the library's end.
  public func register(_ observer: any PHPhotoLibraryAvailabilityObserver) {
    objectObservers.addOfEnd(of: self, observer) { [weak observer] in
      observer.map { observer in { observer.photoLibraryDidBecomeUnavailable($0) } }
    }
  }

  /// Has an observer told of changes no more. An observer may call this as it goes away.
  public func unregisterChangeObserver(_ observer: any PHPhotoLibraryChangeObserver) {
    objectObservers.removeOfChanges(observer)
  }

  /// Has an observer told of the end no more. An observer may call this as it goes away.
  public func unregisterAvailabilityObserver(_ observer: any PHPhotoLibraryAvailabilityObserver) {
    objectObservers.removeOfEnd(observer)
  }
}
