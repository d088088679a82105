public import Foundation
public import MediaLibrary

/// What is fetched, and in which order.
///
/// Predicates and sortings have types here, in place of `NSPredicate` and `NSSortDescriptor`, which
/// Foundation has no text forms of on Linux.
public final class PHFetchOptions {
  var base = FetchOptions()

  /// Everything.
  public init() {}

  /// Which assets; nil for all.
  public var predicate: AssetPredicate? {
    get { base.predicate }
    set { base.predicate = newValue }
  }
  /// The order; by creation date, oldest first, without one.
  public var sortDescriptors: [AssetSortDescriptor]? {
    get { base.sortDescriptors }
    set { base.sortDescriptors = newValue ?? [] }
  }
  /// The most assets; 0 for all.
  public var fetchLimit: Int {
    get { base.fetchLimit }
    set { base.fetchLimit = newValue }
  }
}

/// What a fetch found, in order.
public final class PHFetchResult<ObjectType: Sendable>: Sendable {
  private let objects: [ObjectType]
  /// Why the library could not be read; nil where it could. Apple's has no such property: its
  /// results are empty then, as this one is.
  public let error: PHPhotosError?

  init(_ objects: [ObjectType], error: PHPhotosError?) {
    self.objects = objects
    self.error = error
  }

  /// How many there are.
  public var count: Int { objects.count }
  /// The first; nil for none.
  public var firstObject: ObjectType? { objects.first }
  /// The last; nil for none.
  public var lastObject: ObjectType? { objects.last }
  /// One by its place, which there has to be.
  public func object(at index: Int) -> ObjectType { objects[index] }
  /// One by its place, which there has to be.
  public subscript(index: Int) -> ObjectType { objects[index] }
  /// Those of the places, which there have to be.
  public func objects(at indexes: IndexSet) -> [ObjectType] { indexes.map { objects[$0] } }

  /// Calls `block` for each in order, with its place, until the block sets `stop` to true.
  public func enumerateObjects(
    _ block: (ObjectType, Int, UnsafeMutablePointer<ObjCBool>) -> Void
  ) {
    var stop = ObjCBool(false)
    for (index, object) in objects.enumerated() {
      withUnsafeMutablePointer(to: &stop) { block(object, index, $0) }
      if stop.boolValue { return }
    }
  }
}
