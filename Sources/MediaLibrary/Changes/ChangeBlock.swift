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
    /// Where the asset's files are still these, of which there are copies.
    case trashCopied(String, [ResourceRecord])
    case restore(String)
    case expunge(String)
    case album(AlbumChangeRequest)
    case deleteAlbum(String)

    /// True for what an add-only library takes.
    var isAddition: Bool { if case .create = self { true } else { false } }
  }

  @TaskLocal static var current: ChangeBlock?

  private let requests = Mutex<[Request]>([])
  /// What was wrong with a request whose caller cannot throw.
  private let mistake = Mutex<MediaLibraryError?>(nil)

  /// Fails the block that runs at present; the first mistake counts.
  ///
  /// - Returns: False where none runs.
  static func fail(because error: MediaLibraryError) -> Bool {
    guard let current else { return false }
    current.mistake.withLock { if $0 == nil { $0 = error } }
    return true
  }

  /// Adds a request to the block that runs at present.
  ///
  /// - Throws: ``MediaLibraryError/Code/invalidState`` where none runs: to go on would lose what was
  ///   to be saved.
  static func add(_ request: Request) throws(MediaLibraryError) {
    guard let current else {
      throw MediaLibraryError(
        .invalidState,
        "a request for a change was made outside of a change block; make it in the block of "
          + "performChanges")
    }
    current.requests.withLock { $0.append(request) }
  }

  /// The requests that a block makes.
  ///
  /// - Throws: What the block throws; an error of another kind as the cause of
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
