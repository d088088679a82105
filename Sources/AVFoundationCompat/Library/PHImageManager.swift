import DNG
public import Foundation
import ImageFiles
import MediaLibrary

/// Which version of an edited photo is requested.
public enum PHImageRequestOptionsVersion: Int, Sendable, Hashable {
  case current, unadjusted, original
}

/// Whether speed or quality matters more.
public enum PHImageRequestOptionsDeliveryMode: Int, Sendable, Hashable {
  case opportunistic, highQualityFormat, fastFormat
}

/// How images are resized.
public enum PHImageRequestOptionsResizeMode: Int, Sendable, Hashable {
  case none, fast, exact
}

/// Which version of an edited video is requested.
public enum PHVideoRequestOptionsVersion: Int, Sendable, Hashable {
  case current, original
}

/// What matters more when a video is delivered.
public enum PHVideoRequestOptionsDeliveryMode: Int, Sendable, Hashable {
  case automatic, highQualityFormat, mediumQualityFormat, fastFormat
}

/// How an image is placed in the requested size.
public enum PHImageContentMode: Int, Sendable, Hashable {
  /// The whole image fits into the size.
  case aspectFit
  /// The image fills the size. What extends beyond it is not cropped.
  case aspectFill

  /// Same as ``aspectFit``.
  public static let `default` = PHImageContentMode.aspectFit
}

/// Called with the progress of a request, from 0 to 1, and its error; setting the pointer to true would cancel it.
/// Called once here, with 1.
public typealias PHAssetImageProgressHandler = (
  Double, (any Error)?, UnsafeMutablePointer<ObjCBool>, [AnyHashable: Any]?
) -> Void
/// Same as ``PHAssetImageProgressHandler``.
public typealias PHAssetVideoProgressHandler = PHAssetImageProgressHandler

/// How a photo is requested. Only ``version``, ``normalizedCropRect`` and ``progressHandler`` have an effect.
public final class PHImageRequestOptions {
  /// With or without the edit.
  public var version = PHImageRequestOptionsVersion.current
  /// No effect: there is one quality.
  public var deliveryMode = PHImageRequestOptionsDeliveryMode.opportunistic
  /// No effect: images are always resized in the same way.
  public var resizeMode = PHImageRequestOptionsResizeMode.fast
  /// No effect: all files are local.
  public var isNetworkAccessAllowed = false
  /// The part of the image, from (0, 0) in the upper left corner to (1, 1); empty for the whole image.
  public var normalizedCropRect = CGRect.zero
  /// Called with 1 before the result handler, if the file exists.
  public var progressHandler: PHAssetImageProgressHandler?
  /// True: the result handler is called before the request returns. Setting it has no effect.
  public var isSynchronous: Bool {
    get { true }
    set {}
  }
  public init() {}
}

/// How a video is requested. Only ``progressHandler`` has an effect.
public final class PHVideoRequestOptions {
  /// No effect: videos are not edited in place.
  public var version = PHVideoRequestOptionsVersion.current
  /// No effect: there is one quality.
  public var deliveryMode = PHVideoRequestOptionsDeliveryMode.automatic
  /// No effect: all files are local.
  public var isNetworkAccessAllowed = false
  /// Called with 1 before the result handler, if the file exists.
  public var progressHandler: PHAssetVideoProgressHandler?
  public init() {}
}

/// The number of an image request.
public typealias PHImageRequestID = Int32
/// Not the number of any request.
public let PHInvalidImageRequestID: PHImageRequestID = 0
/// Key in a result's info: the ``PHPhotosError``.
public let PHImageErrorKey = "PHImageErrorKey"
/// Key in a result's info: true if a better result follows. False here.
public let PHImageResultIsDegradedKey = "PHImageResultIsDegradedKey"
/// Key in a result's info: true if the asset would have to be downloaded. False here.
public let PHImageResultIsInCloudKey = "PHImageResultIsInCloudKey"
/// Key in a result's info: the request's number.
public let PHImageResultRequestIDKey = "PHImageResultRequestIDKey"
/// Key in a result's info: true if the request was cancelled. False here.
public let PHImageCancelledKey = "PHImageCancelledKey"
/// Requests the original size.
public let PHImageManagerMaximumSize = CGSize(width: -1, height: -1)

/// Delivers photos' data, images and videos.
///
/// Unchecked: the compiler verifies only final classes. This one has no stored property.
public class PHImageManager: @unchecked Sendable {
  private static let shared = PHImageManager()
  public init() {}

  /// The shared manager.
  public static func `default`() -> PHImageManager { shared }

