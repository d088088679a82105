public import Foundation
public import MediaLibrary
import Synchronization

/// What changed in a library.
///
/// Details need a readable library. If it cannot be read, details are nil and ``error`` says why; the next change is
/// still compared with the state that the program has.
public struct PHChange: Sendable {
  /// The underlying change, in this package's API.
  public let base: LibraryChange
  /// Why the library could not be read for the last details requested; nil if it could. Not in Apple's API.
  public var error: PHPhotosError? { failure.last.withLock { $0 } }

  private let failure = ReadFailure()

  public init(_ change: LibraryChange) { base = change }

  /// What happened to an asset; nil if nothing did, or if the library cannot be read.
  public func changeDetails(for object: PHAsset) -> PHObjectChangeDetails<PHAsset>? {
    let found = read { () throws(MediaLibraryError) in
      try object.base.library.fetchAssets(withLocalIdentifiers: [object.localIdentifier])
    }
    guard let found else { return nil }
    // A deleted asset is still found until its retention time is over, but it is no longer in the library's assets.
    let present = found.first { $0.deletionDate == nil }.map { PHAsset($0) }
    guard present != object else { return nil }
    return PHObjectChangeDetails(
      objectBeforeChanges: object, objectAfterChanges: present,
      assetContentChanged: present.map { $0.base.resources != object.base.resources } ?? false)
  }

  /// What happened to an album; nil if nothing did, or if the library cannot be read. Always nil for a smart album:
  /// fetch its assets instead.
  public func changeDetails(
    for object: PHAssetCollection
  ) -> PHObjectChangeDetails<PHAssetCollection>? {
    guard let album = object.userAlbum else { return nil }
    let found = read { () throws(MediaLibraryError) in
      try album.library.userAlbums(withLocalIdentifiers: [album.id])
    }
    guard let found else { return nil }
    let present = found.first.map { PHAssetCollection($0) }
    guard present != object else { return nil }
    return PHObjectChangeDetails(
      objectBeforeChanges: object, objectAfterChanges: present, assetContentChanged: false)
  }

  /// What changed in a fetch result; nil if nothing did, or if the library cannot be read. The fetch is repeated.
  public func changeDetails<Object: PHObject & Hashable>(
    for fetchResult: PHFetchResult<Object>
  ) -> PHFetchResultChangeDetails<Object>? {
    let present = fetchResult.again()
    failure.last.withLock { $0 = present.error }
    guard present.error == nil else { return nil }
    return PHFetchResultChangeDetails(fetchResult, present)
  }

  /// The result of a read; nil if the library cannot be read.
  private func read<Found>(_ reading: () throws(MediaLibraryError) -> Found) -> Found? {
    do throws(MediaLibraryError) {
      let found = try reading()
      failure.last.withLock { $0 = nil }
      return found
    } catch {
      let reason = PHPhotosError(error)
      failure.last.withLock { $0 = reason }
      return nil
    }
  }
}

/// Why details are missing; shared by all copies of a change.
private final class ReadFailure: Sendable {
  let last = Mutex<PHPhotosError?>(nil)
}

/// What happened to an asset or an album.
public struct PHObjectChangeDetails<Object: PHObject>: Sendable {
  public let objectBeforeChanges: Object
  /// Its present state; nil if it was deleted.
  public let objectAfterChanges: Object?
  /// True if the asset's files changed: an edit was added or removed.
  public let assetContentChanged: Bool
  public var objectWasDeleted: Bool { objectAfterChanges == nil }
}

/// What changed in a fetch result.
public struct PHFetchResultChangeDetails<Object: PHObject & Hashable>: Sendable {
  public let fetchResultBeforeChanges: PHFetchResult<Object>
  public let fetchResultAfterChanges: PHFetchResult<Object>
  /// Always true.
  public let hasIncrementalChanges = true
  /// The positions of removed objects before the change; nil if nothing was removed.
  public let removedIndexes: IndexSet?
  /// The removed objects.
  public let removedObjects: [Object]
  /// The positions of inserted objects after the change; nil if nothing was inserted.
  public let insertedIndexes: IndexSet?
  /// The inserted objects.
  public let insertedObjects: [Object]
  /// The positions of changed objects after the change; nil if nothing changed.
  public let changedIndexes: IndexSet?
  /// The changed objects in their present state.
  public let changedObjects: [Object]
  /// True if the remaining objects are in another order.
  public let hasMoves: Bool
  private let moves: [(from: Int, to: Int)]

  /// Nil if both are equal.
  init?(_ before: PHFetchResult<Object>, _ after: PHFetchResult<Object>) {
    let old = (0..<before.count).map { before[$0] }
    let new = (0..<after.count).map { after[$0] }
    guard old != new else { return nil }
    let oldPlaces = Dictionary(
      old.enumerated().map { ($1.localIdentifier, $0) }, uniquingKeysWith: { first, _ in first })
    let newNames = Set(new.map(\.localIdentifier))
    let removed = old.indices.filter { !newNames.contains(old[$0].localIdentifier) }
    let inserted = new.indices.filter { oldPlaces[new[$0].localIdentifier] == nil }
    let changed = new.indices.filter { place in
      oldPlaces[new[place].localIdentifier].map { old[$0] != new[place] } ?? false
    }
    fetchResultBeforeChanges = before
    fetchResultAfterChanges = after
    removedIndexes = removed.isEmpty ? nil : IndexSet(removed)
    removedObjects = removed.map { old[$0] }
    insertedIndexes = inserted.isEmpty ? nil : IndexSet(inserted)
    insertedObjects = inserted.map { new[$0] }
    changedIndexes = changed.isEmpty ? nil : IndexSet(changed)
    changedObjects = changed.map { new[$0] }
    // Apple's order: removals, then insertions, then moves.
    var order = old.map(\.localIdentifier).filter(newNames.contains)
    for place in inserted {
      order.insert(new[place].localIdentifier, at: Swift.min(place, order.count))
    }
    var moves: [(from: Int, to: Int)] = []
    for (place, object) in new.enumerated() where order[place] != object.localIdentifier {
      guard let from = order[place...].firstIndex(of: object.localIdentifier) else { continue }
      order.insert(order.remove(at: from), at: place)
      moves.append((from, place))
    }
    self.moves = moves
    hasMoves = !moves.isEmpty
  }

  /// Calls `handler` for each move with the index before and after it. The indexes apply after the removals, the
  /// insertions and the preceding moves.
  public func enumerateMoves(_ handler: (Int, Int) -> Void) {
    for move in moves { handler(move.from, move.to) }
  }
}
