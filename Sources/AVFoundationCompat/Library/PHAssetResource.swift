public import Foundation
public import MediaLibrary

/// A file of an asset.
public typealias PHAssetResource = AssetResource
/// The role of a file in its asset.
public typealias PHAssetResourceType = AssetResourceType
/// Delivers the data of resources.
public typealias PHAssetResourceManager = AssetResourceManager

extension AssetResource {
  /// The files of an asset, the main one first.
  public static func assetResources(for asset: PHAsset) -> [PHAssetResource] {
    asset.base.resources
  }

  /// Its type; `data` if the identifier is unknown.
  public var contentType: UTType { UTType(uniformTypeIdentifier) ?? .data }
  /// Width in pixels, read from the file; 0 for audio, data and unreadable files.
  public var pixelWidth: Int { pixelSize.width }
  /// Height in pixels, read from the file; 0 for audio, data and unreadable files.
  public var pixelHeight: Int { pixelSize.height }
}

/// How a resource's data are requested.
public final class PHAssetResourceRequestOptions {
  /// Called with the progress, from 0 to 1.
  public var progressHandler: (@Sendable (Double) -> Void)?
  /// No effect: all files are local.
  public var isNetworkAccessAllowed = false

  public init() {}

  fileprivate var base: AssetResourceRequestOptions {
    var options = AssetResourceRequestOptions()
    options.progressHandler = progressHandler
    options.isNetworkAccessAllowed = isNetworkAccessAllowed
    return options
  }
}

extension AssetResourceManager {
  /// Delivers the data of a resource in consecutive pieces, then calls the completion handler. The error is a
  /// ``PHPhotosError``.
  public func requestData(
    for resource: PHAssetResource, options: PHAssetResourceRequestOptions?,
    dataReceivedHandler handler: @escaping @Sendable (Data) -> Void,
    completionHandler: @escaping @Sendable ((any Error)?) -> Void
  ) {
    requestData(
      for: resource, options: options?.base, dataReceivedHandler: handler,
      completionHandler: { (error: MediaLibraryError?) in
        completionHandler(error.map { PHPhotosError($0) })
      })
  }

  /// Writes a resource to a new file and verifies it. The error is a ``PHPhotosError``.
  public func writeData(
    for resource: PHAssetResource, toFile fileURL: URL, options: PHAssetResourceRequestOptions?,
    completionHandler: @escaping @Sendable ((any Error)?) -> Void
  ) {
    writeData(
      for: resource, toFile: fileURL, options: options?.base,
      completionHandler: { (error: MediaLibraryError?) in
        completionHandler(error.map { PHPhotosError($0) })
      })
  }

  /// Writes a resource to a new file and verifies it.
  ///
  /// - Throws: ``PHPhotosError``; no file is left then.
  public func writeData(
    for resource: PHAssetResource, toFile fileURL: URL, options: PHAssetResourceRequestOptions?
  ) async throws {
    let native = options?.base ?? AssetResourceRequestOptions()
    do throws(MediaLibraryError) {
      try await writeData(for: resource, toFile: fileURL, options: native)
    } catch { throw PHPhotosError(error) }
  }
}