  /// The photo's file: its bytes, uniform type identifier and orientation, as stored in a JPEG, HEIF, TIFF or DNG
  /// file. An edited photo is preferred, unless the options ask for the original. The bytes are nil, with an error
  /// under ``PHImageErrorKey``, if the asset is not a photo or cannot be read. The handler is called before this
  /// returns.
  @discardableResult
  public func requestImageDataAndOrientation(
    for asset: PHAsset, options: PHImageRequestOptions?,
    resultHandler: (Data?, String?, CGImagePropertyOrientation, [AnyHashable: Any]?) -> Void
  ) -> PHImageRequestID {
    guard let file = asset.photo(options) else {
      resultHandler(nil, nil, .up, Self.info(asset.lacking("photo")))
      return PHInvalidImageRequestID
    }
    do {
      let data = try Data(contentsOf: file.fileURL)
      let orientation = PhotoMetadata.Orientation(ofFile: [UInt8](data))
      Self.report(options?.progressHandler)
      resultHandler(
        data, file.uniformTypeIdentifier, CGImagePropertyOrientation(orientation), Self.info())
    } catch {
      let failure = PHPhotosError(
        .missingResource, "\(file.fileURL.path): \(error.localizedDescription)")
      resultHandler(nil, nil, .up, Self.info(failure))
    }
    return PHInvalidImageRequestID
  }

  /// Older name of ``requestImageDataAndOrientation(for:options:resultHandler:)``.
  @discardableResult
  public func requestImageData(
    for asset: PHAsset, options: PHImageRequestOptions?,
    resultHandler: (Data?, String?, CGImagePropertyOrientation, [AnyHashable: Any]?) -> Void
  ) -> PHImageRequestID {
    requestImageDataAndOrientation(for: asset, options: options, resultHandler: resultHandler)
  }

  /// The video as an asset to read; the first part of a take that has several. Nil, with an error under
  /// ``PHImageErrorKey``, if the asset is not a video. The handler is called before this returns.
  @discardableResult
  public func requestAVAsset(
    forVideo asset: PHAsset, options: PHVideoRequestOptions?,
    resultHandler: (AVAsset?, AVAudioMix?, [AnyHashable: Any]?) -> Void
  ) -> PHImageRequestID {
    guard let movie = asset.movie else {
      resultHandler(nil, nil, Self.info(asset.lacking("movie")))
      return PHInvalidImageRequestID
    }
    Self.report(options?.progressHandler)
    resultHandler(movie, nil, Self.info())
    return PHInvalidImageRequestID
  }

  /// An export session for the video that ``requestAVAsset(forVideo:options:resultHandler:)`` returns. Nil, with an
  /// error under ``PHImageErrorKey``, if the asset is not a video or the preset is unknown.
  @discardableResult
  public func requestExportSession(
    forVideo asset: PHAsset, options: PHVideoRequestOptions?, exportPreset: String,
    resultHandler: (AVAssetExportSession?, [AnyHashable: Any]?) -> Void
  ) -> PHImageRequestID {
    requestAVAsset(forVideo: asset, options: options) { movie, _, info in
      guard let movie else { return resultHandler(nil, info) }
      guard let session = AVAssetExportSession(asset: movie, presetName: exportPreset) else {
        let error = PHPhotosError(.internalError, "unknown export preset \(exportPreset)")
        return resultHandler(nil, Self.info(error))
      }
      resultHandler(session, info)
    }
  }

  /// No effect: there is never a pending request.
  public func cancelImageRequest(_ requestID: PHImageRequestID) {}

  static func info(_ error: PHPhotosError? = nil) -> [AnyHashable: Any] {
    var info: [AnyHashable: Any] = [
      PHImageResultIsDegradedKey: false, PHImageResultIsInCloudKey: false,
      PHImageCancelledKey: false, PHImageResultRequestIDKey: PHInvalidImageRequestID,
    ]
    info[PHImageErrorKey] = error
    return info
  }

  /// Reports the request as complete.
  static func report(_ handler: PHAssetImageProgressHandler?) {
    var stop = ObjCBool(false)
    handler?(1, nil, &stop, nil)
  }
}

/// A manager that can cache images ahead of requests. Here nothing is cached.
///
/// Unchecked: the compiler does not verify subclasses. This one adds no stored property.
public final class PHCachingImageManager: PHImageManager, @unchecked Sendable {
  /// False: nothing is cached. Setting it has no effect.
  public var allowsCachingHighQualityImages: Bool {
    get { false }
    set {}
  }
  /// No effect.
  public func startCachingImages(
    for assets: [PHAsset], targetSize: CGSize, contentMode: PHImageContentMode,
    options: PHImageRequestOptions?
  ) {}
  /// No effect.
  public func stopCachingImages(
    for assets: [PHAsset], targetSize: CGSize, contentMode: PHImageContentMode,
    options: PHImageRequestOptions?
  ) {}
  /// No effect.
  public func stopCachingImagesForAllAssets() {}
}

extension PHAsset {
  /// The photo's file: the edited one if there is one, unless the options ask for the original.
  func photo(_ options: PHImageRequestOptions?) -> AssetResource? {
    let files = base.resources
    let edited =
      (options?.version ?? .current) == .current
      ? files.first { $0.type == .fullSizePhoto } : nil
    return edited ?? files.first { $0.type == .photo }
  }

  /// The video; the first part of a take that has several.
  var movie: AVURLAsset? {
    base.resources.first { $0.type == .video }.map { AVURLAsset(url: $0.fileURL) }
  }

  func lacking(_ what: String) -> PHPhotosError {
    PHPhotosError(.missingResource, "\(localIdentifier) has no \(what)")
  }
}
