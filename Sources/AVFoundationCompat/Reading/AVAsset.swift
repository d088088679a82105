import AssetReader
public import Foundation
public import MediaCore
import QuickTime
import Synchronization

/// Has no effect: durations are always exact.
public let AVURLAssetPreferPreciseDurationAndTimingKey =
  "AVURLAssetPreferPreciseDurationAndTimingKey"

/// Has no effect: the file type is detected from the contents.
public let AVURLAssetOverrideMIMETypeKey = "AVURLAssetOverrideMIMETypeKey"

/// Whether a property is available without waiting.
public enum AVKeyValueStatus: Int, Sendable, Hashable {
  case unknown, loading, loaded, failed, cancelled
}

/// A movie or audio file in any container and codec of libavformat and libavcodec.
///
/// The file is opened on first use. If it cannot be read, properties that do not throw are empty, and ``load(_:)``
/// throws the reason.
///
/// Unchecked: the compiler verifies only final classes. The stored properties are a `let` of a `Sendable` type and a
/// `Mutex`.
public class AVAsset: AVAsynchronousKeyValueLoading, @unchecked Sendable {
  /// What is known once the file was opened.
  struct Contents: Sendable {
    /// The video and audio tracks, in file order.
    var tracks: [AVAssetTrack]
    /// The timecode and timed metadata tracks.
    var dataTracks: [AVAssetTrack] = []
    var duration: CMTime
    var metadata: [AVMetadataItem]
    /// Where a QuickTime movie's samples are; nil for another container.
    var index: MovieIndex?
    /// In time order.
    var chapters: [AssetChapter] = []

    /// All tracks, in file order.
    var allTracks: [AVAssetTrack] {
      dataTracks.isEmpty ? tracks : (tracks + dataTracks).sorted { $0.trackID < $1.trackID }
    }
  }

  /// The file; nil for a composition, which consists of other files.
  let location: AssetLocation?
  private let opened = Mutex<Result<Contents, AVError>?>(nil)

  public convenience init(url: URL) { self.init(location: AssetLocation(path: url.path)) }

  init(location: AssetLocation?) { self.location = location }

  /// The data of a movie held in memory; nil for a file.
  var bytes: MovieBytes? { nil }

  /// The name used in messages.
  var displayName: String { location?.displayName ?? "the composition" }

  /// A copy that later changes do not affect. A file's asset returns itself.
  func snapshot() -> AVAsset { self }

  /// The file's contents. The file is opened by the first call.
  func contents() throws(AVError) -> Contents {
    try opened.withLock { result in
      let known = result ?? Result { () throws(AVError) in try open() }
      result = known
      return known
    }.get()
  }

  /// Opens the file again, to find what was added to it.
  ///
  /// - Returns: The contents before, nil if the file was never opened, and now; nil if the file cannot be read now,
  ///   in which case the contents are unchanged.
  func reopen() -> (before: Contents?, now: Contents)? {
    guard let now = try? open() else { return nil }
    return opened.withLock { result in
      defer { result = .success(now) }
      return (try? result?.get(), now)
    }
  }

  private func open() throws(AVError) -> Contents {
    guard let location else { throw AVError(.operationNotAllowed, "\(displayName) is not a file") }
    do throws(AssetReaderError) {
      let reader = try AssetReader(location)
      let index = try? MovieIndex(path: location.path)
      let tracks = reader.tracks.map { makeTrack($0, hasIndex: index != nil) }
      let dataTracks = (index?.tracks ?? []).enumerated().compactMap { place, track in
        AssetTrack(track, at: place).map { makeTrack($0, hasIndex: false) }
      }
      let metadata =
        index.map { AVMetadataItem.items($0.metadata) } ?? AVMetadataItem.items(reader.metadata)
      return Contents(
        tracks: tracks, dataTracks: dataTracks, duration: reader.duration, metadata: metadata,
        index: index, chapters: reader.contents.chapters)
    } catch { throw AVError(error) }
  }

  func makeTrack(_ facts: AssetTrack, hasIndex: Bool) -> AVAssetTrack {
    AVAssetTrack(facts, of: self, hasIndex: hasIndex)
  }

  // MARK: Properties

  /// The duration of the longest track; invalid if the file does not give it.
  public var duration: CMTime { (try? contents())?.duration ?? .invalid }
  /// The video and audio tracks, and a QuickTime movie's timecode and timed metadata tracks, in file order.
  public var tracks: [AVAssetTrack] { (try? contents())?.allTracks ?? [] }
  /// The file's metadata.
  public var metadata: [AVMetadataItem] { (try? contents())?.metadata ?? [] }
  /// The metadata with keys common to all containers.
  public var commonMetadata: [AVMetadataItem] { metadata.filter { $0.commonKey != nil } }
  /// When it was created; nil if the file does not say.
  public var creationDate: AVMetadataItem? {
    metadata.first { $0.commonKey == .commonKeyCreationDate }
  }
  /// The formats of the metadata: that of QuickTime's `moov/meta`.
  public var availableMetadataFormats: [AVMetadataFormat] {
    metadata.isEmpty ? [] : [.quickTimeMetadata]
  }
  /// The rate at which players play a QuickTime movie; 1 is as recorded.
  public var preferredRate: Float { (try? contents())?.index?.preferredRate ?? 1 }
  /// The volume at which players play a QuickTime movie; 1 is as recorded.
  public var preferredVolume: Float { (try? contents())?.index?.preferredVolume ?? 1 }
  /// The transform of the first video track.
  public var preferredTransform: CGAffineTransform {
    tracks(withMediaType: .video).first?.preferredTransform ?? .identity
  }
  /// True if the file has video or audio that can be read.
  public var isReadable: Bool { (try? contents())?.tracks.isEmpty == false }
  /// True if the file has a track that can be decoded.
  public var isPlayable: Bool { isReadable }
  /// True if the file has video or audio to export.
  public var isExportable: Bool { isReadable }
  /// True if the file has a track that a composition can use.
  public var isComposable: Bool { isReadable }
  /// False: protected content cannot be read.
  public var hasProtectedContent: Bool { false }

