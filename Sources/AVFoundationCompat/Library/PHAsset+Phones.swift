import Foundation
public import MediaLibrary

/// What a phone's photo is besides.
public struct PHAssetMediaSubtype: OptionSet, Sendable, Hashable {
  /// The bits, as Apple's.
  public let rawValue: UInt
  /// Kinds from their bits.
  public init(rawValue: UInt) { self.rawValue = rawValue }
  /// A panorama. Not told here.
  public static let photoPanorama = Self(rawValue: 1 << 0)
  /// A high dynamic range photo of a phone. Not told here.
  public static let photoHDR = Self(rawValue: 1 << 1)
  /// A picture of a screen. Not told here.
  public static let photoScreenshot = Self(rawValue: 1 << 2)
  /// A photo with a movie. There are none here.
  public static let photoLive = Self(rawValue: 1 << 3)
  /// A photo with depth. Not told here.
  public static let photoDepthEffect = Self(rawValue: 1 << 4)
  /// A photo or a movie for two eyes. Not told here.
  public static let spatialMedia = Self(rawValue: 1 << 10)
  /// A movie that is read from a network. There are none here.
  public static let videoStreamed = Self(rawValue: 1 << 16)
  /// A movie of more frames a second than it is shown with. Not told here.
  public static let videoHighFrameRate = Self(rawValue: 1 << 17)
  /// A movie in time lapse. Not told here.
  public static let videoTimelapse = Self(rawValue: 1 << 18)
  /// A movie whose focus can be changed. Not told here.
  public static let videoCinematic = Self(rawValue: 1 << 21)
}

/// Where an asset came from.
public struct PHAssetSourceType: OptionSet, Sendable, Hashable {
  /// The bits, as Apple's.
  public let rawValue: UInt
  /// Sources from their bits.
  public init(rawValue: UInt) { self.rawValue = rawValue }
  /// The user's library: all assets.
  public static let typeUserLibrary = Self(rawValue: 1 << 0)
  /// A shared album. There are none here.
  public static let typeCloudShared = Self(rawValue: 1 << 1)
  /// Another program's library. There are none here.
  public static let typeiTunesSynced = Self(rawValue: 1 << 2)
}

/// Who chose a photo of a burst. There are no bursts here.
public struct PHAssetBurstSelectionType: OptionSet, Sendable, Hashable {
  /// The bits, as Apple's.
  public let rawValue: UInt
  /// Choices from their bits.
  public init(rawValue: UInt) { self.rawValue = rawValue }
  /// The phone.
  public static let autoPick = Self(rawValue: 1 << 0)
  /// The user.
  public static let userPick = Self(rawValue: 1 << 1)
}

/// What can be done to an asset.
public enum PHAssetEditOperation: Int, Sendable, Hashable {
  /// It is deleted.
  case delete = 1
  /// Its picture changes.
  case content = 2
  /// What is known of it changes.
  case properties = 3
}

extension PHAsset {
  /// How an asset is shown.
  public enum PlaybackStyle: Int, Sendable, Hashable {
    /// As sound, or not known.
    case unsupported = 0
    /// As a picture.
    case image = 1
    /// As a picture that moves. There are none here.
    case imageAnimated = 2
    /// As a photo with a movie. There are none here.
    case livePhoto = 3
    /// As a movie.
    case video = 4
    /// As a movie again and again. There are none here.
    case videoLooping = 5
  }

  /// None of them is told here.
  public var mediaSubtypes: PHAssetMediaSubtype { [] }
  /// The user's library.
  public var sourceType: PHAssetSourceType { .typeUserLibrary }
  /// Where it was made: a `GeographicLocation` in place of `CLLocation`.
  public var location: GeographicLocation? { base.location }
  /// A value by its key, as predicates name it, and the main file's name by `filename`; nil for another
  /// key.
  public func value(forKey key: String) -> Any? {
    key == "filename" ? base.resources.first?.originalFilename : value(key)
  }
  /// False: no asset here is hidden.
  public var isHidden: Bool { false }
  /// False: there are no bursts here.
  public var representsBurst: Bool { false }
  /// Nil: there are no bursts here.
  public var burstIdentifier: String? { nil }
  /// None: there are no bursts here.
  public var burstSelectionTypes: PHAssetBurstSelectionType { [] }
  /// How it is shown.
  public var playbackStyle: PlaybackStyle {
    switch mediaType {
    case .image: .image
    case .video: .video
    default: .unsupported
    }
  }
  /// True, but for the content of what is no photo.
  public func canPerform(_ editOperation: PHAssetEditOperation) -> Bool {
    editOperation != .content || mediaType == .image
  }
}

extension AssetChangeRequest {
  /// Nil: requests for assets that are made are ``PHAssetCreationRequest``, which have one.
  public var placeholderForCreatedAsset: PHObjectPlaceholder? { nil }
  /// False: no asset here is hidden. To set it changes nothing.
  public var isHidden: Bool {
    get { false }
    set {}
  }
}

extension PHFetchOptions {
  /// The user's library. To set it changes nothing.
  public var includeAssetSourceTypes: PHAssetSourceType {
    get { .typeUserLibrary }
    set {}
  }
}

extension PHFetchResult where ObjectType: PHObject {
  /// The first place of an object with the same identifier; `NSNotFound` where there is none.
  public func index(of anObject: ObjectType) -> Int {
    (0..<count).first { object(at: $0).localIdentifier == anObject.localIdentifier } ?? NSNotFound
  }
  /// True where there is an object with the same identifier.
  public func contains(_ anObject: ObjectType) -> Bool { index(of: anObject) != NSNotFound }
}

extension PHFetchResult where ObjectType == PHAsset {
  /// How many of the assets are of a kind.
  public func countOfAssets(with mediaType: PHAssetMediaType) -> Int {
    (0..<count).count { object(at: $0).mediaType == mediaType }
  }
}

/// A place in degrees.
public struct CLLocationCoordinate2D: Sendable, Hashable {
  /// Degrees north.
  public var latitude: Double
  /// Degrees east.
  public var longitude: Double

  /// A place.
  public init(latitude: Double, longitude: Double) {
    self.latitude = latitude
    self.longitude = longitude
  }
}

extension GeographicLocation {
  /// The place without its height.
  public var coordinate: CLLocationCoordinate2D {
    CLLocationCoordinate2D(latitude: latitude, longitude: longitude)
  }
  /// -1, as Core Location's that are not known.
  public var horizontalAccuracy: Double { -1 }
  /// -1, as Core Location's that are not known.
  public var verticalAccuracy: Double { -1 }
  /// -1, as Core Location's that are not known.
  public var speed: Double { -1 }
  /// -1, as Core Location's that are not known.
  public var course: Double { -1 }
}
