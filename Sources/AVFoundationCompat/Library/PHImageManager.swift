import DNG
public import Foundation
import MediaLibrary
import PictureFiles

/// Which form of an edited photo is asked for.
public enum PHImageRequestOptionsVersion: Int, Sendable, Hashable {
  case current, unadjusted, original
}

/// What matters more, speed or quality.
public enum PHImageRequestOptionsDeliveryMode: Int, Sendable, Hashable {
  case opportunistic, highQualityFormat, fastFormat
}

/// How pictures get another size.
public enum PHImageRequestOptionsResizeMode: Int, Sendable, Hashable {
  case none, fast, exact
}

/// Which form of an edited movie is asked for.
public enum PHVideoRequestOptionsVersion: Int, Sendable, Hashable {
  case current, original
}

/// What matters more in a movie.
public enum PHVideoRequestOptionsDeliveryMode: Int, Sendable, Hashable {
  case automatic, highQualityFormat, mediumQualityFormat, fastFormat
}

/// How a picture lies in the size that is asked for.
public enum PHImageContentMode: Int, Sendable, Hashable {
  /// All of it within the size.
  case aspectFit
  /// The size is covered; what reaches beyond it is not cut off.
  case aspectFill

  /// All of it within the size.
  public static let `default` = PHImageContentMode.aspectFit
}

/// Told how far a request is, from 0 to 1, and why it goes no further; true for its pointer would end it. Here once,
/// with 1.
public typealias PHAssetImageProgressHandler = (
  Double, (any Error)?, UnsafeMutablePointer<ObjCBool>, [AnyHashable: Any]?
) -> Void
/// As ``PHAssetImageProgressHandler``.
public typealias PHAssetVideoProgressHandler = PHAssetImageProgressHandler

/// How a photo is asked for. Of it ``version``, ``normalizedCropRect`` and ``progressHandler`` count.
public final class PHImageRequestOptions {
  /// The photo after an edit, or without it.
  public var version = PHImageRequestOptionsVersion.current
  /// There is one quality. Changes nothing.
  public var deliveryMode = PHImageRequestOptionsDeliveryMode.opportunistic
  /// Data have the size that they have. Changes nothing.
  public var resizeMode = PHImageRequestOptionsResizeMode.fast
  /// Apple's: may be fetched from elsewhere. Everything is here.
  public var isNetworkAccessAllowed = false
  /// The part of a picture that is wanted, from (0, 0) in the upper left corner to (1, 1); empty for all of it.
  public var normalizedCropRect = CGRect.zero
  /// Called with 1 before the answer, where there is a file.
  public var progressHandler: PHAssetImageProgressHandler?
  /// True: the answer comes before the request returns. To set it changes nothing.
  public var isSynchronous: Bool {
    get { true }
    set {}
  }
  /// No options.
  public init() {}
}

/// How a movie is asked for. Of it ``progressHandler`` counts.
public final class PHVideoRequestOptions {
  /// Movies are not edited in place. Changes nothing.
  public var version = PHVideoRequestOptionsVersion.current
  /// There is one quality. Changes nothing.
  public var deliveryMode = PHVideoRequestOptionsDeliveryMode.automatic
  /// Apple's: may be fetched from elsewhere. Everything is here.
  public var isNetworkAccessAllowed = false
  /// Called with 1 before the answer, where there is a file.
  public var progressHandler: PHAssetVideoProgressHandler?
  /// No options.
  public init() {}
}

/// The number of a request.
public typealias PHImageRequestID = Int32
/// The number of no request.
public let PHInvalidImageRequestID: PHImageRequestID = 0
/// In what comes with an answer: the ``PHPhotosError``.
public let PHImageErrorKey = "PHImageErrorKey"
/// In what comes with an answer: true where a better one follows. False here.
public let PHImageResultIsDegradedKey = "PHImageResultIsDegradedKey"
/// In what comes with an answer: true where it would have to be fetched. False here.
public let PHImageResultIsInCloudKey = "PHImageResultIsInCloudKey"
/// In what comes with an answer: the request's number.
public let PHImageResultRequestIDKey = "PHImageResultRequestIDKey"
/// In what comes with an answer: true where the request was cancelled. False here.
public let PHImageCancelledKey = "PHImageCancelledKey"
/// The size of a picture as it is.
public let PHImageManagerMaximumSize = CGSize(width: -1, height: -1)

