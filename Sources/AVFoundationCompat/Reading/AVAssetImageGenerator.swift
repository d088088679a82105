import AssetReader
public import Foundation
public import MediaCore
import MovieExport
import RawDevelop
import Synchronization

/// Takes a picture: the time that was asked for, the picture, when it begins, how it came out, and why it did not.
public typealias AVAssetImageGeneratorCompletionHandler =
  @Sendable (CMTime, CGImage?, CMTime, AVAssetImageGenerator.Result, (any Error)?) -> Void

/// Makes pictures of an asset's first video track, or of what a video composition makes of its tracks.
public final class AVAssetImageGenerator: Sendable {
  /// How a picture came out.
  public enum Result: Int, Sendable, Hashable {
    case succeeded, failed, cancelled
  }

  /// Which part of a picture is given.
  public struct ApertureMode: RawRepresentable, Sendable, Hashable {
    /// Apple's word for it.
    public let rawValue: String
    /// A mode by its word.
    public init(rawValue: String) { self.rawValue = rawValue }
    /// What is to be seen.
    public static let cleanAperture = ApertureMode(rawValue: "CleanAperture")
    /// All of it, with square pixels.
    public static let productionAperture = ApertureMode(rawValue: "ProductionAperture")
    /// All of it, as it is stored.
    public static let encodedPixels = ApertureMode(rawValue: "EncodedPixels")
  }

  struct State: Sendable {
    var videoComposition: KeptComposition?
    /// End what a program's compositor is waited for, by the readings that wait.
    var cancellations: [ObjectIdentifier: @Sendable () -> Void] = [:]
    var appliesPreferredTrackTransform = false
    var maximumSize = CGSize(width: 0, height: 0)
    var toleranceBefore = CMTime.positiveInfinity
    var toleranceAfter = CMTime.positiveInfinity
    /// Raised by a cancellation: requests of earlier ones are left out.
    var round = 0
  }

  /// What pictures are made of.
  public let asset: AVAsset
  let state = Mutex(State())

  /// A generator for an asset.
  public init(asset: AVAsset) { self.asset = asset }

  /// True to turn pictures as a player does; a ``videoComposition`` has turned them already.
  public var appliesPreferredTrackTransform: Bool {
    get { state.withLock { $0.appliesPreferredTrackTransform } }
    set { state.withLock { $0.appliesPreferredTrackTransform = newValue } }
  }
  /// The box that a picture fits in, its shape kept and never enlarged; 0x0 for the picture's own size.
  public var maximumSize: CGSize {
    get { state.withLock { $0.maximumSize } }
    set { state.withLock { $0.maximumSize = newValue } }
  }
  /// Pictures are given as they are stored. Setting it has no effect.
  public var apertureMode: ApertureMode? {
    get { .encodedPixels }
    set {}
  }
  /// How much earlier a picture may be. The picture of the very time is given, whatever is allowed: it counts behind
  /// the end, where it says how far the last picture reaches.
  public var requestedTimeToleranceBefore: CMTime {
    get { state.withLock { $0.toleranceBefore } }
    set { state.withLock { $0.toleranceBefore = newValue } }
  }
  /// How much later a picture may be. The picture of the very time is given, whatever is allowed: it counts before
  /// the beginning, where it says how far the first picture reaches.
  public var requestedTimeToleranceAfter: CMTime {
    get { state.withLock { $0.toleranceAfter } }
    set { state.withLock { $0.toleranceAfter = newValue } }
  }

  /// The picture that is shown at a time; behind the end the last one, and before the beginning the first, as far as
  /// the tolerances reach.
  ///
  /// - Parameters:
  ///   - requestedTime: The time.
  ///   - actualTime: Set to when the picture begins; nil if nobody wants to know.
  /// - Throws: ``AVError`` where the file cannot be read or decoded; ``AVError/Code/noImageAtTime`` where it shows
  ///   nothing at the time.
  public func copyCGImage(
    at requestedTime: CMTime, actualTime: UnsafeMutablePointer<CMTime>?
  ) throws -> CGImage {
    let made = try picture(at: requestedTime)
    actualTime?.pointee = made.time
    return made.image
  }