  @_disfavoredOverload  // A mutable composition's method returns mutable tracks.
  public func tracks(withMediaType mediaType: AVMediaType) -> [AVAssetTrack] {
    tracks.filter { $0.mediaType == mediaType }
  }

  @_disfavoredOverload  // A mutable movie's method returns mutable tracks.
  public func tracks(
    withMediaCharacteristic mediaCharacteristic: AVMediaCharacteristic
  ) -> [AVAssetTrack] {
    tracks.filter { $0.hasMediaCharacteristic(mediaCharacteristic) }
  }

  /// The track with an ID; nil if there is none.
  public func track(withTrackID trackID: CMPersistentTrackID) -> AVAssetTrack? {
    tracks.first { $0.trackID == trackID }
  }

  /// The metadata in a format.
  public func metadata(forFormat format: AVMetadataFormat) -> [AVMetadataItem] {
    format == .quickTimeMetadata ? metadata : []
  }

  /// The tracks of a media type.
  ///
  /// - Throws: ``AVError`` if the file cannot be read.
  public func loadTracks(withMediaType mediaType: AVMediaType) async throws -> [AVAssetTrack] {
    try await loaded { asset throws(AVError) in
      try asset.contents().allTracks.filter { $0.mediaType == mediaType }
    }
  }

  /// The tracks with a characteristic.
  ///
  /// - Throws: ``AVError`` if the file cannot be read.
  public func loadTracks(
    withMediaCharacteristic mediaCharacteristic: AVMediaCharacteristic
  ) async throws -> [AVAssetTrack] {
    try await loaded { asset throws(AVError) in
      try asset.contents().allTracks.filter { $0.hasMediaCharacteristic(mediaCharacteristic) }
    }
  }

  /// The track with an ID; nil if there is none.
  ///
  /// - Throws: ``AVError`` if the file cannot be read.
  public func loadTrack(withTrackID trackID: CMPersistentTrackID) async throws -> AVAssetTrack? {
    try await loaded { asset throws(AVError) in
      try asset.contents().allTracks.first { $0.trackID == trackID }
    }
  }

  /// Passes the tracks of a media type to the handler, or nil and an ``AVError`` if the file cannot be read.
  public func loadTracks(
    withMediaType mediaType: AVMediaType,
    completionHandler: @escaping @Sendable ([AVAssetTrack]?, (any Error)?) -> Void
  ) {
    Task {
      do {
        completionHandler(try await loadTracks(withMediaType: mediaType), nil)
      } catch { completionHandler(nil, error) }
    }
  }

  /// Passes the track with an ID to the handler: nil if there is none, or nil and an ``AVError`` if the file cannot
  /// be read.
  public func loadTrack(
    withTrackID trackID: CMPersistentTrackID,
    completionHandler: @escaping @Sendable (AVAssetTrack?, (any Error)?) -> Void
  ) {
    Task {
      do {
        completionHandler(try await loadTrack(withTrackID: trackID), nil)
      } catch { completionHandler(nil, error) }
    }
  }

  /// No effect: there is nothing to cancel.
  public func cancelLoading() {}

  /// Opens the file on another thread, then calls `handler`.
  public func loadValuesAsynchronously(
    forKeys keys: [String], completionHandler handler: (@Sendable () -> Void)? = nil
  ) {
    DispatchQueue.global().async { [self] in
      _ = try? contents()
      handler?()
    }
  }

  /// Whether the file was opened; the same for all keys. A composition is always loaded, and a mutable movie is
  /// loaded or failed.
  ///
  /// - Parameters:
  ///   - key: Ignored.
  ///   - outError: Set to the reason if the file cannot be read; may be nil.
  public func statusOfValue(forKey key: String, error outError: UnsafeMutablePointer<NSError?>?)
    -> AVKeyValueStatus
  {
    let (status, reason) = openingStatus
    if let reason { outError?.pointee = reason as NSError }
    return status
  }

  /// Same, with another type of error variable.
  public func statusOfValue(forKey key: String, error outError: inout (any Error)?)
    -> AVKeyValueStatus
  {
    let (status, reason) = openingStatus
    if let reason { outError = reason }
    return status
  }

  /// Whether the file was opened; the same for all keys.
  public func statusOfValue(forKey key: String) -> AVKeyValueStatus { openingStatus.0 }

  private var openingStatus: (AVKeyValueStatus, AVError?) {
    guard location != nil else {
      do throws(AVError) { _ = try contents() } catch { return (.failed, error) }
      return (.loaded, nil)
    }
    return switch opened.withLock({ $0 }) {
    case nil: (.unknown, nil)
    case .success?: (.loaded, nil)
    case .failure(let error)?: (.failed, error)
    }
  }
}

extension AVAsset: Hashable {
  public static func == (lhs: AVAsset, rhs: AVAsset) -> Bool { lhs === rhs }
  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

/// A movie or audio file at a URL.
///
/// Unchecked: the compiler does not verify subclasses. This one adds one `let` of a `Sendable` type.
public class AVURLAsset: AVAsset, @unchecked Sendable {
  public let url: URL

  /// - Parameters:
  ///   - url: The file.
  ///   - options: Ignored: durations are always exact, and the file type is detected from the contents.
  public init(url: URL, options: [String: Any]? = nil) {
    self.url = url
    super.init(location: AssetLocation(path: url.path))
  }
}
