public import Foundation
public import MediaLibrary

/// An object with an identifier in a library: an asset, an album, or a placeholder of one that is being created.
public protocol PHObject: Sendable {
  /// The identifier, which never changes.
  var localIdentifier: String { get }
}

extension PHAsset: PHObject {}
extension ObjectPlaceholder: PHObject {}

/// A collection of library objects: an album.
public protocol PHCollection: PHObject {
  /// The title to display.
  var localizedTitle: String? { get }
  /// True if requests support the operation.
  func canPerform(_ anOperation: PHCollectionEditOperation) -> Bool
}

extension PHAssetCollection: PHCollection {}

/// A folder of albums. It never exists here: albums are not nested.
public final class PHCollectionList: PHCollection {
  private init() {}

  /// Empty: there are no folders.
  public var localIdentifier: String { "" }
  /// Nil: there are no folders.
  public var localizedTitle: String? { nil }
  public func canPerform(_ anOperation: PHCollectionEditOperation) -> Bool { false }

  /// The shared library's users' albums. Of the options, the predicate, the sort descriptors and the limit apply;
  /// predicate and descriptors use the keys of albums.
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

/// A group of objects passed to a request: a Swift or Foundation array, a set, or a fetch result.
public protocol NSFastEnumeration {}

extension Array: NSFastEnumeration {}
extension NSArray: NSFastEnumeration {}
extension NSSet: NSFastEnumeration {}
extension PHFetchResult: NSFastEnumeration {}

/// A fetch result's objects, without their type.
protocol EnumeratedObjects {
  var enumeratedObjects: [any Sendable] { get }
}

extension PHFetchResult: EnumeratedObjects {
  var enumeratedObjects: [any Sendable] { (0..<count).map { object(at: $0) } }
}

/// The identifiers of the objects passed to a request.
///
/// - Throws: `MediaLibraryError.Code.invalidArgument` for an object without an identifier in a library.
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
        .invalidArgument,
        "a request was passed a \(type(of: member)), which is not a library object")
    }
  }
  return identifiers
}
