import AssetReader
public import Foundation
public import MediaCore
import MovieExport
import RawDevelop
import Synchronization

/// Called with the requested time, the image, the start time of its frame, the result, and the error.
public typealias AVAssetImageGeneratorCompletionHandler =
  @Sendable (CMTime, CGImage?, CMTime, AVAssetImageGenerator.Result, (any Error)?) -> Void

/// Makes images of an asset's first video track, or of a video composition of its tracks.
public final class AVAssetImageGenerator: Sendable {
  /// The result of a request.
  public enum Result: Int, Sendable, Hashable {
    case succeeded, failed, cancelled
  }

  /// Which part of a frame an image shows.
  public struct ApertureMode: RawRepresentable, Sendable, Hashable {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
    /// The clean aperture.
    public static let cleanAperture = ApertureMode(rawValue: "CleanAperture")
    /// The whole frame, with square pixels.
    public static let productionAperture = ApertureMode(rawValue: "ProductionAperture")
    /// The whole frame, as stored.
    public static let encodedPixels = ApertureMode(rawValue: "EncodedPixels")
  }

  struct State: Sendable {
    var videoComposition: KeptComposition?
    /// Stop waiting for a program's compositor, for each waiting read.
    var cancellations: [ObjectIdentifier: @Sendable () -> Void] = [:]
    var appliesPreferredTrackTransform = false
    var maximumSize = CGSize(width: 0, height: 0)
    var toleranceBefore = CMTime.positiveInfinity
    var toleranceAfter = CMTime.positiveInfinity
    /// Incremented by a cancellation, which drops older requests.
    var round = 0
  }

  public let asset: AVAsset
  let state = Mutex(State())

  public init(asset: AVAsset) { self.asset = asset }

  /// True to apply the track's transform, as players do. A ``videoComposition`` has already applied it.
  public var appliesPreferredTrackTransform: Bool {
    get { state.withLock { $0.appliesPreferredTrackTransform } }
    set { state.withLock { $0.appliesPreferredTrackTransform = newValue } }
  }
  /// The box that images fit in. The aspect ratio is kept, and images are never enlarged; 0x0 for the original size.
  public var maximumSize: CGSize {
    get { state.withLock { $0.maximumSize } }
    set { state.withLock { $0.maximumSize = newValue } }
  }
  /// Images show the frames as stored. Setting it has no effect.
  public var apertureMode: ApertureMode? {
    get { .encodedPixels }
    set {}
  }
  /// How much earlier than requested a frame may be. Within the asset, the exact frame is always returned. After its
  /// end, this is how late a time may be to get the last frame.
  public var requestedTimeToleranceBefore: CMTime {
    get { state.withLock { $0.toleranceBefore } }
    set { state.withLock { $0.toleranceBefore = newValue } }
  }
  /// How much later than requested a frame may be. Within the asset, the exact frame is always returned. Before its
  /// start, this is how early a time may be to get the first frame.
  public var requestedTimeToleranceAfter: CMTime {
    get { state.withLock { $0.toleranceAfter } }
    set { state.withLock { $0.toleranceAfter = newValue } }
  }

  /// The image of the frame at a time; after the end that of the last frame, and before the start that of the first,
  /// as far as the tolerances allow.
  ///
  /// - Parameters:
  ///   - requestedTime: The time.
  ///   - actualTime: Set to the start time of the frame; may be nil.
  /// - Throws: ``AVError`` if the file cannot be read or decoded; ``AVError/Code/noImageAtTime`` if nothing is shown
  ///   at the time.
  public func copyCGImage(
    at requestedTime: CMTime, actualTime: UnsafeMutablePointer<CMTime>?
  ) throws -> CGImage {
    let made = try image(at: requestedTime)
    actualTime?.pointee = made.time
    return made.image
  }

  /// The image of the frame at a time, and the frame's start time.
  ///
  /// - Throws: Same as ``copyCGImage(at:actualTime:)``.
  public func image(at time: CMTime) async throws -> (image: CGImage, actualTime: CMTime) {
    try await withCheckedThrowingContinuation { continuation in
      DispatchQueue.global().async { [self] in
        do throws(AVError) {
          let made = try self.image(at: time)
          continuation.resume(returning: (made.image, made.time))
        } catch { continuation.resume(throwing: error) }
      }
    }
  }

  /// Makes images at times, one after another on another thread. `handler` is called with the requested time, the
  /// image, the start time of its frame, the result, and the error.
  ///
  /// Times may also be `NSValue`s, as in Apple's API.
  public func generateCGImagesAsynchronously(
    forTimes requestedTimes: [CMTime],
    completionHandler handler:
      @escaping @Sendable (CMTime, CGImage?, CMTime, Result, (any Error)?) -> Void
  ) {
    let round = state.withLock { $0.round }
    DispatchQueue.global().async { [self] in
      for time in requestedTimes {
        guard state.withLock({ $0.round }) == round else {
          handler(time, nil, .zero, .cancelled, AVError(.operationCancelled))
          continue
        }
        do throws(AVError) {
          let made = try image(at: time)
          handler(time, made.image, made.time, .succeeded, nil)
        } catch {
          let result: Result = error.code == .operationCancelled ? .cancelled : .failed
          handler(time, nil, .zero, result, error)
        }
      }
    }
  }

