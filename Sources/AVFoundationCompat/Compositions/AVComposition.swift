public import Foundation
public import MediaCore
import Synchronization

/// Ranges of other assets in a new order.
///
/// A composition can be read and exported like any asset. `AVAssetExportPresetPassthrough` copies ProRes frames
/// unchanged, so cuts and joins are lossless.
///
/// Unchecked: the compiler cannot check a class with a superclass. It adds one property, a `Mutex`.
public class AVComposition: AVAsset, @unchecked Sendable {
  struct Parts: Sendable {
    var tracks: [AVCompositionTrack] = []
    var naturalSize: CGSize?
  }

  let parts = Mutex(Parts())

  init() { super.init(location: nil) }

  /// An immutable copy.
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

  /// Width and height of the first video track, unless the composition sets its own.
  public var naturalSize: CGSize {
    parts.withLock { $0.naturalSize }
      ?? tracks(withMediaType: .video).first?.naturalSize ?? CGSize(width: 0, height: 0)
  }
}

/// A composition that can be changed.
///
/// Unchecked: the compiler cannot check a class with a superclass. It adds no stored property.
public final class AVMutableComposition: AVComposition, @unchecked Sendable {
  /// An empty composition.
  public override init() { super.init() }

  /// An empty composition. Options are ignored: durations are always exact.
  public convenience init(urlAssetInitializationOptions options: [String: Any]?) { self.init() }

  /// Width and height of the first video track, unless set. They do not affect an exported movie, which keeps its frame
  /// size.
  public override var naturalSize: CGSize {
    get { super.naturalSize }
    set { parts.withLock { $0.naturalSize = newValue } }
  }

  /// Adds an empty track.
  ///
  /// - Parameters:
  ///   - mediaType: Video or audio.
  ///   - preferredTrackID: The track's ID, if it is not in use; ``kCMPersistentTrackID_Invalid`` for the next free one.
  /// - Returns: Nil for any other media type: compositions here have video and audio only.
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

  /// Removes a track.
  public func removeTrack(_ track: AVCompositionTrack) {
    parts.withLock { parts in parts.tracks.removeAll { $0 === track } }
  }

  /// The first track that can take segments of an asset's track: one of the same media type.
  public func mutableTrack(compatibleWith track: AVAssetTrack) -> AVMutableCompositionTrack? {
    mutableTracks.first { $0.mediaType == track.mediaType }
  }

  /// The tracks of a media type.
  public func tracks(withMediaType mediaType: AVMediaType) -> [AVMutableCompositionTrack] {
    mutableTracks.filter { $0.mediaType == mediaType }
  }

  /// The tracks with a media characteristic.
  public func tracks(
    withMediaCharacteristic mediaCharacteristic: AVMediaCharacteristic
  ) -> [AVMutableCompositionTrack] {
    mutableTracks.filter { $0.hasMediaCharacteristic(mediaCharacteristic) }
  }

  /// The track with an ID; nil if there is none.
  public override func track(
    withTrackID trackID: CMPersistentTrackID
  ) -> AVMutableCompositionTrack? {
    mutableTracks.first { $0.trackID == trackID }
  }

  private var mutableTracks: [AVMutableCompositionTrack] {
    parts.withLock { $0.tracks }.compactMap { $0 as? AVMutableCompositionTrack }
  }

  /// Inserts a range of all tracks of an asset at a time; later content moves back.
  ///
  /// The asset's first video track goes into the composition's first, the second into the second, and so on; the same
  /// for audio. Tracks are added if there are too few. Tracks without a counterpart in the asset are empty for that
  /// range.
  ///
  /// - Throws: ``AVError`` if the asset cannot be read or the times are invalid; the composition is then unchanged.
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

  /// Inserts an empty range into all tracks; later content moves back.
  public func insertEmptyTimeRange(_ timeRange: CMTimeRange) {
    for track in mutableTracks { track.insertEmptyTimeRange(timeRange) }
  }

  /// Removes a range from all tracks; later content moves forward.
  public func removeTimeRange(_ timeRange: CMTimeRange) {
    for track in mutableTracks { track.removeTimeRange(timeRange) }
  }

  /// Slows down or speeds up a range of all tracks; in a track that ends within the range, only the part it has. Audio
  /// cannot be scaled: its export fails with an error.
  public func scaleTimeRange(_ timeRange: CMTimeRange, toDuration duration: CMTime) {
    for track in mutableTracks { track.scaleTimeRange(timeRange, toDuration: duration) }
  }
}
