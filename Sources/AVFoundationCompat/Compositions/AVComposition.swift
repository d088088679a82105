public import Foundation
public import MediaCore
import Synchronization

/// Stretches of other assets in a new order.
///
/// It is read and exported as any asset. `AVAssetExportPresetPassthrough` copies ProRes frames as they
/// are, so that cuts and joins lose nothing.
///
/// Unchecked: the compiler checks no class with a superclass. It adds one property, a `Mutex`.
public class AVComposition: AVAsset, @unchecked Sendable {
  struct Parts: Sendable {
    var tracks: [AVCompositionTrack] = []
    var naturalSize: CGSize?
  }

  let parts = Mutex(Parts())

  init() { super.init(location: nil) }

  /// A copy that nobody changes.
  override func snapshot() -> AVAsset {
    let parts = parts.withLock { $0 }
    let copy = AVComposition()
    let tracks = parts.tracks.map { $0.snapshot(of: copy) }
    copy.parts.withLock { $0 = Parts(tracks: tracks, naturalSize: parts.naturalSize) }
    return copy
  }

  override func contents() throws(AVError) -> Contents {
    let tracks = parts.withLock { $0.tracks }
    return Contents(
      tracks: tracks, duration: tracks.map(\.timeRange.end).max() ?? .zero, metadata: [],
      index: nil)
  }

  /// Width and height of the first track of pictures, unless the composition says others.
  public var naturalSize: CGSize {
    parts.withLock { $0.naturalSize }
      ?? tracks(withMediaType: .video).first?.naturalSize ?? CGSize(width: 0, height: 0)
  }
}

/// A composition that can be changed.
///
/// Unchecked: the compiler checks no class with a superclass. It adds no stored property.
public final class AVMutableComposition: AVComposition, @unchecked Sendable {
  /// An empty composition.
  public override init() { super.init() }

  /// An empty composition. Options are ignored: durations are always exact.
  public convenience init(urlAssetInitializationOptions options: [String: Any]?) { self.init() }

  /// Width and height of the first track of pictures, unless they are set. They change nothing in a movie
  /// that is exported: its frames are as they are.
  public override var naturalSize: CGSize {
    get { super.naturalSize }
    set { parts.withLock { $0.naturalSize = newValue } }
  }

  /// Adds an empty track.
  ///
  /// - Parameters:
  ///   - mediaType: Pictures or sound.
  ///   - preferredTrackID: The track's number, where no other has it; ``kCMPersistentTrackID_Invalid`` for the next.
  /// - Returns: Nil for another kind: compositions here have pictures and sound.
  @discardableResult
  public func addMutableTrack(
    withMediaType mediaType: AVMediaType, preferredTrackID: CMPersistentTrackID
  ) -> AVMutableCompositionTrack? {
    guard mediaType == .video || mediaType == .audio else { return nil }
    return parts.withLock { parts in
      let taken = Set(parts.tracks.map(\.trackID))
      let number =
        preferredTrackID > 0 && !taken.contains(preferredTrackID)
        ? preferredTrackID : (taken.max() ?? 0) + 1
      let track = AVMutableCompositionTrack(mediaType, number: number, of: self)
      parts.tracks.append(track)
      return track
    }
  }

  /// Takes a track away.
  public func removeTrack(_ track: AVCompositionTrack) {
    parts.withLock { parts in parts.tracks.removeAll { $0 === track } }
  }

  /// A track that a track of an asset can be put into: the first of its kind.
  public func mutableTrack(compatibleWith track: AVAssetTrack) -> AVMutableCompositionTrack? {
    mutableTracks.first { $0.mediaType == track.mediaType }
  }

  /// The tracks of pictures, or of sound.
  public func tracks(withMediaType mediaType: AVMediaType) -> [AVMutableCompositionTrack] {
    mutableTracks.filter { $0.mediaType == mediaType }
  }

  /// The tracks of a characteristic.
  public func tracks(
    withMediaCharacteristic mediaCharacteristic: AVMediaCharacteristic
  ) -> [AVMutableCompositionTrack] {
    mutableTracks.filter { $0.hasMediaCharacteristic(mediaCharacteristic) }
  }

  /// A track by its number; nil where there is none.
  public override func track(
    withTrackID trackID: CMPersistentTrackID
  ) -> AVMutableCompositionTrack? {
    mutableTracks.first { $0.trackID == trackID }
  }

  private var mutableTracks: [AVMutableCompositionTrack] {
    parts.withLock { $0.tracks }.compactMap { $0 as? AVMutableCompositionTrack }
  }

  /// Puts a stretch of all tracks of an asset at a time; what was there comes after it.
  ///
  /// The first track of pictures goes into the first one here, the second into the second, and so on, and sound
  /// the same way; tracks are added where there are too few. Those that the asset has nothing for show
  /// nothing meanwhile.
  ///
  /// - Throws: ``AVError`` where the asset cannot be read or the times make no sense; nothing has changed
  ///   then.
  public func insertTimeRange(
    _ timeRange: CMTimeRange, of asset: AVAsset, at startTime: CMTime
  ) throws {
    try AVMutableCompositionTrack.checkPlace(startTime)
    let sources = try asset.contents().tracks
    for source in sources { _ = try source.runs(in: timeRange) }
    let end = try asset.contents().duration
    let place = startTime.isNumeric ? startTime : duration
    let length = min(timeRange.duration, max(end - timeRange.start, .zero))
    var free = mutableTracks
    for source in sources {
      var track = free.first { $0.mediaType == source.mediaType }
      if let track {
        free.removeAll { $0 === track }
      } else {
        track = addMutableTrack(
          withMediaType: source.mediaType, preferredTrackID: kCMPersistentTrackID_Invalid)
        track?.preferredTransform = source.preferredTransform
      }
      try track?.insert(
        CMTimeRange(start: timeRange.start, duration: length), of: source, at: place)
    }
    for track in free {
      track.insertEmptyTimeRange(CMTimeRange(start: place, duration: length))
    }
  }

  /// Shows and plays nothing for a range; what was there comes after it.
  public func insertEmptyTimeRange(_ timeRange: CMTimeRange) {
    for track in mutableTracks { track.insertEmptyTimeRange(timeRange) }
  }

  /// Takes a range of all tracks away; what comes after it moves up.
  public func removeTimeRange(_ timeRange: CMTimeRange) {
    for track in mutableTracks { track.removeTimeRange(timeRange) }
  }

  /// Makes a range of all tracks slower or faster: of a track that ends within the range, the part that it
  /// has. Sound is not: its export says so.
  public func scaleTimeRange(_ timeRange: CMTimeRange, toDuration duration: CMTime) {
    for track in mutableTracks { track.scaleTimeRange(timeRange, toDuration: duration) }
  }
}
