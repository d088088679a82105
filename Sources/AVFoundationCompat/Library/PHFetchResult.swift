public import Foundation
public import MediaLibrary

/// Which objects to fetch, and in which order.
///
/// ``assetPredicate`` and ``assetSortDescriptors`` are this package's typed forms. Both forms apply.
public final class PHFetchOptions {
  var base = FetchOptions()

  public init() {}

  /// A `PHFetchOptions` with the same values.
  public func copy() -> Any {
    let copy = PHFetchOptions()
    copy.base = base
    (copy.predicate, copy.sortDescriptors) = (predicate, sortDescriptors)
    return copy
  }

  /// Which assets; nil for all. If it is invalid or uses an unknown key, the fetch finds nothing and its result has
  /// an `error`.
  public var predicate: NSPredicate?
  /// The order; nil for oldest first, by creation date.
  public var sortDescriptors: [NSSortDescriptor]?
  /// Which assets, in this package's typed form; nil for all.
  public var assetPredicate: AssetPredicate? {
    get { base.predicate }
    set { base.predicate = newValue }
  }
  /// The order, in this package's typed form; ``sortDescriptors`` take precedence.
  public var assetSortDescriptors: [AssetSortDescriptor] {
    get { base.sortDescriptors }
    set { base.sortDescriptors = newValue }
  }
  /// False: assets cannot be hidden here. Setting it has no effect.
  public var includeHiddenAssets: Bool {
    get { false }
    set {}
  }
  /// False: bursts do not exist here. Setting it has no effect.
  public var includeAllBurstAssets: Bool {
    get { false }
    set {}
  }
  /// False: a result is a snapshot. Setting it has no effect.
  public var wantsIncrementalChangeDetails: Bool {
    get { false }
    set {}
  }
  /// The most objects to fetch; 0 for all.
  public var fetchLimit: Int {
    get { base.fetchLimit }
    set { base.fetchLimit = newValue }
  }
}

/// The objects that a fetch found, in order.
public final class PHFetchResult<ObjectType: Sendable>: Sendable {
  private let objects: [ObjectType]
  /// Why the library could not be read, in which case the result is empty; nil if it could. Not in Apple's API, whose
  /// results are just empty.
  public let error: PHPhotosError?

  /// Repeats the fetch.
  private let fetch: @Sendable () -> (objects: [ObjectType], error: PHPhotosError?)

  init(fetch: @escaping @Sendable () -> (objects: [ObjectType], error: PHPhotosError?)) {
    self.fetch = fetch
    (objects, error) = fetch()
  }

  /// The result of the same fetch now.
  func again() -> PHFetchResult { PHFetchResult(fetch: fetch) }

  public var count: Int { objects.count }
  /// The first object; nil for none.
  public var firstObject: ObjectType? { objects.first }
  /// The last object; nil for none.
  public var lastObject: ObjectType? { objects.last }
  /// The object at an index, which must be in range.
  public func object(at index: Int) -> ObjectType { objects[index] }
  /// The object at an index, which must be in range.
  public subscript(index: Int) -> ObjectType { objects[index] }
  /// The objects at indexes, which must be in range.
  public func objects(at indexes: IndexSet) -> [ObjectType] { indexes.map { objects[$0] } }

  /// Calls `block` for each object and its index, in order, until the block sets `stop` to true.
  public func enumerateObjects(
    _ block: (ObjectType, Int, UnsafeMutablePointer<ObjCBool>) -> Void
  ) {
    var stop = ObjCBool(false)
    for (index, object) in objects.enumerated() {
      withUnsafeMutablePointer(to: &stop) { block(object, index, $0) }
      if stop.boolValue { return }
    }
  }

  /// Like ``enumerateObjects(_:)``, in reverse order with the option `reverse`; `concurrent` has no effect.
  public func enumerateObjects(
    options opts: NSEnumerationOptions,
    using block: (ObjectType, Int, UnsafeMutablePointer<ObjCBool>) -> Void
  ) { enumerateObjects(at: IndexSet(objects.indices), options: opts, using: block) }

  /// Like ``enumerateObjects(options:using:)``, for the objects at indexes, which must be in range.
  public func enumerateObjects(
    at s: IndexSet, options opts: NSEnumerationOptions,
    using block: (ObjectType, Int, UnsafeMutablePointer<ObjCBool>) -> Void
  ) {
    var stop = ObjCBool(false)
    for index in opts.contains(.reverse) ? s.reversed() : [Int](s) {
      withUnsafeMutablePointer(to: &stop) { block(objects[index], index, $0) }
      if stop.boolValue { return }
    }
  }
}
