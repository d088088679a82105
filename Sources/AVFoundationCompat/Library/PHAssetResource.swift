public import Foundation
public import MediaLibrary

/// A file of an asset.
public typealias PHAssetResource = AssetResource
/// What a file is to its asset.
public typealias PHAssetResourceType = AssetResourceType
/// Gives out the data of resources.
public typealias PHAssetResourceManager = AssetResourceManager

extension AssetResource {
  /// The files of an asset, the main one first.
  public static func assetResources(for asset: PHAsset) -> [PHAssetResource] {
    asset.base.resources
  }

  /// What kind of file it is; `data` for one that is not known here.
  public var contentType: UTType { UTType(uniformTypeIdentifier) ?? .data }
  /// Pixels in a row, as the file says, which is looked at; 0 for sound and data, and for what cannot be read.
  public var pixelWidth: Int { pixelSize.width }
  /// Rows, as the file says, which is looked at; 0 for sound and data, and for what cannot be read.
  public var pixelHeight: Int { pixelSize.height }
}

/// How a resource's data are asked for.
public final class PHAssetResourceRequestOptions {
  /// Told how far it is, from 0 to 1.
  public var progressHandler: (@Sendable (Double) -> Void)?
  /// Apple's: may be fetched from elsewhere. Everything is here.
  public var isNetworkAccessAllowed = false

  /// No options.
  public init() {}

  fileprivate var base: AssetResourceRequestOptions {
    var options = AssetResourceRequestOptions()
    options.progressHandler = progressHandler
    options.isNetworkAccessAllowed = isNetworkAccessAllowed
    return options
  }
}

extension AssetResourceManager {
  /// The data of a resource a piece at a time, in order, then the end; the error is a
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

  /// Writes a resource to a new file, and verifies what was written; the error is a
  /// ``PHPhotosError``.
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

  /// Writes a resource to a new file, and verifies what was written.
  ///
  /// - Throws: ``PHPhotosError``; then there is no file.
  public func writeData(
    for resource: PHAssetResource, toFile fileURL: URL, options: PHAssetResourceRequestOptions?
  ) async throws {
    let native = options?.base ?? AssetResourceRequestOptions()
    do throws(MediaLibraryError) {
      try await writeData(for: resource, toFile: fileURL, options: native)
    } catch { throw PHPhotosError(error) }
  }
}