  /// Cancels requested images that were not started, or that a program's compositor has not finished.
  public func cancelAllCGImageGeneration() {
    let cancellations = state.withLock { state in
      state.round += 1
      return Array(state.cancellations.values)
    }
    for cancel in cancellations { cancel() }
  }

  private func image(at time: CMTime) throws(AVError) -> (image: CGImage, time: CMTime) {
    try checkReach(of: time)
    if let kept = state.withLock({ $0.videoComposition }) {
      return try composed(by: kept, at: time)
    }
    guard let track = try asset.contents().tracks.first(where: { $0.mediaType == .video }) else {
      throw AVError(.invalidSourceMedia, "\(asset.displayName) contains no video")
    }
    let state = state.withLock { $0 }
    let turn = state.appliesPreferredTrackTransform ? try turn(of: track) : .identity
    let wanted = time.isNumeric ? time : .zero
    let clip = try clip(of: track, at: wanted)
    var generator = AssetImageGenerator(path: clip.location.path)
    generator.track = clip.track.id
    generator.time = wanted
    if track.location == nil {
      // The next frame may start at the end of the segment, which was cut there.
      (generator.time, generator.end) = (clip.origin(of: wanted), clip.source.end)
    }
    generator.maximumSide = side(of: track, state.maximumSize, isTurned: turn.swapsSides)
    do throws(AssetReaderError) {
      let made = try generator.image()
      let bitmap = RenderedImage(
        width: made.width, height: made.height, samples: .uint8(made.samples), colorSpace: .sRGB)
      let shown = track.location == nil ? max(clip.shown(made.time), clip.target.start) : made.time
      return (CGImage(bitmap.moved(by: turn)), shown)
    } catch { throw AVError(error) }
  }

  /// Throws for a time outside of the asset, unless the tolerances reach it. This ends loops that continue until
  /// there is no image.
  private func checkReach(of time: CMTime) throws(AVError) {
    guard time.isNumeric else { return }
    let (before, after) = state.withLock { ($0.toleranceBefore, $0.toleranceAfter) }
    let contents = try asset.contents()
    let ends = contents.tracks.map(\.timeRange.end) + [contents.duration]
    let end = ends.filter(\.isNumeric).max() ?? time
    guard
      time < .zero && after.isNumeric && time + after < .zero
        || time > end && before.isNumeric && time - before > end
    else { return }
    throw AVError(
      .noImageAtTime,
      "\(asset.displayName) shows nothing at \(time.seconds.text(decimals: 3)) s; raise the"
        + " tolerances for the nearest frame")
  }

  /// How players transform a track's frames.
  private func turn(of track: AVAssetTrack) throws(AVError) -> RightAngleTransform {
    if let turn = RightAngleTransform(track.preferredTransform) { return turn }
    throw AVError(
      .operationNotSupportedForAsset,
      "the preferredTransform of track \(track.trackID) does more than mirror and rotate by multiples of "
        + "90 degrees; set appliesPreferredTrackTransform to false")
  }

  /// The clip of a track at a time; the last one after the end.
  private func clip(
    of track: AVAssetTrack, at time: CMTime
  ) throws(AVError) -> MovieTimeline.Clip {
    let clips = track.clips(in: CMTimeRange(start: .zero, duration: .positiveInfinity))
    if track.location != nil, let whole = clips.first { return whole }
    if let clip = clips.first(where: { $0.target.contains(time) }) { return clip }
    if let last = clips.last, time >= last.target.end { return last }
    throw AVError(
      .noImageAtTime, "\(asset.displayName) shows nothing at \(time.seconds.text(decimals: 3)) s")
  }

  /// The longer side of an image that fits into a box.
  private func side(of track: AVAssetTrack, _ box: CGSize, isTurned: Bool) -> Int {
    let size = track.naturalSize
    let (width, height) = (max(size.width, 1), max(size.height, 1))
    let box = isTurned ? CGSize(width: box.height, height: box.width) : box
    var scale = 1.0
    if box.width > 0 { scale = min(scale, box.width / width) }
    if box.height > 0 { scale = min(scale, box.height / height) }
    return max(2, Int((max(width, height) * scale).rounded()))
  }
}

extension RenderedImage {
  /// The image, rotated and mirrored.
  fileprivate func moved(by turn: RightAngleTransform) -> RenderedImage {
    guard turn != .identity, case .uint8(let samples) = samples else { return self }
    let (newWidth, newHeight) = turn.swapsSides ? (height, width) : (width, height)
    var moved = [UInt8](repeating: 0, count: samples.count)
    for row in 0..<newHeight {
      for column in 0..<newWidth {
        // Maps the center of a pixel back. The inverse of a rotation or reflection is its transpose.
        let (x, y) = (column * 2 + 1 - newWidth, row * 2 + 1 - newHeight)
        let sourceX = turn.a * x + turn.b * y
        let sourceY = turn.c * x + turn.d * y
        let from = ((sourceY + height - 1) / 2 * width + (sourceX + width - 1) / 2) * 3
        let to = (row * newWidth + column) * 3
        for component in 0..<3 { moved[to + component] = samples[from + component] }
      }
    }
    return RenderedImage(
      width: newWidth, height: newHeight, samples: .uint8(moved), colorSpace: colorSpace)
  }
}
