public import FoundationEssentials
import Synchronization

/// How a file is added to the library, like `PHAssetResourceCreationOptions`.
public struct AssetResourceCreationOptions: Sendable, Hashable {
  /// The name to record; nil for the file's name.
  public var originalFilename: String?
  /// Its uniform type identifier; nil to derive it from the name's extension.
  public var uniformTypeIdentifier: String?
  /// True to move the file instead of copying it: a rename within a file system, otherwise a copy
  /// that is verified before the file is removed.
  public var shouldMoveFile = false

  /// A copy under the file's name.
  public init() {}

  public init(
    originalFilename: String? = nil, uniformTypeIdentifier: String? = nil,
    shouldMoveFile: Bool = false
  ) {
    self.originalFilename = originalFilename
    self.uniformTypeIdentifier = uniformTypeIdentifier
    self.shouldMoveFile = shouldMoveFile
  }
}

/// Stands for an asset that a change block creates, like `PHObjectPlaceholder`.
public struct ObjectPlaceholder: Sendable, Hashable {
  /// The identifier that the asset will have.
  public let localIdentifier: String

  package init(standingFor identifier: String) { localIdentifier = identifier }
}

/// Creates an asset, like `PHAssetCreationRequest`. Use it in a change block.
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
/// A file that cannot be added fails the change block with an error that names it.
public final class AssetCreationRequest: Sendable {
  /// What to do with a photo, video or audio file whose content is already in the library, byte for
  /// byte.
  public enum DuplicatePolicy: String, Sendable, Hashable, Codable {
    /// Add it again, and report it.
    case keep
    /// Skip it, and report it. A file that was to be moved stays where it is.
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
    /// What an earlier inspection found.
    var inspected: InspectedFile?
  }

  struct Draft: Sendable {
    let id: String
    var resources: [Resource] = []
    var creationDate: Date?
    var location: GeographicLocation?
    var isFavorite = false
    var duplicates = DuplicatePolicy.keep
    /// True for an edit of an existing asset: its files replace those of an earlier edit.
    var isEdit = false
  }

  let draft: Mutex<Draft>

  /// A request without effect until it joins a change block.
  package init(unplaced id: String?) {
    draft = Mutex(Draft(id: id ?? AssetIdentifier.random()))
  }

  convenience init(id: String? = nil) throws(MediaLibraryError) {
    self.init(unplaced: id)
    try join()
  }

  /// Adds the request to the running change block.
  package func join() throws(MediaLibraryError) { try ChangeBlock.add(.create(self)) }

  /// A request for an asset that has no files yet.
  ///
  /// - Throws: ``MediaLibraryError/Code/invalidState`` outside of a change block.
  @_disfavoredOverload  // AVFoundationCompat's overload is preferred if both apply.
  public static func forAsset() throws(MediaLibraryError) -> AssetCreationRequest {
    try AssetCreationRequest()
  }

  /// A request for a movie.
  ///
  /// - Returns: The request, never nil; the type is optional because Apple's is.
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

  /// True if files of these types together make an asset.
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

  /// Adds a file that may have been inspected already.
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

  /// When the asset was created; nil to take it from the file's metadata, or else the file's date.
  public var creationDate: Date? {
    get { draft.withLock { $0.creationDate } }
    set { draft.withLock { $0.creationDate = newValue } }
  }

  /// Where the asset was created; nil to take it from the file's metadata.
  public var location: GeographicLocation? {
    get { draft.withLock { $0.location } }
    set { draft.withLock { $0.location = newValue } }
  }

  /// True for a favorite.
  public var isFavorite: Bool {
    get { draft.withLock { $0.isFavorite } }
    set { draft.withLock { $0.isFavorite = newValue } }
  }

  /// What to do with content that is already in the library.
  public var duplicates: DuplicatePolicy {
    get { draft.withLock { $0.duplicates } }
    set { draft.withLock { $0.duplicates = newValue } }
  }

  /// Stands for the asset that the request creates.
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
