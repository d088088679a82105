public import Foundation
public import MediaLibrary

/// Creates an asset; for use in a change block.
public typealias PHAssetCreationRequest = AssetCreationRequest
/// Changes or deletes assets; for use in a change block.
public typealias PHAssetChangeRequest = AssetChangeRequest

/// How a file is added to the library.
public final class PHAssetResourceCreationOptions {
  /// The original file name; nil for the file's name.
  public var originalFilename: String?
  /// The uniform type identifier; nil to derive it from the file name extension.
  public var uniformTypeIdentifier: String?
  /// True to move the file instead of copying it.
  public var shouldMoveFile = false

  /// Copies the file under its name.
  public init() {}

  fileprivate var base: AssetResourceCreationOptions {
    AssetResourceCreationOptions(
      originalFilename: originalFilename, uniformTypeIdentifier: uniformTypeIdentifier,
      shouldMoveFile: shouldMoveFile)
  }
}

extension AssetCreationRequest {
  /// A request to create an asset, without files yet. If it is made outside of a change block, it has no effect and
  /// the next change block fails.
  public static func forAsset() -> PHAssetCreationRequest {
    let request = AssetCreationRequest(unplaced: nil)
    MisplacedRequests.shared.note { () throws(MediaLibraryError) in try request.join() }
    return request
  }

  /// A request to create a video asset; never nil here. Outside of a change block it behaves like ``forAsset()``.
  @discardableResult
  public static func creationRequestForAssetFromVideo(
    atFileURL fileURL: URL
  ) -> PHAssetCreationRequest? {
    request(.video, fileURL)
  }

  /// A request to create a photo asset; never nil here. Outside of a change block it behaves like ``forAsset()``.
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

  @_disfavoredOverload
  public func addResource(
    with type: PHAssetResourceType, fileURL: URL, options: PHAssetResourceCreationOptions?
  ) {
    addResource(with: type, fileURL: fileURL, options: options?.base)
  }

  @_disfavoredOverload
  public func addResource(
    with type: PHAssetResourceType, data: Data, options: PHAssetResourceCreationOptions?
  ) {
    addResource(with: type, data: data, options: options?.base)
  }
}

extension AssetChangeRequest {
  /// A request to change an asset. If it is made outside of a change block, it has no effect and the next change
  /// block fails.
  public convenience init(for asset: PHAsset) {
    self.init(unplacedFor: asset.base)
    MisplacedRequests.shared.note { () throws(MediaLibraryError) in try join() }
  }

  /// Moves assets to the recently deleted ones. Their files stay until the retention time is over. Outside of a
  /// change block it has no effect, and the next change block fails.
  public static func deleteAssets(_ assets: any NSFastEnumeration) {
    MisplacedRequests.shared.note { () throws(MediaLibraryError) in
      try deleteAssets(withLocalIdentifiers: try localIdentifiers(of: assets))
    }
  }

  /// A request to create a video asset.
  @discardableResult
  public static func creationRequestForAssetFromVideo(
    atFileURL fileURL: URL
  ) -> PHAssetCreationRequest? {
    AssetCreationRequest.creationRequestForAssetFromVideo(atFileURL: fileURL)
  }

  /// A request to create a photo asset.
  @discardableResult
  public static func creationRequestForAssetFromImage(
    atFileURL fileURL: URL
  ) -> PHAssetCreationRequest? {
    AssetCreationRequest.creationRequestForAssetFromImage(atFileURL: fileURL)
  }
}
