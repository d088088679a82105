public import FoundationEssentials
import Synchronization

/// How a file comes into the library, as `PHAssetResourceCreationOptions`.
public struct AssetResourceCreationOptions: Sendable, Hashable {
  /// The name it keeps; nil for the file's own.
  public var originalFilename: String?
  /// Its uniform type identifier; nil for that of its name's extension.
  public var uniformTypeIdentifier: String?
  /// True to move the file rather than to copy it: a rename on one file system, else a copy that is
  /// verified before the file is removed.
  public var shouldMoveFile = false

  /// A copy under the file's own name.
  public init() {}

  /// Options from their parts.
  public init(
    originalFilename: String? = nil, uniformTypeIdentifier: String? = nil,
    shouldMoveFile: Bool = false
  ) {
    self.originalFilename = originalFilename
    self.uniformTypeIdentifier = uniformTypeIdentifier
    self.shouldMoveFile = shouldMoveFile
  }
}

/// Stands for an asset that a change block makes, as `PHObjectPlaceholder`.
public struct ObjectPlaceholder: Sendable, Hashable {
  /// The identifier that the asset will have.
  public let localIdentifier: String

  /// What stands for an object of a change block.
  package init(standingFor identifier: String) { localIdentifier = identifier }
}

/// Makes an asset, as `PHAssetCreationRequest`. For use in a change block.
///
/// ```swift
/// try await PhotoLibrary.shared.performChanges {
///   let request = try AssetCreationRequest.forAsset()
///   let options = AssetResourceCreationOptions(shouldMoveFile: true)
///   request.addResource(with: .photo, fileURL: dng, options: options)
///   request.addResource(with: .alternatePhoto, data: heif, options: nil)
/// }
/// ```
///
/// What cannot be taken in, for whatever reason, fails the change block with an error that names it.
public final class AssetCreationRequest: Sendable {
  /// What becomes of a photo, video or sound that the library has already, byte for byte.
  public enum DuplicatePolicy: String, Sendable, Hashable, Codable {
    /// It is added once more, and reported.
    case keep
    /// It is left out, and reported; a file that was to be moved stays where it is.
    case skip
  }

  struct Resource: Sendable {
    enum Source: Sendable {
      case file(path: String, moves: Bool)
      case data(Data)
    }

    var type: AssetResourceType
    var source: Source
    var name: String?
    var uti: String?
    /// What the file was found to be before.
    var inspected: InspectedFile?
  }

  struct Draft: Sendable {
    let id: String
    var resources: [Resource] = []
    var creationDate: Date?
    var location: GeographicLocation?
    var isFavorite = false
    var duplicates = DuplicatePolicy.keep
    /// True for an edit of an asset that is there: its files take the place of an earlier edit's.
    var isEdit = false
  }

  let draft: Mutex<Draft>

  /// A request that comes to nothing until it has joined a change block.
  package init(unplaced id: String?) {
    draft = Mutex(Draft(id: id ?? AssetIdentifier.random()))
  }

  convenience init(id: String? = nil) throws(MediaLibraryError) {
    self.init(unplaced: id)
    try join()
  }

  /// Adds the request to the change block that runs at present.
  package func join() throws(MediaLibraryError) { try ChangeBlock.add(.create(self)) }

  /// A request for an asset without files yet.
  ///
  /// - Throws: ``MediaLibraryError/Code/invalidState`` outside of a change block.
  @_disfavoredOverload  // AVFoundationCompat's form comes first where both fit.
  public static func forAsset() throws(MediaLibraryError) -> AssetCreationRequest {
    try AssetCreationRequest()
  }

  /// A request for a movie.
  ///
  /// - Returns: The request; nil, as Apple's may be, is never returned here.
  /// - Throws: As ``forAsset()``.
  @_disfavoredOverload
  @discardableResult
  public static func creationRequestForAssetFromVideo(
    atFileURL fileURL: URL
  ) throws(MediaLibraryError) -> AssetCreationRequest? {
    let request = try AssetCreationRequest()
    request.addResource(with: .video, fileURL: fileURL, options: nil)
    return request
  }

  /// A request for a photo.
  ///
  /// - Returns: As ``creationRequestForAssetFromVideo(atFileURL:)``.
  /// - Throws: As ``forAsset()``.
  @_disfavoredOverload
  @discardableResult
  public static func creationRequestForAssetFromImage(
    atFileURL fileURL: URL
  ) throws(MediaLibraryError) -> AssetCreationRequest? {
    let request = try AssetCreationRequest()
    request.addResource(with: .photo, fileURL: fileURL, options: nil)
    return request
  }

  /// True where files of these types make an asset.
  public static func supportsAssetResourceTypes(_ types: [AssetResourceType]) -> Bool {
    AssetResourceType.makeAsset(types.map { $0 == .photoProxy ? .photo : $0 })
  }

  /// Adds a file.
  public func addResource(
    with type: AssetResourceType, fileURL: URL, options: AssetResourceCreationOptions? = nil
  ) {
    let source = Resource.Source.file(
      path: fileURL.absoluteURL.path, moves: options?.shouldMoveFile ?? false)
    add(type, source, options)
  }

  /// Adds a file that may have been looked at before.
  func addResource(
    with type: AssetResourceType, path: String, moves: Bool, inspected: InspectedFile? = nil
  ) {
    let resource = Resource(
      type: type, source: .file(path: path, moves: moves), inspected: inspected)
    draft.withLock { $0.resources.append(resource) }
  }

  /// Adds data as a file.
  public func addResource(
    with type: AssetResourceType, data: Data, options: AssetResourceCreationOptions? = nil
  ) {
    add(type, .data(data), options)
  }

  /// When the asset was made; nil for what its file says, or else the file's own date.
  public var creationDate: Date? {
    get { draft.withLock { $0.creationDate } }
    set { draft.withLock { $0.creationDate = newValue } }
  }

  /// Where the asset was made; nil for what its file says.
  public var location: GeographicLocation? {
    get { draft.withLock { $0.location } }
    set { draft.withLock { $0.location = newValue } }
  }

  /// True for a favorite.
  public var isFavorite: Bool {
    get { draft.withLock { $0.isFavorite } }
    set { draft.withLock { $0.isFavorite = newValue } }
  }

  /// What becomes of what the library has already.
  public var duplicates: DuplicatePolicy {
    get { draft.withLock { $0.duplicates } }
    set { draft.withLock { $0.duplicates = newValue } }
  }

  /// The asset that this will make.
  public var placeholderForCreatedAsset: ObjectPlaceholder? {
    ObjectPlaceholder(standingFor: draft.withLock { $0.id })
  }

  private func add(
    _ type: AssetResourceType, _ source: Resource.Source, _ options: AssetResourceCreationOptions?
  ) {
    let resource = Resource(
      type: type == .photoProxy ? .photo : type, source: source, name: options?.originalFilename,
      uti: options?.uniformTypeIdentifier)
    draft.withLock { $0.resources.append(resource) }
  }
}
