public import Foundation
public import MediaLibrary

/// What is fetched, and in which order.
///
/// ``assetPredicate`` and ``assetSortDescriptors`` are this package's typed forms; both kinds count.
public final class PHFetchOptions {
  var base = FetchOptions()

  /// Everything.
  public init() {}

  /// A `PHFetchOptions` with the same values.
  public func copy() -> Any {
    let copy = PHFetchOptions()
    copy.base = base
    (copy.predicate, copy.sortDescriptors) = (predicate, sortDescriptors)
    return copy
  }

  /// Which assets; nil for all. One that cannot be read, or that asks for a key that assets do not have,
  /// finds nothing, and the result has an `error`.
  public var predicate: NSPredicate?
  /// The order; by creation date, oldest first, without one.
  public var sortDescriptors: [NSSortDescriptor]?
  /// Which assets, in this package's form; nil for all.
  public var assetPredicate: AssetPredicate? {
    get { base.predicate }
    set { base.predicate = newValue }
  }
  /// The order, in this package's form; ``sortDescriptors`` come first.
  public var assetSortDescriptors: [AssetSortDescriptor] {
    get { base.sortDescriptors }
    set { base.sortDescriptors = newValue }
  }
  /// False: no asset here is hidden. To set it changes nothing.
  public var includeHiddenAssets: Bool {
    get { false }
    set {}
  }
  /// False: there are no bursts here. To set it changes nothing.
  public var includeAllBurstAssets: Bool {
    get { false }
    set {}
  }
  /// False: a result is what was there when it was fetched. To set it changes nothing.
  public var wantsIncrementalChangeDetails: Bool {
    get { false }
    set {}
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

  /// Asks the library anew.
  private let fetch: @Sendable () -> (objects: [ObjectType], error: PHPhotosError?)

  init(fetch: @escaping @Sendable () -> (objects: [ObjectType], error: PHPhotosError?)) {
    self.fetch = fetch
    (objects, error) = fetch()
  }

  /// The answer to the same question now.
  func again() -> PHFetchResult { PHFetchResult(fetch: fetch) }

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

  /// As ``enumerateObjects(_:)``, from the last to the first where the options say `reverse`; `concurrent` changes
  /// nothing.
  public func enumerateObjects(
    options opts: NSEnumerationOptions,
    using block: (ObjectType, Int, UnsafeMutablePointer<ObjCBool>) -> Void
  ) { enumerateObjects(at: IndexSet(objects.indices), options: opts, using: block) }

  /// As ``enumerateObjects(options:using:)``, for those of the places, which there have to be.
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