/// Gives out photos' data, pictures and movies.
///
/// Unchecked: the compiler checks final classes alone. It has no property.
public class PHImageManager: @unchecked Sendable {
  private static let shared = PHImageManager()
  /// One of the program's own.
  public init() {}

  /// The one that all share.
  public static func `default`() -> PHImageManager { shared }

  /// The photo's file, after an edit where there is one, unless the options ask for the original: its bytes, its
  /// uniform type identifier and how it is to be turned, as a JPEG, HEIF, TIFF or DNG file says it. Nil bytes with an error under ``PHImageErrorKey`` for what is no photo or cannot be read. The
  /// answer comes before this returns.
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

  /// As ``requestImageDataAndOrientation(for:options:resultHandler:)``, by an older name.
  @discardableResult
  public func requestImageData(
    for asset: PHAsset, options: PHImageRequestOptions?,
    resultHandler: (Data?, String?, CGImagePropertyOrientation, [AnyHashable: Any]?) -> Void
  ) -> PHImageRequestID {
    requestImageDataAndOrientation(for: asset, options: options, resultHandler: resultHandler)
  }

  /// The movie, to be read; its first part where a take has several. Nil with an error under
  /// ``PHImageErrorKey`` for what is no movie. The answer comes before this returns.
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

  /// An export of the movie, as ``requestAVAsset(forVideo:options:resultHandler:)`` gives it. Nil with an error under
  /// ``PHImageErrorKey`` for what is no movie, and for a preset that is not there.
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

  /// Apple's: there is nothing to cancel.
  public func cancelImageRequest(_ requestID: PHImageRequestID) {}

  /// What comes with an answer.
  static func info(_ error: PHPhotosError? = nil) -> [AnyHashable: Any] {
    var info: [AnyHashable: Any] = [
      PHImageResultIsDegradedKey: false, PHImageResultIsInCloudKey: false,
      PHImageCancelledKey: false, PHImageResultRequestIDKey: PHInvalidImageRequestID,
    ]
    info[PHImageErrorKey] = error
    return info
  }

  /// All is there.
  static func report(_ handler: PHAssetImageProgressHandler?) {
    var stop = ObjCBool(false)
    handler?(1, nil, &stop, nil)
  }
}

/// A manager that could be told which pictures will be asked for. Here each is made when it is asked for.
///
/// Unchecked: the compiler checks no class with a superclass. It adds no stored property.
public final class PHCachingImageManager: PHImageManager, @unchecked Sendable {
  /// False: nothing is kept. To set it changes nothing.
  public var allowsCachingHighQualityImages: Bool {
    get { false }
    set {}
  }
  /// Does nothing.
  public func startCachingImages(
    for assets: [PHAsset], targetSize: CGSize, contentMode: PHImageContentMode,
    options: PHImageRequestOptions?
  ) {}
  /// Does nothing.
  public func stopCachingImages(
    for assets: [PHAsset], targetSize: CGSize, contentMode: PHImageContentMode,
    options: PHImageRequestOptions?
  ) {}
  /// Does nothing.
  public func stopCachingImagesForAllAssets() {}
}

extension PHAsset {
  /// The file of the photo after an edit where there is one, unless the options ask for the original.
  func photo(_ options: PHImageRequestOptions?) -> AssetResource? {
    let files = base.resources
    let edited =
      (options?.version ?? .current) == .current
      ? files.first { $0.type == .fullSizePhoto } : nil
    return edited ?? files.first { $0.type == .photo }
  }

  /// The movie, its first part where a take has several.
  var movie: AVURLAsset? {
    base.resources.first { $0.type == .video }.map { AVURLAsset(url: $0.fileURL) }
  }

  func lacking(_ what: String) -> PHPhotosError {
    PHPhotosError(.missingResource, "\(localIdentifier) has no \(what)")
  }
}
