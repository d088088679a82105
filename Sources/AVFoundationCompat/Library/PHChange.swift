public import Foundation
public import MediaLibrary
import Synchronization

/// What changed in a library.
///
/// Details are of a library that can be read. Where it cannot, nothing is known of an object, and nothing is
/// told of it: ``error`` says why, and the next change compares with what the program has all the same.
public struct PHChange: Sendable {
  /// The change in this package's own terms.
  public let base: LibraryChange
  /// Why the library could not be read for the details that were asked for last; nil where it could. Apple's
  /// has no such property.
  public var error: PHPhotosError? { failure.last.withLock { $0 } }

  private let failure = ReadFailure()

  /// What changed, by Apple's name.
  public init(_ change: LibraryChange) { base = change }

  /// What became of an asset; nil where nothing did, or where the library cannot be read.
  public func changeDetails(for object: PHAsset) -> PHObjectChangeDetails<PHAsset>? {
    let found = read { () throws(MediaLibraryError) in
      try object.base.library.fetchAssets(withLocalIdentifiers: [object.localIdentifier])
    }
    guard let found else { return nil }
    // What was deleted is there until its retention time is over, and not among the assets.
    let present = found.first { $0.deletionDate == nil }.map { PHAsset($0) }
    guard present != object else { return nil }
    return PHObjectChangeDetails(
      objectBeforeChanges: object, objectAfterChanges: present,
      assetContentChanged: present.map { $0.base.resources != object.base.resources } ?? false)
  }

  /// What became of an album; nil where nothing did, or where the library cannot be read. Of one that fills
  /// itself nothing is told: fetch its assets.
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

  /// What became of the answer to a fetch; nil where it is the same, or where the library cannot be read. The
  /// library is asked anew.
  public func changeDetails<Object: PHObject & Hashable>(
    for fetchResult: PHFetchResult<Object>
  ) -> PHFetchResultChangeDetails<Object>? {
    let present = fetchResult.again()
    failure.last.withLock { $0 = present.error }
    guard present.error == nil else { return nil }
    return PHFetchResultChangeDetails(fetchResult, present)
  }

  /// What is read; nil where the library cannot be.
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

/// Why details could not be told: all copies of a change have the same.
private final class ReadFailure: Sendable {
  let last = Mutex<PHPhotosError?>(nil)
}

/// What became of an asset or an album.
public struct PHObjectChangeDetails<Object: PHObject>: Sendable {
  /// As it was fetched.
  public let objectBeforeChanges: Object
  /// As it is now; nil where it is gone or deleted.
  public let objectAfterChanges: Object?
  /// True where files of an asset changed: an edit came or went.
  public let assetContentChanged: Bool
  /// True where it is gone or deleted.
  public var objectWasDeleted: Bool { objectAfterChanges == nil }
}

/// What became of the answer to a fetch.
public struct PHFetchResultChangeDetails<Object: PHObject & Hashable>: Sendable {
  /// As it was fetched.
  public let fetchResultBeforeChanges: PHFetchResult<Object>
  /// As it is now.
  public let fetchResultAfterChanges: PHFetchResult<Object>
  /// True: the changes are told one by one.
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

  /// Nil where both are alike.
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
    // Apple's order: what went goes, what came comes, then the rest moves.
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

  /// Calls `handler` for each move, one after the other: from a place to another one, after what went has
  /// gone, what came is there, and the moves before are made.
  public func enumerateMoves(_ handler: (Int, Int) -> Void) {
    for move in moves { handler(move.from, move.to) }
  }
}
