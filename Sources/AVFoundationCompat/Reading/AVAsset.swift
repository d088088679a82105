import AssetReader
public import Foundation
public import MediaCore
import QuickTime
import Synchronization

/// True to have durations to the sample: they always are.
public let AVURLAssetPreferPreciseDurationAndTimingKey =
  "AVURLAssetPreferPreciseDurationAndTimingKey"

/// What kind of file it is: not looked at, for a file's own bytes say so.
public let AVURLAssetOverrideMIMETypeKey = "AVURLAssetOverrideMIMETypeKey"

/// Whether a property can be used without waiting.
public enum AVKeyValueStatus: Int, Sendable, Hashable {
  case unknown, loading, loaded, failed, cancelled
}

/// A movie or an audio file that is read: every container and codec of libavformat and libavcodec.
///
/// The file is opened when something is first asked of it. A property that does not throw has an empty
/// value where the file cannot be read; ``load(_:)`` throws the reason.
///
/// Unchecked because the compiler accepts `Sendable` of final classes only: its properties are a `let` of a `Sendable`
/// type and a `Mutex`.
public class AVAsset: AVAsynchronousKeyValueLoading, @unchecked Sendable {
  /// What is known of the file once it was opened.
  struct Contents: Sendable {
    /// The video tracks and audio, in the file's order.
    var tracks: [AVAssetTrack]
    /// The tracks of timecode and of timed metadata.
    var dataTracks: [AVAssetTrack] = []
    var duration: CMTime
    var metadata: [AVMetadataItem]
    /// Where the samples of a QuickTime movie lie; nil for another container.
    var index: MovieIndex?
    /// In order of time.
    var chapters: [AssetChapter] = []

    /// All tracks, in the file's order.
    var allTracks: [AVAssetTrack] {
      dataTracks.isEmpty ? tracks : (tracks + dataTracks).sorted { $0.trackID < $1.trackID }
    }
  }

  /// The file; nil for a composition, which is made of others'.
  let location: AssetLocation?
  private let opened = Mutex<Result<Contents, AVError>?>(nil)

  /// An asset of a file.
  public convenience init(url: URL) { self.init(location: AssetLocation(path: url.path)) }

  init(location: AssetLocation?) { self.location = location }

  /// The file's bytes, of a movie that a program has in memory; nil for a file with a name.
  var bytes: MovieBytes? { nil }

  /// What messages call it.
  var displayName: String { location?.displayName ?? "the composition" }

  /// The asset as it is now, whatever becomes of it: a file's own.
  func snapshot() -> AVAsset { self }

  /// What is known of the file, which is opened at the first call.
  func contents() throws(AVError) -> Contents {
    try opened.withLock { result in
      let known = result ?? Result { () throws(AVError) in try open() }
      result = known
      return known
    }.get()
  }

  /// Opens the file again, for what was added to it.
  ///
  /// - Returns: What was known before, nil if it was never opened, and what is known now; nil if the file cannot
  ///   be read now: what was known stays.
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

  /// A track of the file.
  func makeTrack(_ facts: AssetTrack, hasIndex: Bool) -> AVAssetTrack {
    AVAssetTrack(facts, of: self, hasIndex: hasIndex)
  }

  // MARK: Properties

  /// The length of the longest track; invalid where the file does not say.
  public var duration: CMTime { (try? contents())?.duration ?? .invalid }
  /// The video tracks and audio, and of a QuickTime movie's timecode and timed metadata, in the file's order.
  public var tracks: [AVAssetTrack] { (try? contents())?.allTracks ?? [] }
  /// What the file says of itself.
  public var metadata: [AVMetadataItem] { (try? contents())?.metadata ?? [] }
  /// What the file says of itself under names that all containers share.
  public var commonMetadata: [AVMetadataItem] { metadata.filter { $0.commonKey != nil } }
  /// When it was made; nil if the file does not say.
  public var creationDate: AVMetadataItem? {
    metadata.first { $0.commonKey == .commonKeyCreationDate }
  }
  /// The formats of its metadata: that of QuickTime's `moov/meta`.
  public var availableMetadataFormats: [AVMetadataFormat] {
    metadata.isEmpty ? [] : [.quickTimeMetadata]
  }
  /// How fast players play it, as a QuickTime movie says: 1 is as it was recorded.
  public var preferredRate: Float { (try? contents())?.index?.preferredRate ?? 1 }
  /// How loud players play it, as a QuickTime movie says: 1 is as it was recorded.
  public var preferredVolume: Float { (try? contents())?.index?.preferredVolume ?? 1 }
  /// The turn of the first video track.
  public var preferredTransform: CGAffineTransform {
    tracks(withMediaType: .video).first?.preferredTransform ?? .identity
  }
  /// True if the file has pictures or audio that can be read.
  public var isReadable: Bool { (try? contents())?.tracks.isEmpty == false }
  /// True if the file has a track that can be decoded.
  public var isPlayable: Bool { isReadable }
  /// True if the file has pictures or audio, of which another file can be made.
  public var isExportable: Bool { isReadable }
  /// True if the file has a track that a composition can take.
  public var isComposable: Bool { isReadable }
  /// False: what is protected cannot be read.
  public var hasProtectedContent: Bool { false }

