public import Foundation
public import MediaLibrary

/// What a library has an identifier for: assets, albums, and what stands for them while they are made.
public protocol PHObject: Sendable {
  /// The identifier, the same forever.
  var localIdentifier: String { get }
}

extension PHAsset: PHObject {}
extension ObjectPlaceholder: PHObject {}

/// What holds objects of a library: albums.
public protocol PHCollection: PHObject {
  /// The title for people.
  var localizedTitle: String? { get }
  /// True for what requests can do to it.
  func canPerform(_ anOperation: PHCollectionEditOperation) -> Bool
}

extension PHAssetCollection: PHCollection {}

/// A folder of albums: there are none here, and albums lie side by side.
public final class PHCollectionList: PHCollection {
  private init() {}

  /// Empty: there is no folder that would have one.
  public var localIdentifier: String { "" }
  /// Nil: there is no folder that would have one.
  public var localizedTitle: String? { nil }
  /// False.
  public func canPerform(_ anOperation: PHCollectionEditOperation) -> Bool { false }

  /// The albums that users made, of the shared library. Of the options the predicate and the sort descriptors, by the
  /// keys of albums, and the limit count.
  public static func fetchTopLevelUserCollections(
    with options: PHFetchOptions?
  ) -> PHFetchResult<any PHCollection> {
    let albums = PHAssetCollection.fetchAssetCollections(
      with: .album, subtype: .any, options: options)
    return PHFetchResult(fetch: {
      let albums = albums.again()
      return ((0..<albums.count).map { albums.object(at: $0) }, albums.error)
    })
  }
}

/// What requests take several objects as: arrays of Swift and of Foundation, sets, fetch results.
public protocol NSFastEnumeration {}

extension Array: NSFastEnumeration {}
extension NSArray: NSFastEnumeration {}
extension NSSet: NSFastEnumeration {}
extension PHFetchResult: NSFastEnumeration {}

/// What a fetch result is as a list of whatever it holds.
protocol EnumeratedObjects {
  var enumeratedObjects: [any Sendable] { get }
}

extension PHFetchResult: EnumeratedObjects {
  var enumeratedObjects: [any Sendable] { (0..<count).map { object(at: $0) } }
}

/// The identifiers of objects that a request was given.
///
/// - Throws: `MediaLibraryError.Code.invalidArgument` for something that a library has no identifier for.
func localIdentifiers(of objects: any NSFastEnumeration) throws(MediaLibraryError) -> [String] {
  let members: [Any] =
    switch objects {
    case let array as NSArray: Array(array)
    case let set as NSSet: Array(set)
    case let result as any EnumeratedObjects: result.enumeratedObjects
    default: objects as? [Any] ?? [objects]
    }
  var identifiers: [String] = []
  for member in members {
    switch member {
    case let object as any PHObject: identifiers.append(object.localIdentifier)
    case let asset as Asset: identifiers.append(asset.localIdentifier)
    default:
      throw MediaLibraryError(
        .invalidArgument, "a request was given a \(type(of: member)), which no library has")
    }
  }
  return identifiers
}
