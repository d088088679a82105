public import Foundation
public import MediaCore
import MovieExport
import Synchronization

/// How a track's frames are drawn: transform, crop and opacity.
///
/// Unchecked: the compiler verifies only final classes. Its only stored property is a `Mutex`.
public class AVVideoCompositionLayerInstruction: @unchecked Sendable {
  struct State: Sendable {
    var trackID: CMPersistentTrackID = kCMPersistentTrackID_Invalid
    var layer = VideoComposition.Layer(track: 0)
  }

  let state: Mutex<State>

  init() { state = Mutex(State()) }

  private init(_ state: State) { self.state = Mutex(state) }

  /// An immutable copy.
  func snapshot() -> AVVideoCompositionLayerInstruction {
    AVVideoCompositionLayerInstruction(state.withLock { $0 })
  }

  public var trackID: CMPersistentTrackID { state.withLock { $0.trackID } }
}

/// The mutable form of ``AVVideoCompositionLayerInstruction``.
///
/// A transform may mirror, rotate by multiples of 90 degrees, scale and translate; edges are placed on even columns
/// and rows. Other rotations are rejected when an export or a reader starts.
///
/// Unchecked: the compiler does not verify subclasses. This one adds no stored property.
public final class AVMutableVideoCompositionLayerInstruction: AVVideoCompositionLayerInstruction,
  @unchecked Sendable
{
  /// An instruction without a track yet.
  public override init() {}

  /// An instruction for a track of the asset or composition to read or export.
  public init(assetTrack track: AVAssetTrack) {
    super.init()
    state.withLock { $0.trackID = track.trackID }
  }

  public override var trackID: CMPersistentTrackID {
    get { super.trackID }
    set { state.withLock { $0.trackID = newValue } }
  }

  /// Sets the transform from a time on; `identity` before the first one.
  public func setTransform(_ transform: CGAffineTransform, at time: CMTime) {
    state.withLock { $0.layer.transform.set(PlaneTransform(transform), at: time) }
  }

  /// Ramps the transform over a range. The end transform applies after it.
  public func setTransformRamp(
    fromStart startTransform: CGAffineTransform, toEnd endTransform: CGAffineTransform,
    timeRange: CMTimeRange
  ) {
    let (first, last) = (PlaneTransform(startTransform), PlaneTransform(endTransform))
    state.withLock { $0.layer.transform.lead(from: first, to: last, over: timeRange) }
  }

  /// Sets the opacity, 0 to 1, from a time on; 1 before the first one.
  public func setOpacity(_ opacity: Float, at time: CMTime) {
    state.withLock { $0.layer.opacity.set(Double(opacity), at: time) }
  }

  /// Ramps the opacity over a range. The end opacity applies after it.
  public func setOpacityRamp(
    fromStartOpacity startOpacity: Float, toEndOpacity endOpacity: Float, timeRange: CMTimeRange
  ) {
    let (first, last) = (Double(startOpacity), Double(endOpacity))
    state.withLock { $0.layer.opacity.lead(from: first, to: last, over: timeRange) }
  }

  /// Sets the part of frames to draw, in their pixels, from a time on; the whole frame before the first one.
  public func setCropRectangle(_ cropRectangle: CGRect, at time: CMTime) {
    state.withLock { $0.layer.area.set(PlaneArea(cropRectangle), at: time) }
  }

  /// Ramps the crop rectangle over a range. The end rectangle applies after it.
  public func setCropRectangleRamp(
    fromStartCropRectangle startCropRectangle: CGRect,
    toEndCropRectangle endCropRectangle: CGRect, timeRange: CMTimeRange
  ) {
    let (first, last) = (PlaneArea(startCropRectangle), PlaneArea(endCropRectangle))
    state.withLock { $0.layer.area.lead(from: first, to: last, over: timeRange) }
  }
}

extension PlaneTransform {
  fileprivate init(_ transform: CGAffineTransform) {
    self.init(
      a: Double(transform.a), b: Double(transform.b), c: Double(transform.c),
      d: Double(transform.d), tx: Double(transform.tx), ty: Double(transform.ty))
  }
}

extension PlaneArea {
  fileprivate init(_ rectangle: CGRect) {
    self.init(
      left: Double(rectangle.minX), top: Double(rectangle.minY), right: Double(rectangle.maxX),
      bottom: Double(rectangle.maxY))
  }
}
