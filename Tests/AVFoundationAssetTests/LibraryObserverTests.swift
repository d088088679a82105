import AVFoundationCompat
import Synchronization
import TestSupport
import Testing

/// The two kinds of library observers in PhotoKit's names; the library retains neither.
@Suite(.timeLimit(.minutes(10))) struct LibraryObserverTests {
  private let folder: TemporaryFolder
  private let library: PhotoLibrary

  init() throws {
    folder = try TemporaryFolder()
    library = PhotoLibrary(at: folder.url("Library"))
    library.hookSelection = .none
  }

  private func change(_ title: String) async throws {
    try await library.performChanges {
      PHAssetCollectionChangeRequest.creationRequestForAssetCollection(withTitle: title)
    }
  }

  /// An observer of both kinds, which counts its calls.
  private final class Both: PHPhotoLibraryChangeObserver, PHPhotoLibraryAvailabilityObserver,
    Sendable
  {
    private let reported = Mutex((changes: 0, ends: 0))
    var changes: Int { reported.withLock { $0.changes } }
    var ends: Int { reported.withLock { $0.ends } }

    func photoLibraryDidChange(_ changeInstance: PHChange) { reported.withLock { $0.changes += 1 } }
    func photoLibraryDidBecomeUnavailable(_ photoLibrary: PHPhotoLibrary) {
      reported.withLock { $0.ends += 1 }
    }
  }

  /// An observer that unregisters itself on deinit, as most do.
  private final class Leaving: PHPhotoLibraryChangeObserver, Sendable {
    private let library: PhotoLibrary
    init(_ library: PhotoLibrary) { self.library = library }
    deinit { library.unregisterChangeObserver(self) }
    func photoLibraryDidChange(_ changeInstance: PHChange) {}
  }

  @Test func observers_unregistering_on_deinit_are_thread_safe() async throws {
    let observer = Both()
    library.register(observer as any PHPhotoLibraryChangeObserver)
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<4 {
        group.addTask { [library] in
          for _ in 0..<5_000 { library.register(Leaving(library)) }
        }
      }
    }
    try await change("A")
    try await eventually("the change is reported") { observer.changes == 1 }
  }

  @Test func unregistering_one_kind_of_observer_keeps_the_other() async throws {
    let observer = Both()
    library.register(observer as any PHPhotoLibraryChangeObserver)
    library.register(observer as any PHPhotoLibraryAvailabilityObserver)
    library.unregisterAvailabilityObserver(observer)
    try await change("A")
    try await eventually("the change is reported") { observer.changes == 1 }
    library.register(observer as any PHPhotoLibraryAvailabilityObserver)
    library.unregisterChangeObserver(observer)
    let other = Both()
    library.register(other as any PHPhotoLibraryChangeObserver)
    try await change("B")
    try await eventually("the change is reported to the other observer") { other.changes == 1 }
    #expect(observer.changes == 1 && observer.ends == 0)
  }

  @Test func only_availability_observers_learn_of_an_unavailable_library() async throws {
    // A file is in the library's place.
    let path = try folder.write([UInt8]("a file".utf8), "File")
    let unreadable = PhotoLibrary(at: path)
    let (ofChanges, ofEnd) = (Both(), Both())
    unreadable.register(ofChanges as any PHPhotoLibraryChangeObserver)
    unreadable.register(ofEnd as any PHPhotoLibraryAvailabilityObserver)
    try await eventually("the unavailability is reported") { ofEnd.ends == 1 }
    #expect(ofChanges.ends == 0 && ofChanges.changes == 0 && ofEnd.changes == 0)
  }
}
