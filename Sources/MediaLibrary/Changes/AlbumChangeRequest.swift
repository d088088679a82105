import Synchronization

/// Creates, changes or deletes user albums, like `PHAssetCollectionChangeRequest`. Use it in a
/// change block.
///
/// ```swift
/// try await library.performChanges {
///   let album = try AlbumChangeRequest(creating: "Dailies")
///   album.addAssets([asset.localIdentifier])
/// }
/// ```
public final class AlbumChangeRequest: Sendable {
  /// The album's identifier, valid before the album exists.
  public let localIdentifier: String
  let state: Mutex<State>

  struct State: Sendable {
    /// True if the album is to be created.
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

  /// A request for a new album. Titles need not be unique.
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

  /// A request for a new album, without effect until it joins a change block.
  package convenience init(unplacedCreating title: String) {
    self.init(AssetIdentifier.random(), State(isNew: true, title: title))
  }

  /// A request to change an album, without effect until it joins a change block.
  package convenience init(unplacedFor identifier: String) {
    self.init(identifier, State(isNew: false))
  }

  /// Adds the request to the running change block.
  package func join() throws(MediaLibraryError) { try ChangeBlock.add(.album(self)) }

  /// The new title; nil keeps the old one.
  public var title: String? {
    get { state.withLock { $0.title } }
    set { state.withLock { $0.title = newValue } }
  }

  /// Appends assets, by their identifiers, including assets that the same change block creates.
  /// Assets already in the album keep their places.
  public func addAssets(_ identifiers: [String]) {
    state.withLock { $0.steps.append(.add(identifiers)) }
  }

  /// Removes assets from the album, by their identifiers. They stay in the library.
  public func removeAssets(_ identifiers: [String]) {
    state.withLock { $0.steps.append(.remove(identifiers)) }
  }

  /// Inserts assets so that they end up at these positions, from 0. Assets already in the album
  /// keep their places. The change block fails if a position is beyond the end.
  ///
  /// - Parameter indexes: One position for each asset, ascending.
  public func insertAssets(_ identifiers: [String], at indexes: [Int]) {
    state.withLock { $0.steps.append(.insert(identifiers, at: indexes)) }
  }

  /// Removes the assets at these positions from the album. The change block fails if the album does
  /// not have one of them.
  public func removeAssets(at indexes: [Int]) {
    state.withLock { $0.steps.append(.removeAt(indexes)) }
  }

  /// Replaces the assets at these positions. The change block fails if the album does not have a
  /// position, or already contains one of the assets elsewhere.
  public func replaceAssets(at indexes: [Int], with identifiers: [String]) {
    state.withLock { $0.steps.append(.replace(indexes, with: identifiers)) }
  }

  /// Moves the assets at these positions, in their order, to a position counted without them. The
  /// change block fails if the album does not have a position.
  public func moveAssets(at indexes: [Int], to index: Int) {
    state.withLock { $0.steps.append(.move(indexes, to: index)) }
  }

  /// Deletes albums. Their assets stay in the library.
  ///
  /// - Throws: ``MediaLibraryError/Code/invalidState`` outside of a change block.
  public static func deleteAlbums(_ albums: some Sequence<UserAlbum>) throws(MediaLibraryError) {
    try deleteAlbums(withLocalIdentifiers: albums.map(\.localIdentifier))
  }

  /// Like ``deleteAlbums(_:)``, by identifiers.
  package static func deleteAlbums(
    withLocalIdentifiers identifiers: [String]
  ) throws(MediaLibraryError) {
    for identifier in identifiers { try ChangeBlock.add(.deleteAlbum(identifier)) }
  }
}
