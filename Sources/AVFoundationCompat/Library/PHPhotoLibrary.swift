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

  /// Calls the handler with ``authorizationStatus()``; the user is not asked.
  public static func requestAuthorization(
    _ handler: @escaping @Sendable (PHAuthorizationStatus) -> Void
  ) {
    requestAuthorization(for: .readWrite, handler: handler)
  }

  /// Runs a change block: either all of its requests are applied, or none.
  ///
  /// Blocks, their changes and handlers run one after another, on a queue of the library.
  ///
  /// - Throws: ``PHPhotosError`` if nothing was changed, also if a request was made outside of a change block since
  ///   the last one.
  public func performChanges(_ changeBlock: @escaping @Sendable () -> Void) async throws {
    try await withCheckedThrowingContinuation { continuation in
      ChangeQueue(of: self).async { [self] in
        continuation.resume(with: Result { try carryOut(changeBlock) })
      }
    }
  }

  /// Runs a change block like ``performChanges(_:)`` and reports the result; the error is a ``PHPhotosError``.
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

  /// Runs a change block like ``performChanges(_:)``, and waits for it and for those queued before it. Do not call it
  /// on a main thread that serves a user interface. If called from a change block or a handler, it runs the block
  /// immediately.
  ///
  /// - Throws: Same as ``performChanges(_:)``.
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

/// A change block on its way to the queue, where it runs once.
///
/// Unchecked: Apple's API also passes a block that is not `Sendable` to the library's queue, where it runs once.
private struct ChangeBlock: @unchecked Sendable {
  let run: () -> Void
}
