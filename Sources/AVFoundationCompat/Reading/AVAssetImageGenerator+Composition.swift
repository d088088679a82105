import AssetReader
import Foundation
import MediaCore
import Synchronization

extension AVAssetImageGenerator {
  /// The composition that makes images from the asset's tracks; nil for the first track unchanged. The generator
  /// keeps a copy: later changes have no effect.
  public var videoComposition: AVVideoComposition? {
    get { state.withLock { $0.videoComposition }?.composition }
    set {
      let kept = newValue.map(KeptComposition.init)
      state.withLock { $0.videoComposition = kept }
    }
  }
  /// The program's compositor, created when a ``videoComposition`` with its class is set; nil without one.
  public var customVideoCompositor: (any AVVideoCompositing)? {
    state.withLock { $0.videoComposition }?.compositor
  }

  /// The frame that a composition shows at a time; the last one after its end.
  func composed(
    by kept: KeptComposition, at time: CMTime
  ) throws(AVError) -> (image: CGImage, time: CMTime) {
    let composition = kept.composition
    let (box, round) = state.withLock { ($0.maximumSize, $0.round) }
    var processing = VideoProcessing()
    processing.scaling = Self.size(composition.renderSize, within: box).map { .init($0) }
    let source = asset.snapshot()
    let reading = try TrackReading(
      kept, of: source, .frames(processing),
      try range(of: source, composition.frameDuration, at: time))
    let key = ObjectIdentifier(reading)
    let isCurrent = state.withLock { state in
      state.cancellations[key] = reading.cancellation
      return state.round == round
    }
    if !isCurrent { reading.cancellation?() }
    defer { state.withLock { $0.cancellations[key] = nil } }
    guard let sample = try reading.next(), let bitmap = sample.imageBuffer else {
      throw AVError(
        .noImageAtTime, "\(asset.displayName) shows nothing at \(time.seconds.text(decimals: 3)) s")
    }
    let image = CIImage(cvPixelBuffer: bitmap)
    guard case .image(let pixels) = image.content else { throw AVError(.decodeFailed) }
    return (CGImage(pixels), sample.presentationTimeStamp)
  }

  /// The range of the frame at a time. Frames are counted from 0.
  private func range(
    of asset: AVAsset, _ frameDuration: CMTime, at time: CMTime
  ) throws(AVError) -> CMTimeRange {
    guard frameDuration.isNumeric, frameDuration > .zero else {
      throw AVError(
        .invalidVideoComposition, "video composition: the frame duration must be greater than 0")
    }
    let end = try asset.contents().tracks.filter { $0.mediaType == .video }.map(\.timeRange.end)
      .max()
    let last = max((end ?? .zero) - frameDuration, .zero)
    let wanted = time.isNumeric ? min(max(time, .zero), last) : .zero
    // A time at a frame's edge belongs to that frame.
    let count = (wanted.seconds / frameDuration.seconds + 1e-6).rounded(.down)
    let start = frameDuration * (Int64(exactly: count) ?? 0)
    return CMTimeRange(start: start, duration: frameDuration)
  }

  /// The size of frames scaled down to a box; nil if they fit already.
  private static func size(_ size: CGSize, within box: CGSize) -> VideoDimensions? {
    var scale = 1.0
    if box.width > 0 { scale = min(scale, box.width / max(size.width, 1)) }
    if box.height > 0 { scale = min(scale, box.height / max(size.height, 1)) }
    guard scale < 1 else { return nil }
    func side(_ length: Double) -> Int { max(Int((length * scale / 2).rounded()) * 2, 16) }
    return VideoDimensions(width: side(size.width), height: side(size.height))
  }
}
