import Synchronization

/// Makes, changes or deletes albums of users, as `PHAssetCollectionChangeRequest`. For use in a change block.
///
/// ```swift
/// try await library.performChanges {
///   let album = try AlbumChangeRequest(creating: "Dailies")
///   album.addAssets([asset.localIdentifier])
/// }
/// ```
public final class AlbumChangeRequest: Sendable {
  /// The identifier that the album has, or will have.
  public let localIdentifier: String
  let state: Mutex<State>

  struct State: Sendable {
    /// True for an album that is to be made.
    var isNew: Bool
    var title: String?
    /// What to do, in order.
    var steps: [Step] = []
  }

  enum Step: Sendable {
    case add([String])
    case remove([String])
    case insert([String], at: [Int])
    case removeAt([Int])
    case replace([Int], with: [String])
    case move([Int], to: Int)
  }

  private init(_ identifier: String, _ state: sending State) {
    localIdentifier = identifier
    self.state = Mutex(state)
  }

  /// A request for a new album. Titles need not differ.
  ///
  /// - Throws: ``MediaLibraryError/Code/invalidState`` outside of a change block.
  @discardableResult
  public convenience init(creating title: String) throws(MediaLibraryError) {
    self.init(unplacedCreating: title)
    try join()
  }

  /// A request to change an album.
  ///
  /// - Throws: ``MediaLibraryError/Code/invalidState`` outside of a change block.
  public convenience init(for album: UserAlbum) throws(MediaLibraryError) {
    self.init(unplacedFor: album.localIdentifier)
    try join()
  }

  /// A request for a new album that comes to nothing until it has joined a change block.
  package convenience init(unplacedCreating title: String) {
    self.init(AssetIdentifier.random(), State(isNew: true, title: title))
  }

  /// A request to change an album that comes to nothing until it has joined a change block.
  package convenience init(unplacedFor identifier: String) {
    self.init(identifier, State(isNew: false))
  }

  /// Adds the request to the change block that runs at present.
  package func join() throws(MediaLibraryError) { try ChangeBlock.add(.album(self)) }

  /// The new title; nil to leave it as it is.
  public var title: String? {
    get { state.withLock { $0.title } }
    set { state.withLock { $0.title = newValue } }
  }

  /// Adds assets after those that the album has, by their identifiers: also those that the same change block
  /// makes. What the album has already stays where it is.
  public func addAssets(_ identifiers: [String]) {
    state.withLock { $0.steps.append(.add(identifiers)) }
  }

  /// Takes assets out of the album, by their identifiers. They stay in the library.
  public func removeAssets(_ identifiers: [String]) {
    state.withLock { $0.steps.append(.remove(identifiers)) }
  }

  /// Inserts assets at the places that they will have, from 0. What the album has already stays where it is. The
  /// change block fails for a place that is beyond the end.
  ///
  /// - Parameter indexes: As many as there are assets, in rising order.
  public func insertAssets(_ identifiers: [String], at indexes: [Int]) {
    state.withLock { $0.steps.append(.insert(identifiers, at: indexes)) }
  }

  /// Takes the assets at places out of the album; the change block fails for a place that it has not.
  public func removeAssets(at indexes: [Int]) {
    state.withLock { $0.steps.append(.removeAt(indexes)) }
  }

  /// Puts assets in the places of others; the change block fails for a place that the album has not, and for an
  /// asset that it has already elsewhere.
  public func replaceAssets(at indexes: [Int], with identifiers: [String]) {
    state.withLock { $0.steps.append(.replace(indexes, with: identifiers)) }
  }

  /// Moves the assets at places, together and in their order, to begin at a place that is counted without them.
  /// The change block fails for a place that the album has not.
  public func moveAssets(at indexes: [Int], to index: Int) {
    state.withLock { $0.steps.append(.move(indexes, to: index)) }
  }

  /// Deletes albums. Their assets stay in the library.
  ///
  /// - Throws: ``MediaLibraryError/Code/invalidState`` outside of a change block.
  public static func deleteAlbums(_ albums: some Sequence<UserAlbum>) throws(MediaLibraryError) {
    try deleteAlbums(withLocalIdentifiers: albums.map(\.localIdentifier))
  }

  /// As ``deleteAlbums(_:)``, by identifiers.
  package static func deleteAlbums(
    withLocalIdentifiers identifiers: [String]
  ) throws(MediaLibraryError) {
    for identifier in identifiers { try ChangeBlock.add(.deleteAlbum(identifier)) }
  }
}