  /// The tracks of a media type.
  @_disfavoredOverload  // A mutable composition's form gives tracks that can be changed.
  public func tracks(withMediaType mediaType: AVMediaType) -> [AVAssetTrack] {
    tracks.filter { $0.mediaType == mediaType }
  }

  /// The tracks of a characteristic.
  @_disfavoredOverload  // A mutable movie's form gives tracks that can be changed.
  public func tracks(
    withMediaCharacteristic mediaCharacteristic: AVMediaCharacteristic
  ) -> [AVAssetTrack] {
    tracks.filter { $0.hasMediaCharacteristic(mediaCharacteristic) }
  }

  /// A track by its number; nil if there is none.
  public func track(withTrackID trackID: CMPersistentTrackID) -> AVAssetTrack? {
    tracks.first { $0.trackID == trackID }
  }

  /// Metadata of a format.
  public func metadata(forFormat format: AVMetadataFormat) -> [AVMetadataItem] {
    format == .quickTimeMetadata ? metadata : []
  }

  /// The tracks of a media type.
  ///
  /// - Throws: ``AVError`` where the file cannot be read.
  public func loadTracks(withMediaType mediaType: AVMediaType) async throws -> [AVAssetTrack] {
    try await loaded { asset throws(AVError) in
      try asset.contents().allTracks.filter { $0.mediaType == mediaType }
    }
  }

  /// The tracks of a characteristic.
  ///
  /// - Throws: ``AVError`` where the file cannot be read.
  public func loadTracks(
    withMediaCharacteristic mediaCharacteristic: AVMediaCharacteristic
  ) async throws -> [AVAssetTrack] {
    try await loaded { asset throws(AVError) in
      try asset.contents().allTracks.filter { $0.hasMediaCharacteristic(mediaCharacteristic) }
    }
  }

  /// A track by its number; nil if there is none.
  ///
  /// - Throws: ``AVError`` where the file cannot be read.
  public func loadTrack(withTrackID trackID: CMPersistentTrackID) async throws -> AVAssetTrack? {
    try await loaded { asset throws(AVError) in
      try asset.contents().allTracks.first { $0.trackID == trackID }
    }
  }

  /// The tracks of a media type, when they are known; nil with an ``AVError`` where the file cannot be read.
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

  /// A track by its number, when it is known; nil if there is none, with an ``AVError`` where the
  /// file cannot be read.
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

  /// Does nothing: what is loaded is loaded at once.
  public func cancelLoading() {}

  /// Opens the file on a thread of its own, and calls `handler` after that.
  public func loadValuesAsynchronously(
    forKeys keys: [String], completionHandler handler: (@Sendable () -> Void)? = nil
  ) {
    DispatchQueue.global().async { [self] in
      _ = try? contents()
      handler?()
    }
  }

  /// Whether the file was opened; of all keys the same. A composition is always loaded, and so is a movie that is
  /// changed, or it has failed.
  ///
  /// - Parameters:
  ///   - key: Any.
  ///   - outError: Nil, or a variable that is set to the reason where the file cannot be read.
  public func statusOfValue(forKey key: String, error outError: UnsafeMutablePointer<NSError?>?)
    -> AVKeyValueStatus
  {
    let (status, reason) = openingStatus
    if let reason { outError?.pointee = reason as NSError }
    return status
  }

  /// As the other one, with a variable of another type.
  public func statusOfValue(forKey key: String, error outError: inout (any Error)?)
    -> AVKeyValueStatus
  {
    let (status, reason) = openingStatus
    if let reason { outError = reason }
    return status
  }

  /// Whether the file was opened; of all keys the same.
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
  /// True for the same object.
  public static func == (lhs: AVAsset, rhs: AVAsset) -> Bool { lhs === rhs }
  /// Hashes the object's identity.
  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

/// A movie or an audio file at a URL.
///
/// Unchecked because the compiler accepts `Sendable` of no class with a superclass: it adds one `let` of a `Sendable`
/// type.
public class AVURLAsset: AVAsset, @unchecked Sendable {
  /// The file.
  public let url: URL

  /// An asset of a file.
  ///
  /// - Parameters:
  ///   - url: The file.
  ///   - options: Ignored: durations are always exact, and what a file is is in its bytes.
  public init(url: URL, options: [String: Any]? = nil) {
    self.url = url
    super.init(location: AssetLocation(path: url.path))
  }
}
