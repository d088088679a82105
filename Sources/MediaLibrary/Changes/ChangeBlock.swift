import MediaCore
import Synchronization

/// The requests of a change block.
final class ChangeBlock: Sendable {
  enum Request: Sendable {
    case create(AssetCreationRequest)
    case update(AssetChangeRequest)
    case edit(AssetCreationRequest.Draft)
    case revert(String)
    case trash(String)
    /// Trash only if the asset's files are still these, which have been copied.
    case trashCopied(String, [ResourceRecord])
    case restore(String)
    case expunge(String)
    case album(AlbumChangeRequest)
    case deleteAlbum(String)

    /// True if an add-only library permits it.
    var isAddition: Bool { if case .create = self { true } else { false } }
  }

  @TaskLocal static var current: ChangeBlock?

  private let requests = Mutex<[Request]>([])
  /// An error of a request whose caller cannot throw.
  private let mistake = Mutex<MediaLibraryError?>(nil)

  /// Fails the running block; the first error counts.
  ///
  /// - Returns: False outside of a block.
  static func fail(because error: MediaLibraryError) -> Bool {
    guard let current else { return false }
    current.mistake.withLock { if $0 == nil { $0 = error } }
    return true
  }

  /// Adds a request to the running block.
  ///
  /// - Throws: ``MediaLibraryError/Code/invalidState`` outside of a block, because the change would
  ///   be lost.
  static func add(_ request: Request) throws(MediaLibraryError) {
    guard let current else {
      throw MediaLibraryError(
        .invalidState,
        "a change was requested outside of a change block; request it in the block passed to "
          + "performChanges")
    }
    current.requests.withLock { $0.append(request) }
  }

  /// Runs a block and collects its requests.
  ///
  /// - Throws: The block's error; if it is not a ``MediaLibraryError``, wrapped in the message of
  ///   ``MediaLibraryError/Code/interrupted``.
  static func requests(of changes: () throws -> Void) throws(MediaLibraryError) -> [Request] {
    let block = ChangeBlock()
    do {
      try $current.withValue(block) { try changes() }
    } catch let error as MediaLibraryError {
      throw error
    } catch {
      throw MediaLibraryError(
        .interrupted, "the change block threw an error, and nothing was changed: \(error)")
    }
    if let mistake = block.mistake.withLock({ $0 }) { throw mistake }
    return block.requests.withLock { $0 }
  }
}
