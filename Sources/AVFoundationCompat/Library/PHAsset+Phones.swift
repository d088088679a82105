import Foundation
public import MediaLibrary

/// Subtypes of photos and videos from phones.
public struct PHAssetMediaSubtype: OptionSet, Sendable, Hashable {
  public let rawValue: UInt
  public init(rawValue: UInt) { self.rawValue = rawValue }
  /// A panorama. Never reported here.
  public static let photoPanorama = Self(rawValue: 1 << 0)
  /// A high dynamic range photo. Never reported here.
  public static let photoHDR = Self(rawValue: 1 << 1)
  /// A screenshot. Never reported here.
  public static let photoScreenshot = Self(rawValue: 1 << 2)
  /// A Live Photo. Never reported here.
  public static let photoLive = Self(rawValue: 1 << 3)
  /// A photo with depth. Never reported here.
  public static let photoDepthEffect = Self(rawValue: 1 << 4)
  /// A spatial photo or video. Never reported here.
  public static let spatialMedia = Self(rawValue: 1 << 10)
  /// A streamed video. Never reported here.
  public static let videoStreamed = Self(rawValue: 1 << 16)
  /// A high frame rate video. Never reported here.
  public static let videoHighFrameRate = Self(rawValue: 1 << 17)
  /// A time-lapse video. Never reported here.
  public static let videoTimelapse = Self(rawValue: 1 << 18)
  /// A Cinematic video, whose focus can be changed. Never reported here.
  public static let videoCinematic = Self(rawValue: 1 << 21)
}

/// Where an asset came from.
public struct PHAssetSourceType: OptionSet, Sendable, Hashable {
  public let rawValue: UInt
  public init(rawValue: UInt) { self.rawValue = rawValue }
  /// The user's library: reported for every asset.
  public static let typeUserLibrary = Self(rawValue: 1 << 0)
  /// A shared album. Never reported here.
  public static let typeCloudShared = Self(rawValue: 1 << 1)
  /// Synced by iTunes. Never reported here.
  public static let typeiTunesSynced = Self(rawValue: 1 << 2)
}

/// Who picked a photo of a burst. Bursts do not exist here.
public struct PHAssetBurstSelectionType: OptionSet, Sendable, Hashable {
  public let rawValue: UInt
  public init(rawValue: UInt) { self.rawValue = rawValue }
  public static let autoPick = Self(rawValue: 1 << 0)
  public static let userPick = Self(rawValue: 1 << 1)
}

/// An operation that an asset may support.
public enum PHAssetEditOperation: Int, Sendable, Hashable {
  case delete = 1
  /// Change its image or video.
  case content = 2
  /// Change its metadata.
  case properties = 3
}

extension PHAsset {
  /// How an asset is played back.
  public enum PlaybackStyle: Int, Sendable, Hashable {
    /// As audio, or not playable.
    case unsupported = 0
    /// As a still image.
    case image = 1
    /// As an animated image. Never reported here.
    case imageAnimated = 2
    /// As a Live Photo. Never reported here.
    case livePhoto = 3
    case video = 4
    /// As a looping video. Never reported here.
    case videoLooping = 5
  }

  /// Always empty.
  public var mediaSubtypes: PHAssetMediaSubtype { [] }
  public var sourceType: PHAssetSourceType { .typeUserLibrary }
  /// Where it was recorded, as a `GeographicLocation` in place of `CLLocation`.
  public var location: GeographicLocation? { base.location }
  /// The value for a key that predicates may use, or the main file's name for `filename`; nil for an unknown key.
  public func value(forKey key: String) -> Any? {
    key == "filename" ? base.resources.first?.originalFilename : value(key)
  }
  /// False: assets cannot be hidden here.
  public var isHidden: Bool { false }
  /// False: bursts do not exist here.
  public var representsBurst: Bool { false }
  /// Nil: bursts do not exist here.
  public var burstIdentifier: String? { nil }
  /// Empty: bursts do not exist here.
  public var burstSelectionTypes: PHAssetBurstSelectionType { [] }
  public var playbackStyle: PlaybackStyle {
    switch mediaType {
    case .image: .image
    case .video: .video
    default: .unsupported
    }
  }
  /// True, except for the content of an asset that is not a photo.
  public func canPerform(_ editOperation: PHAssetEditOperation) -> Bool {
    editOperation != .content || mediaType == .image
  }
}

extension AssetChangeRequest {
  /// Nil: new assets are requested with ``PHAssetCreationRequest``, which has a placeholder.
  public var placeholderForCreatedAsset: PHObjectPlaceholder? { nil }
  /// False: assets cannot be hidden here. Setting it has no effect.
  public var isHidden: Bool {
    get { false }
    set {}
  }
}

extension PHFetchOptions {
  /// The user's library. Setting it has no effect.
  public var includeAssetSourceTypes: PHAssetSourceType {
    get { .typeUserLibrary }
    set {}
  }
}

extension PHFetchResult where ObjectType: PHObject {
  /// The first index of an object with the same identifier; `NSNotFound` if there is none.
  public func index(of anObject: ObjectType) -> Int {
    (0..<count).first { object(at: $0).localIdentifier == anObject.localIdentifier } ?? NSNotFound
  }
  /// True if the result contains an object with the same identifier.
  public func contains(_ anObject: ObjectType) -> Bool { index(of: anObject) != NSNotFound }
}

extension PHFetchResult where ObjectType == PHAsset {
  public func countOfAssets(with mediaType: PHAssetMediaType) -> Int {
    (0..<count).count { object(at: $0).mediaType == mediaType }
  }
}

/// A geographic coordinate in degrees.
public struct CLLocationCoordinate2D: Sendable, Hashable {
  /// Degrees north.
  public var latitude: Double
  /// Degrees east.
  public var longitude: Double

  public init(latitude: Double, longitude: Double) {
    self.latitude = latitude
    self.longitude = longitude
  }
}

extension GeographicLocation {
  /// The coordinate, without the altitude.
  public var coordinate: CLLocationCoordinate2D {
    CLLocationCoordinate2D(latitude: latitude, longitude: longitude)
  }
  /// -1: unknown, as in Core Location.
  public var horizontalAccuracy: Double { -1 }
  /// -1: unknown, as in Core Location.
  public var verticalAccuracy: Double { -1 }
  /// -1: unknown, as in Core Location.
  public var speed: Double { -1 }
  /// -1: unknown, as in Core Location.
  public var course: Double { -1 }
}
