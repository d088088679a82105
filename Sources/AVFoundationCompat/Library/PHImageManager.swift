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

/// How a photo's data are asked for. Nothing of it changes what comes, but for ``version``.
public final class PHImageRequestOptions {
  /// The photo after an edit, or without it.
  public var version = PHImageRequestOptionsVersion.current
  /// There is one quality. Changes nothing.
  public var deliveryMode = PHImageRequestOptionsDeliveryMode.opportunistic
  /// Data have the size that they have. Changes nothing.
  public var resizeMode = PHImageRequestOptionsResizeMode.fast
  /// Apple's: may be fetched from elsewhere. Everything is here.
  public var isNetworkAccessAllowed = false
  /// True: the answer comes before the request returns. To set it changes nothing.
  public var isSynchronous: Bool {
    get { true }
    set {}
  }
  /// No options.
  public init() {}
}

/// How a movie is asked for. Nothing of it changes what comes.
public final class PHVideoRequestOptions {
  /// Movies are not edited in place. Changes nothing.
  public var version = PHVideoRequestOptionsVersion.current
  /// There is one quality. Changes nothing.
  public var deliveryMode = PHVideoRequestOptionsDeliveryMode.automatic
  /// Apple's: may be fetched from elsewhere. Everything is here.
  public var isNetworkAccessAllowed = false
  /// No options.
  public init() {}
}

/// The number of a request.
public typealias PHImageRequestID = Int32
/// The number of no request.
public let PHInvalidImageRequestID: PHImageRequestID = 0
/// In what comes with an answer: the ``PHPhotosError``.
public let PHImageErrorKey = "PHImageErrorKey"

/// Gives out photos' data and movies. It makes no pictures for screens: `previews` of the library does.
public final class PHImageManager: Sendable {
  private static let shared = PHImageManager()
  private init() {}

  /// The one that there is.
  public static func `default`() -> PHImageManager { shared }

  /// The photo's file, after an edit where there is one, unless the options ask for the original: its bytes, its
  /// uniform type identifier and how it is to be turned, as a JPEG, HEIF, TIFF or DNG file says it. Nil bytes with an error under ``PHImageErrorKey`` for what is no photo or cannot be read. The
  /// answer comes before this returns.
  @discardableResult
  public func requestImageDataAndOrientation(
    for asset: PHAsset, options: PHImageRequestOptions?,
    resultHandler: (Data?, String?, CGImagePropertyOrientation, [AnyHashable: Any]?) -> Void
  ) -> PHImageRequestID {
    let files = asset.base.resources
    let edited =
      (options?.version ?? .current) == .current
      ? files.first { $0.type == .fullSizePhoto } : nil
    let file = edited ?? files.first { $0.type == .photo }
    guard let file else {
      let error = PHPhotosError(.missingResource, "\(asset.localIdentifier) has no photo")
      resultHandler(nil, nil, .up, [PHImageErrorKey: error])
      return PHInvalidImageRequestID
    }
    do {
      let data = try Data(contentsOf: file.fileURL)
      let orientation = PhotoMetadata.Orientation(ofFile: [UInt8](data))
      resultHandler(data, file.uniformTypeIdentifier, CGImagePropertyOrientation(orientation), [:])
    } catch {
      let failure = PHPhotosError(
        .missingResource, "\(file.fileURL.path): \(error.localizedDescription)")
      resultHandler(nil, nil, .up, [PHImageErrorKey: failure])
    }
    return PHInvalidImageRequestID
  }

  /// The movie, to be read; its first part where a take has several. Nil with an error under
  /// ``PHImageErrorKey`` for what is no movie. The answer comes before this returns.
  @discardableResult
  public func requestAVAsset(
    forVideo asset: PHAsset, options: PHVideoRequestOptions?,
    resultHandler: (AVAsset?, AVAudioMix?, [AnyHashable: Any]?) -> Void
  ) -> PHImageRequestID {
    if let file = asset.base.resources.first(where: { $0.type == .video }) {
      resultHandler(AVURLAsset(url: file.fileURL), nil, [:])
    } else {
      let error = PHPhotosError(.missingResource, "\(asset.localIdentifier) has no movie")
      resultHandler(nil, nil, [PHImageErrorKey: error])
    }
    return PHInvalidImageRequestID
  }

  /// Apple's: there is nothing to cancel.
  public func cancelImageRequest(_ requestID: PHImageRequestID) {}
}
