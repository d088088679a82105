import Dispatch
import Foundation
public import MediaLibrary
import Synchronization

/// A library of photos, videos and audio in a folder.
public typealias PHPhotoLibrary = PhotoLibrary
/// What a program may do with a library.
public typealias PHAuthorizationStatus = AuthorizationStatus
/// What a program wants to do with a library.
public typealias PHAccessLevel = AccessLevel

extension PhotoLibrary {
  /// The user's library.
  public static func shared() -> PhotoLibrary { shared }

  /// What a program may do with the shared library.
  public static func authorizationStatus() -> PHAuthorizationStatus {
    authorizationStatus(for: .readWrite)
  }

  /// As ``authorizationStatus()``: nobody is asked.
  public static func requestAuthorization(
    _ handler: @escaping @Sendable (PHAuthorizationStatus) -> Void
  ) {
    requestAuthorization(for: .readWrite, handler: handler)
  }

  /// Runs a change block: all of its requests come about, or none.
  ///
  /// Blocks, their changes and handlers come one after the other, on a queue of the library's own.
  ///
  /// - Throws: ``PHPhotosError``, and then nothing has changed: also where a request was made outside
  ///   of a change block since the last one.
  public func performChanges(_ changeBlock: @escaping @Sendable () -> Void) async throws {
    try await withCheckedThrowingContinuation { continuation in
      ChangeQueue(of: self).async { [self] in
        continuation.resume(with: Result { try carryOut(changeBlock) })
      }
    }
  }

  /// Runs a change block as ``performChanges(_:)``, and tells how it went; the error is a
  /// ``PHPhotosError``.
  public func performChanges(
    _ changeBlock: @escaping () -> Void,
    completionHandler: (@Sendable (Bool, (any Error)?) -> Void)? = nil
  ) {
    let block = ChangeBlock(run: changeBlock)
    ChangeQueue(of: self).async { [self] in
      do throws(PHPhotosError) {
        try carryOut { block.run() }
        completionHandler?(true, nil)
      } catch {
        completionHandler?(false, error)
      }
    }
  }

  /// Runs a change block as ``performChanges(_:)``, and waits for it and for those before. Not for the
  /// main thread of a program that shows something. In a change block or a handler it is run at once.
  ///
  /// - Throws: As ``performChanges(_:)``.
  public func performChangesAndWait(_ changeBlock: @escaping () -> Void) throws {
    let block = ChangeBlock(run: changeBlock)
    try ChangeQueue(of: self).sync { try carryOut { block.run() } }
  }

  /// Runs a change block on this thread.
  private func carryOut(_ changeBlock: @escaping @Sendable () -> Void) throws(PHPhotosError) {
    let failure = Mutex<MediaLibraryError?>(nil)
    WaitingThread.run {
      do throws(MediaLibraryError) {
        try MisplacedRequests.shared.check()
        _ = try await self.change(changeBlock)
      } catch { failure.withLock { $0 = error } }
    }
    if let error = failure.withLock({ $0 }) { throw PHPhotosError(error) }
  }
}

/// A change block on its way to where it is run, once.
///
/// Unchecked: Apple's form hands it over as well, to a queue of the library's own.
private struct ChangeBlock: @unchecked Sendable {
  let run: () -> Void
}