  /// The picture that is shown at a time, and when it begins.
  ///
  /// - Throws: As ``copyCGImage(at:actualTime:)``.
  public func image(at time: CMTime) async throws -> (image: CGImage, actualTime: CMTime) {
    try await withCheckedThrowingContinuation { continuation in
      DispatchQueue.global().async { [self] in
        do throws(AVError) {
          let made = try picture(at: time)
          continuation.resume(returning: (made.image, made.time))
        } catch { continuation.resume(throwing: error) }
      }
    }
  }

  /// Makes pictures of times, one after the other on a thread of its own, and calls `handler` with each:
  /// the time that was asked for, the picture, when it begins, how it came out, and why it did not.
  ///
  /// Times may come as `NSValue` too, as in Apple's call.
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
          let made = try picture(at: time)
          handler(time, made.image, made.time, .succeeded, nil)
        } catch {
          let result: Result = error.code == .operationCancelled ? .cancelled : .failed
          handler(time, nil, .zero, result, error)
        }
      }
    }
  }

  /// Leaves out the pictures that were asked for and are not begun, or that a program's compositor has not finished.
  public func cancelAllCGImageGeneration() {
    let cancellations = state.withLock { state in
      state.round += 1
      return Array(state.cancellations.values)
    }
    for cancel in cancellations { cancel() }
  }

  private func picture(at time: CMTime) throws(AVError) -> (image: CGImage, time: CMTime) {
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
      // What begins where the stretch ends was cut off.
      (generator.time, generator.end) = (clip.origin(of: wanted), clip.source.end)
    }
    generator.maximumSide = side(of: track, state.maximumSize, isTurned: turn.swapsSides)
    do throws(AssetReaderError) {
      let made = try generator.picture()
      let picture = RenderedPicture(
        width: made.width, height: made.height, samples: .uint8(made.samples), colorSpace: .sRGB)
      let shown = track.location == nil ? max(clip.shown(made.time), clip.target.start) : made.time
      return (CGImage(picture.moved(by: turn)), shown)
    } catch { throw AVError(error) }
  }

  /// A time outside of the asset is as far from its pictures as the tolerances allow, or has none: loops that go on
  /// while there are pictures end by that.
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
        + " tolerances for the nearest picture")
  }

  /// How a player turns a track's pictures.
  private func turn(of track: AVAssetTrack) throws(AVError) -> RightAngleTransform {
    if let turn = RightAngleTransform(track.preferredTransform) { return turn }
    throw AVError(
      .operationNotSupportedForAsset,
      "the preferredTransform of track \(track.trackID) does more than turn by quarters and mirror;"
        + " set appliesPreferredTrackTransform to false")
  }

  /// What a track shows at a time; behind its end what it shows last.
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

  /// The longest side of a picture that fits into a box.
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

extension RenderedPicture {
  /// The picture turned by quarters, and mirrored.
  fileprivate func moved(by turn: RightAngleTransform) -> RenderedPicture {
    guard turn != .identity, case .uint8(let samples) = samples else { return self }
    let (newWidth, newHeight) = turn.swapsSides ? (height, width) : (width, height)
    var moved = [UInt8](repeating: 0, count: samples.count)
    for row in 0..<newHeight {
      for column in 0..<newWidth {
        // The middle of a pixel, moved back: rotations and mirrors are their transpose's inverse.
        let (x, y) = (column * 2 + 1 - newWidth, row * 2 + 1 - newHeight)
        let sourceX = turn.a * x + turn.b * y
        let sourceY = turn.c * x + turn.d * y
        let from = ((sourceY + height - 1) / 2 * width + (sourceX + width - 1) / 2) * 3
        let to = (row * newWidth + column) * 3
        for component in 0..<3 { moved[to + component] = samples[from + component] }
      }
    }
    return RenderedPicture(
      width: newWidth, height: newHeight, samples: .uint8(moved), colorSpace: colorSpace)
  }
}
