import Synchronization

/// The requests of a change block.
final class ChangeBlock: Sendable {
  enum Request: Sendable {
    case create(AssetCreationRequest)
    case update(AssetChangeRequest)
    case trash(String)
    case restore(String)
    case expunge(String)

    /// True for what an add-only library takes.
    var isAddition: Bool { if case .create = self { true } else { false } }
  }

  @TaskLocal static var current: ChangeBlock?

  private let requests = Mutex<[Request]>([])

  /// The block that runs at present.
  ///
  /// As with Apple's, a request outside of a change block is a mistake in the program, and ends it:
  /// to go on would lose what was to be saved.
  static var present: ChangeBlock {
    guard let current else {
      preconditionFailure("requests are made in the block of PhotoLibrary.performChanges")
    }
    return current
  }

  /// The requests that a block makes.
  static func requests(of changes: () -> Void) -> [Request] {
    let block = ChangeBlock()
    $current.withValue(block) { changes() }
    return block.requests.withLock { $0 }
  }

  func add(_ request: Request) { requests.withLock { $0.append(request) } }
}
