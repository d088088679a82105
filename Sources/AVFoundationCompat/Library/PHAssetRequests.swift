public import Foundation
public import MediaLibrary

/// Makes an asset; for use in a change block.
public typealias PHAssetCreationRequest = AssetCreationRequest
/// Changes or deletes assets; for use in a change block.
public typealias PHAssetChangeRequest = AssetChangeRequest

/// How a file comes into the library.
public final class PHAssetResourceCreationOptions {
  /// The name it keeps; nil for the file's own.
  public var originalFilename: String?
  /// Its uniform type identifier; nil for that of its name's extension.
  public var uniformTypeIdentifier: String?
  /// True to move the file rather than to copy it.
  public var shouldMoveFile = false

  /// A copy under the file's own name.
  public init() {}

  fileprivate var base: AssetResourceCreationOptions {
    AssetResourceCreationOptions(
      originalFilename: originalFilename, uniformTypeIdentifier: uniformTypeIdentifier,
      shouldMoveFile: shouldMoveFile)
  }
}

extension AssetCreationRequest {
  /// A request for an asset without files yet. One that is made outside of a change block comes to
  /// nothing, and the next change block fails for it.
  public static func forAsset() -> PHAssetCreationRequest {
    let request = AssetCreationRequest(unplaced: nil)
    MisplacedRequests.shared.note { () throws(MediaLibraryError) in try request.join() }
    return request
  }

  /// A request for a movie; never nil here. Outside of a change block it is as with ``forAsset()``.
  @discardableResult
  public static func creationRequestForAssetFromVideo(
    atFileURL fileURL: URL
  ) -> PHAssetCreationRequest? {
    request(.video, fileURL)
  }

  /// A request for a photo; never nil here. Outside of a change block it is as with ``forAsset()``.
  @discardableResult
  public static func creationRequestForAssetFromImage(
    atFileURL fileURL: URL
  ) -> PHAssetCreationRequest? {
    request(.photo, fileURL)
  }

  private static func request(
    _ type: AssetResourceType, _ fileURL: URL
  ) -> PHAssetCreationRequest? {
    let request = forAsset()
    request.addResource(with: type, fileURL: fileURL)
    return request
  }

  /// Adds a file.
  @_disfavoredOverload
  public func addResource(
    with type: PHAssetResourceType, fileURL: URL, options: PHAssetResourceCreationOptions?
  ) {
    addResource(with: type, fileURL: fileURL, options: options?.base)
  }

  /// Adds data as a file.
  @_disfavoredOverload
  public func addResource(
    with type: PHAssetResourceType, data: Data, options: PHAssetResourceCreationOptions?
  ) {
    addResource(with: type, data: data, options: options?.base)
  }
}

extension AssetChangeRequest {
  /// A request to change an asset. One that is made outside of a change block comes to nothing, and
  /// the next change block fails for it.
  public convenience init(for asset: PHAsset) {
    self.init(unplacedFor: asset.base)
    MisplacedRequests.shared.note { () throws(MediaLibraryError) in try join() }
  }

  /// Puts assets among the recently deleted. Their files stay until the retention time is over.
  /// Outside of a change block nothing happens, and the next change block fails.
  public static func deleteAssets(_ assets: any NSFastEnumeration) {
    MisplacedRequests.shared.note { () throws(MediaLibraryError) in
      try deleteAssets(withLocalIdentifiers: try localIdentifiers(of: assets))
    }
  }

  /// A request for a movie.
  @discardableResult
  public static func creationRequestForAssetFromVideo(
    atFileURL fileURL: URL
  ) -> PHAssetCreationRequest? {
    AssetCreationRequest.creationRequestForAssetFromVideo(atFileURL: fileURL)
  }

  /// A request for a picture.
  @discardableResult
  public static func creationRequestForAssetFromImage(
    atFileURL fileURL: URL
  ) -> PHAssetCreationRequest? {
    AssetCreationRequest.creationRequestForAssetFromImage(atFileURL: fileURL)
  }
}
